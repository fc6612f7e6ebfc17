// Reviews for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "review.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

// The parts of a reviewed move that the sums of a review need: number, side, label, mark, was_lost, exact, proven,
// before and after.
using SummedMove = std::tuple<int, Side, analysis::Label, std::optional<double>, bool, bool, bool, double, double>;

nb::object sum_up(const std::vector<SummedMove>& moves_to_sum, std::optional<Side> winner) {
    std::vector<analysis::MoveReview> moves;
    for (const auto& [number, side, label, mark, was_lost, exact, proven, before, after] : moves_to_sum) {
        analysis::MoveReview& move = moves.emplace_back();
        std::tie(move.number, move.side, move.label, move.mark) = std::tie(number, side, label, mark);
        std::tie(move.was_lost, move.exact, move.proven) = std::tie(was_lost, exact, proven);
        std::tie(move.before, move.after) = std::tie(before, after);
    }
    return as_plain(analysis::sum_up(std::move(moves), winner));
}

}  // namespace

void bind_analysis(nb::module_& m) {
    m.attr("MAX_SHOWN_LINE_DISCS") = analysis::max_shown_line_discs;
    m.def(
        "review_game",
        [](const GameBoard& game, int moves, const book::Book* book, int given, double seconds, int threads,
           const nb::object& stopped, const nb::object& report) {
            int done = 0, reported = 0;
            const nb::object report_and_poll = nb::cpp_function([&] {
                if (reported < done) report(reported = done);
                return nb::cast<bool>(stopped());
            });
            const auto found = run_without_gil(report_and_poll, [&](const auto& stop_requested) {
                const auto on_move_done = [&](int number) { return done = number, !stop_requested(); };
                players::Chooser chooser;
                chooser.use_book(book);
                return analysis::review_game(chooser, game,
                                             {moves, given, seconds, threads, stop_requested, on_move_done});
            });
            return as_plain(found);
        },
        "game"_a, "moves"_a, nb::kw_only(), "book"_a.none(), "given"_a, "seconds"_a, "threads"_a, "stopped"_a,
        "report"_a);
    m.def("sum_up_review", &sum_up, "moves"_a, "winner"_a.none());
}

}  // namespace connectk
