// What the explainer is for Python.
#include <nanobind/nanobind.h>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "explain.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

void bind_why(nb::module_& m) {
    bind_struct<why::Page>(m, "Page");
    m.def(
        "explain",
        [](Solver& solver, const nb::int_& keeper, const nb::int_& rival, bool keeper_to_move, bool win,
           int most_boards, std::uint64_t most_work, double seconds, const StopFlag* stop) {
            const why::WhyQuestion question{bits_of(keeper), bits_of(rival), keeper_to_move, win,
                                            most_boards,     most_work};
            const SearchLimits limits{stop ? &stop->raised : nullptr, 1, 0, seconds};
            nb::gil_scoped_release without_python;
            return why::explain(solver, question, limits);
        },
        "solver"_a, "keeper"_a, "rival"_a, nb::kw_only(), "keeper_to_move"_a, "win"_a, "most_boards"_a, "most_work"_a,
        "seconds"_a = 0.0, "stop"_a = nb::none());
}

}  // namespace connectk
