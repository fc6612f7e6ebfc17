// What a review is for Python.
#include <nanobind/nanobind.h>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "review.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

void bind_analysis(nb::module_& m) {
    m.attr("LONGEST_SHOWN_LINE") = analysis::longest_shown_line;
    m.def(
        "review_game",
        [](const GameBoard& game, int moves, const book::Book* book, int given, double seconds, int threads,
           const nb::object& stopped, const nb::object& told) {
            int done = 0, told_of = 0;
            const nb::object tells_and_asks = nb::cpp_function([&] {
                if (told_of < done) told(told_of = done);
                return nb::cast<bool>(stopped());
            });
            const auto found = while_asking(tells_and_asks, [&](const auto& asks) {
                const auto goes_on = [&](int number) { return done = number, !asks(); };
                players::Chooser chooser;
                chooser.use_book(book);
                return analysis::review_game(chooser, game, {moves, given, seconds, threads, asks, goes_on});
            });
            return as_plain(found);
        },
        "game"_a, "moves"_a, nb::kw_only(), "book"_a.none(), "given"_a, "seconds"_a, "threads"_a, "stopped"_a,
        "told"_a);
}

}  // namespace connectk
