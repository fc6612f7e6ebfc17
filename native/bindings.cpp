// The Python module. This file has the board; every other part has its own bindings.cpp.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays/bindings.hpp"
#include "board/game_board.hpp"
#include "board/perft.hpp"
#include "python.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace connectk;

namespace {

// A board with these discs, each column from the bottom up as in "xxo". The top disc of column `last` was dropped last.
GameBoard board_of_columns(const Variant& variant, const std::vector<std::pair<int, std::string>>& columns,
                           std::optional<int> last) {
    std::vector<Disc> discs;
    for (const auto& [column, letters] : columns) {
        const std::size_t count = letters.size() - (last == column);
        for (std::size_t row = 0; row < count; ++row) discs.push_back({{column, int(row)}, letters[row] == 'o'});
    }
    GameBoard board(variant);
    if (board.set_up(discs).rule != Rule::none) throw nb::value_error("no game shows this board");
    if (last) board.drop(*last);
    return board;
}

void bind_game_board(nb::module_& m) {
    nb::class_<GameBoard>(m, "GameBoard")
        .def(
            "__init__",
            [](GameBoard* self, int width, int height, int run, const std::vector<std::pair<int, std::string>>& columns,
               std::optional<int> last) {
                new (self) GameBoard(board_of_columns({width, height, run}, columns, last));
            },
            "width"_a, "height"_a, "run"_a, "columns"_a = nb::list(), "last"_a = nb::none())
        .def(
            "drop",
            [](GameBoard& self, int column) {
                if (!self.can_drop(column)) throw nb::value_error("no disc can be dropped there");
                self.drop(column);
            },
            "column"_a)
        .def("legal_columns", &GameBoard::legal_columns)
        .def("winning_columns",
             [](const GameBoard& self) { return std::pair(self.winning_columns(0), self.winning_columns(1)); })
        .def("forks",
             [](const GameBoard& self) {
                 std::vector<int> forks = self.legal_columns();
                 std::erase_if(forks, [&](int column) { return !self.makes_fork(column); });
                 return forks;
             })
        .def("winning_cells",
             [](const GameBoard& self) { return self.won() ? self.winning_cells() : std::vector<Cell>{}; })
        .def_prop_ro("won", &GameBoard::won)
        .def_prop_ro("over", &GameBoard::over);
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
    // a program may end while a thread still searches: its objects are in use, so they are no leaks
    nb::set_leak_warnings(false);
    bind_game_board(m);
    bind_book(m);
    bind_solver(m);
    bind_solver_pool(m);
    bind_referee(m);
    bind_players(m);
    arrays::bind_arrays(m);
    bind_why(m);
    bind_analysis(m);
    bind_network(m);
}
