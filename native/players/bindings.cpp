// What the players are for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../python.hpp"
#include "thinker.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

std::vector<std::uint64_t> words_of(nb::int_ value) {
    std::vector<std::uint64_t> words;
    for (int i = 0; i < players::most_bits / 64 && nb::cast<bool>(value.attr("__bool__")()); ++i) {
        words.push_back(nb::cast<std::uint64_t>(value & nb::int_(~std::uint64_t(0))));
        value = nb::int_(value >> nb::int_(64));
    }
    return words;
}

players::Discs discs_of(const nb::int_& own, const nb::int_& all) { return {words_of(own), words_of(all)}; }

// Calls the core without Python's lock. `stopped` is asked every few milliseconds, with the lock held for that moment;
// what it raises is raised again when the core is back.
template <class Work>
auto while_asking(const nb::object& stopped, SearchLimits limits, const Work& work) {
    std::exception_ptr raised;
    if (!stopped.is_none()) {
        limits.stopped = [&] {
            nb::gil_scoped_acquire with_python;
            try {
                return nb::cast<bool>(stopped());
            } catch (...) {
                raised = std::current_exception();
                return true;
            }
        };
    }
    const auto answer = [&] {
        nb::gil_scoped_release without_python;
        return work(limits);
    }();
    if (raised) std::rethrow_exception(raised);
    return answer;
}

}  // namespace

void bind_players(nb::module_& m) {
    using players::Thinker;
    nb::class_<players::Line>(m, "Line")
        .def_ro("value", &players::Line::value)
        .def_ro("columns", &players::Line::columns)
        .def_ro("nodes", &players::Line::nodes)
        .def_ro("complete", &players::Line::complete);
    nb::class_<players::Decision>(m, "Decision")
        .def_ro("column", &players::Decision::column)
        .def_ro("estimate", &players::Decision::estimate)
        .def_ro("result", &players::Decision::result)
        .def_ro("last_disc", &players::Decision::last_disc)
        .def_ro("depth", &players::Decision::depth)
        .def_ro("nodes", &players::Decision::nodes)
        .def_ro("proven", &players::Decision::proven)
        .def_ro("line", &players::Decision::line);
    nb::class_<players::Simulated>(m, "Simulated")
        .def_ro("column", &players::Simulated::column)
        .def_ro("mean", &players::Simulated::mean)
        .def_ro("simulations", &players::Simulated::simulations)
        .def_ro("line", &players::Simulated::line);
    nb::class_<players::Level>(m, "Level")
        .def_ro("depth", &players::Level::depth)
        .def_ro("nodes", &players::Level::nodes)
        .def_ro("careless", &players::Level::careless)
        .def_ro("straight", &players::Level::straight)
        .def_ro("slanting", &players::Level::slanting)
        .def_ro("misjudgement", &players::Level::misjudgement)
        .def_ro("looks_on", &players::Level::looks_on)
        .def_ro("parity", &players::Level::parity);
    nb::list all_levels;
    for (const players::Level& level : players::levels) all_levels.append(level);
    m.attr("LEVELS") = nb::tuple(all_levels);
    m.attr("THINKER_BITS") = players::most_bits;

    struct Held {  // what Python holds; which word the board needs is known only when it is made
        std::unique_ptr<Thinker> thinker;
    };
    nb::class_<Held>(m, "Thinker")
        .def(
            "__init__",
            [](Held* self, int width, int height, int run, const std::vector<int>& closed, std::size_t table_bytes) {
                new (self) Held{players::make_thinker({width, height, run}, closed, table_bytes)};
            },
            "width"_a, "height"_a, "run"_a, "closed"_a = std::vector<int>{}, "table_bytes"_a = 1 << 24)
        .def(
            "evaluate",
            [](Held& self, const nb::int_& own, const nb::int_& all, const std::string& evaluation) {
                return self.thinker->evaluate(discs_of(own, all), evaluation);
            },
            "own"_a, "all"_a, "evaluation"_a)
        .def(
            "minimax",
            [](Held& self, const nb::int_& own, const nb::int_& all, int depth, const std::string& evaluation,
               const nb::object& stopped) {
                return while_asking(stopped, {}, [&, discs = discs_of(own, all)](const SearchLimits& limits) {
                    return self.thinker->minimax(discs, depth, evaluation, limits);
                });
            },
            "own"_a, "all"_a, "depth"_a, "evaluation"_a, "stopped"_a = nb::none())
        .def(
            "play",
            [](Held& self, const nb::int_& own, const nb::int_& all, const players::Level& level, std::uint64_t seed,
               const nb::object& stopped) {
                return while_asking(stopped, {}, [&, discs = discs_of(own, all)](const SearchLimits& limits) {
                    return self.thinker->play(discs, level, seed, limits);
                });
            },
            "own"_a, "all"_a, "level"_a, "seed"_a, "stopped"_a = nb::none())
        .def(
            "think",
            [](Held& self, const nb::int_& own, const nb::int_& all, int depth, std::uint64_t nodes, double seconds,
               int threads, const nb::object& stopped) {
                const SearchLimits given{nullptr, threads, nodes, seconds};
                return while_asking(stopped, given, [&, discs = discs_of(own, all)](const SearchLimits& limits) {
                    return self.thinker->think(discs, depth, limits);
                });
            },
            "own"_a, "all"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "seconds"_a = 0.0, "threads"_a = 1,
            "stopped"_a = nb::none())
        .def(
            "simulate",
            [](Held& self, const nb::int_& own, const nb::int_& all, std::uint64_t simulations, std::uint64_t seed,
               double seconds, const nb::object& stopped) {
                const SearchLimits given{nullptr, 1, 0, seconds};
                return while_asking(stopped, given, [&, discs = discs_of(own, all)](const SearchLimits& limits) {
                    return self.thinker->simulate(discs, simulations, seed, limits);
                });
            },
            "own"_a, "all"_a, "simulations"_a, "seed"_a = 0, "seconds"_a = 0.0, "stopped"_a = nb::none())
        .def("forget", [](Held& self) { self.thinker->forget(); });
}

}  // namespace connectk
