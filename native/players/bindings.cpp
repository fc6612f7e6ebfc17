// What the players are for Python.
#include <nanobind/nanobind.h>

#include "../describe_python.hpp"
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
    bind_struct<players::Line>(m, "Line");
    bind_struct<players::Decision>(m, "Decision");
    bind_struct<players::Simulated>(m, "Simulated");
    bind_struct<players::Level>(m, "Level");
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
