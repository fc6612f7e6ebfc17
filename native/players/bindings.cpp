// The players' searches for Python.
#include <nanobind/nanobind.h>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "../analysis/columns.hpp"
#include "chooser.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

std::vector<std::uint64_t> words_of(nb::int_ value) {
    std::vector<std::uint64_t> words;
    for (int i = 0; i < players::max_board_bits / 64 && nb::cast<bool>(value.attr("__bool__")()); ++i) {
        words.push_back(nb::cast<std::uint64_t>(value & nb::int_(~std::uint64_t(0))));
        value = nb::int_(value >> nb::int_(64));
    }
    return words;
}

players::Discs discs_of(const nb::int_& own, const nb::int_& all) { return {words_of(own), words_of(all)}; }

}  // namespace

void bind_players(nb::module_& m) {
    using players::Chooser;
    using players::Deadline;
    using players::Evaluation;
    using players::Thinker;
    bind_struct<players::MinimaxResult>(m, "MinimaxResult");
    bind_struct<players::Decision>(m, "Decision");
    bind_struct<players::SimulationResult>(m, "SimulationResult");
    bind_struct<players::Level>(m, "Level");
    nb::list all_levels;
    for (const players::Level& level : players::levels) all_levels.append(level);
    m.attr("LEVELS") = nb::tuple(all_levels);
    m.attr("THINKER_BITS") = players::max_board_bits;

    struct PyThinker {  // owned by Python; the word type depends on the board and is chosen at run time
        std::unique_ptr<Thinker> thinker;
    };
    nb::class_<PyThinker>(m, "Thinker")
        .def(
            "__init__",
            [](PyThinker* self, int width, int height, int run, const std::vector<int>& closed,
               std::size_t table_bytes) {
                new (self) PyThinker{players::make_thinker({width, height, run}, closed, table_bytes)};
            },
            "width"_a, "height"_a, "run"_a, "closed"_a = std::vector<int>{}, "table_bytes"_a = 1 << 24)
        .def(
            "evaluate",
            [](PyThinker& self, const nb::int_& own, const nb::int_& all, Evaluation evaluation) {
                return self.thinker->evaluate(discs_of(own, all), evaluation);
            },
            "own"_a, "all"_a, "evaluation"_a)
        .def(
            "minimax",
            [](PyThinker& self, const nb::int_& own, const nb::int_& all, int depth, Evaluation evaluation,
               const nb::object& stopped) {
                return run_without_gil(stopped, [&, discs = discs_of(own, all)](const auto& stop_requested) {
                    return self.thinker->minimax(discs, depth, evaluation, {nullptr, 1, 0, 0, stop_requested});
                });
            },
            "own"_a, "all"_a, "depth"_a, "evaluation"_a, "stopped"_a = nb::none())
        .def(
            "play",
            [](PyThinker& self, const nb::int_& own, const nb::int_& all, const players::Level& level,
               std::uint64_t seed, const nb::object& stopped) {
                return run_without_gil(stopped, [&, discs = discs_of(own, all)](const auto& stop_requested) {
                    return self.thinker->play(discs, level, seed, {nullptr, 1, 0, 0, stop_requested});
                });
            },
            "own"_a, "all"_a, "level"_a, "seed"_a, "stopped"_a = nb::none())
        .def(
            "think",
            [](PyThinker& self, const nb::int_& own, const nb::int_& all, int depth, std::uint64_t nodes,
               double seconds, int threads, const nb::object& stopped) {
                return run_without_gil(stopped, [&, discs = discs_of(own, all)](const auto& stop_requested) {
                    return self.thinker->think(discs, depth, {nullptr, threads, nodes, seconds, stop_requested});
                });
            },
            "own"_a, "all"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "seconds"_a = 0.0, "threads"_a = 1,
            "stopped"_a = nb::none())
        .def(
            "simulate",
            [](PyThinker& self, const nb::int_& own, const nb::int_& all, std::uint64_t simulations, std::uint64_t seed,
               double seconds, const nb::object& stopped) {
                return run_without_gil(stopped, [&, discs = discs_of(own, all)](const auto& stop_requested) {
                    return self.thinker->simulate(discs, simulations, seed, {nullptr, 1, 0, seconds, stop_requested});
                });
            },
            "own"_a, "all"_a, "simulations"_a, "seed"_a = 0, "seconds"_a = 0.0, "stopped"_a = nb::none())
        .def("clear_table", [](PyThinker& self) { self.thinker->clear_table(); });

    bind_struct<players::Choice>(m, "Choice");
    nb::class_<Chooser>(m, "Chooser")
        .def(nb::init<std::size_t, std::size_t>(), "solver_table_bytes"_a = 0, "search_table_bytes"_a = 1 << 25)
        .def("use_book", &Chooser::use_book, "book"_a.none(), nb::keep_alive<1, 2>())
        .def("clear_table", &Chooser::clear_table)
        .def("play_greedy", &Chooser::play_greedy, "board"_a)
        .def(
            "play_minimax",
            [](Chooser& self, const GameBoard& board, int depth, Evaluation evaluation, const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.play_minimax(board, depth, evaluation, Deadline(0, stop_requested));
                });
            },
            "board"_a, "depth"_a, "evaluation"_a, "stopped"_a = nb::none())
        .def(
            "play_simulations",
            [](Chooser& self, const GameBoard& board, std::uint64_t games, std::uint64_t seed,
               const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.play_simulations(board, games, seed, Deadline(0, stop_requested));
                });
            },
            "board"_a, "games"_a, "seed"_a, "stopped"_a = nb::none())
        .def(
            "play_level",
            [](Chooser& self, const GameBoard& board, int level, std::uint64_t seed, const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.play_level(board, level, seed, Deadline(0, stop_requested));
                });
            },
            "board"_a, "level"_a, "seed"_a, "stopped"_a = nb::none())
        .def(
            "play_engine",
            [](Chooser& self, const GameBoard& board, double seconds, int threads, const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.play_engine(board, Deadline(seconds, stop_requested, threads));
                });
            },
            "board"_a, "seconds"_a, "threads"_a = 1, "stopped"_a = nb::none())
        .def(
            "play_perfect",
            [](Chooser& self, const GameBoard& board, const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.play_perfect(board, Deadline(0, stop_requested));
                });
            },
            "board"_a, "stopped"_a = nb::none())
        .def(
            "search",
            [](Chooser& self, const GameBoard& board, int depth, std::uint64_t nodes, double seconds, int threads,
               const nb::object& stopped) {
                return run_without_gil(stopped, [&](const auto& stop_requested) {
                    return self.search(board, depth, {nullptr, threads, nodes, seconds, stop_requested});
                });
            },
            "board"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "seconds"_a = 0.0, "threads"_a = 1,
            "stopped"_a = nb::none());
    m.def(
        "score_columns",
        [](Solver* solver, const GameBoard& board, double seconds, const nb::object& stopped) {
            Chooser chooser;
            const auto found = run_without_gil(stopped, [&](const auto& stop_requested) {
                return analysis::score_columns(chooser, solver, board, Deadline(seconds, stop_requested));
            });
            return as_plain(found);
        },
        "solver"_a.none(), "board"_a, nb::kw_only(), "seconds"_a, "stopped"_a = nb::none());
}

}  // namespace connectk
