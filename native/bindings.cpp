// What Python sees of the core: the witness here, each other part in a file of its own.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays/bindings.hpp"
#include "python.hpp"
#include "witness.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace connectk;

namespace {

void bind_witness(nb::module_& m) {
    nb::class_<Witness>(m, "Witness")
        .def(
            "__init__", [](Witness* self, int width, int height, int run) { new (self) Witness({width, height, run}); },
            "width"_a, "height"_a, "run"_a)
        .def(
            "drop",
            [](Witness& self, int column) {
                if (!self.can_drop(column)) throw nb::value_error("no disc can be dropped there");
                self.drop(column);
            },
            "column"_a)
        .def("legal_columns", &Witness::legal_columns)
        .def("winning_cells",
             [](const Witness& self) { return self.won() ? self.winning_cells() : std::vector<Cell>{}; })
        .def_prop_ro("won", &Witness::won)
        .def_prop_ro("over", &Witness::over);
    m.def(
        "perft", [](int width, int height, int run, int depth) { return perft({width, height, run}, depth); },
        "width"_a, "height"_a, "run"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "count_positions",
        [](int width, int height, int run, int depth) { return count_positions({width, height, run}, depth); },
        "width"_a, "height"_a, "run"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The compiled core of connectk.";
    // a program may end while a thread still searches: those objects are in use, not lost
    nb::set_leak_warnings(false);
    bind_witness(m);
    bind_book(m);
    bind_solver(m);
    bind_crowd(m);
    bind_referee(m);
    bind_players(m);
    arrays::bind_arrays(m);
    bind_why(m);
}
