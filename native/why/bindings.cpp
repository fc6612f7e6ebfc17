// What explanations are for Python.
#include <nanobind/nanobind.h>

#include <string>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "boards.hpp"
#include "plan.hpp"
#include "steps.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

using namespace why;

namespace {

std::vector<Bits> unpacked(const nb::bytes& packed) {
    return why::unpacked(reinterpret_cast<const unsigned char*>(packed.c_str()), packed.size());
}

// A rule at work, for who wants to know what it promises: the rival never gets all cells of a group.
struct NamedRule {
    RuleName rule;
    std::vector<std::vector<Cell>> groups;
    std::vector<StraightLine> lines;

    static constexpr auto fields() {
        return std::tuple{Field{"rule", &NamedRule::rule}, Field{"groups", &NamedRule::groups},
                          Field{"lines", &NamedRule::lines}};
    }
};

// And how many lines of the rival no rule stops; the rival is to move.
std::pair<std::vector<NamedRule>, int> named_rules(int width, int height, int run, const nb::int_& own,
                                                   const nb::int_& all, const Page& page, const nb::bytes& reached,
                                                   std::optional<RuleName> only) {
    const Variant variant{width, height, run};
    const Board position{bits_of(own), bits_of(all)};
    const Boards boards(variant, other_than(side_to_move(position)));
    const Here here = boards.start(position, std::nullopt);
    const NamedRules named = RuleNamer(variant).name(here.discs, boards.answers_of(page), unpacked(reached), only);
    std::vector<NamedRule> rules;
    for (const AppliedRule& rule : named.rules) {
        NamedRule& told = rules.emplace_back(NamedRule{rule.name, {}, {}});
        for (const Bits& group : rule.groups) told.groups.push_back(boards.cells_of(group));
        for (const Line* line : rule.lines) told.lines.push_back(boards.cells_of(line->all));
    }
    return {rules, named.unnamed};
}

}  // namespace

void bind_why(nb::module_& m) {
    bind_struct<Page>(m, "Page").def(
        "__init__",
        [](Page* self, std::optional<int> drop, const std::vector<int>& force, const std::vector<CellAnswer>& answers,
           const std::vector<std::pair<int, int>>& replies) { new (self) Page{drop, force, answers, replies}; },
        "drop"_a.none(), "force"_a, "answers"_a, "replies"_a);
    bind_struct<Claim>(m, "Claim");
    bind_struct<Attempt>(m, "Attempt");
    bind_struct<StepFacts>(m, "StepFacts");
    bind_struct<Reply>(m, "Reply");
    bind_struct<Step>(m, "Step");
    bind_struct<ShownPage>(m, "ShownPage");
    bind_struct<NamedRule>(m, "NamedRule");
    m.def("named_rules", &named_rules, "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "page"_a, "reached"_a,
          "only"_a.none() = nb::none());
    nb::class_<ExplanationPlan>(m, "ExplanationPlan")
        .def(nb::init<double>(), "seconds"_a)
        .def_prop_ro("solver_seconds", &ExplanationPlan::solver_seconds)
        .def(
            "consider",
            [](ExplanationPlan& self, int lower, int upper, Side to_move, std::optional<Side> keeper) {
                self.consider(Bounds{lower, upper}, to_move, keeper);
            },
            "lower"_a, "upper"_a, "to_move"_a, "keeper"_a.none())
        .def("next", &ExplanationPlan::next);
    m.def(
        "explain",
        [](Solver& solver, const nb::int_& own, const nb::int_& all, Side keeper, Promise promise, int max_boards,
           double seconds, const StopFlag* stop) {
            const Board position{bits_of(own), bits_of(all)};
            const SearchLimits limits{stop ? &stop->raised : nullptr, 1, 0, seconds};
            nb::gil_scoped_release without_python;
            return why::explain(solver, position, {keeper, promise}, {max_boards}, limits);
        },
        "solver"_a, "own"_a, "all"_a, nb::kw_only(), "keeper"_a, "promise"_a, "max_boards"_a, "seconds"_a,
        "stop"_a = nb::none());
    m.def(
        "shown_pages",
        [](int width, int height, int run, const nb::int_& own, const nb::int_& all, std::optional<Cell> last_drop,
           Side keeper, const std::vector<Page>& pages, const std::vector<nb::bytes>& reached) {
            CheckedExplanation explanation{
                {width, height, run}, {bits_of(own), bits_of(all)}, last_drop, keeper, pages, {}};
            for (const nb::bytes& boards : reached) explanation.reached.push_back(unpacked(boards));
            nb::gil_scoped_release without_python;
            return why::shown_pages(explanation);
        },
        "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "last_drop"_a.none(), "keeper"_a, "pages"_a, "reached"_a);
    m.def(
        "line_step",
        [](int width, int height, int run, const nb::int_& own, const nb::int_& all, std::optional<Cell> last_drop,
           const std::vector<int>& line) {
            return why::line_step({width, height, run}, {bits_of(own), bits_of(all)}, last_drop, line);
        },
        "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "last_drop"_a.none(), "line"_a);
}

}  // namespace connectk
