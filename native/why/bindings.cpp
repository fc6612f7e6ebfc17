// Explanations for Python.
#include <nanobind/nanobind.h>

#include <string>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "boards.hpp"
#include "coach.hpp"
#include "plan.hpp"
#include "steps.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

using namespace why;

namespace {

std::vector<Bits> unpack_boards(const nb::bytes& packed) {
    return why::unpack_boards(reinterpret_cast<const unsigned char*>(packed.c_str()), packed.size());
}

// A rule and its promise: the rival never gets all cells of a group.
struct NamedRule {
    RuleName rule;
    std::vector<std::vector<Cell>> groups;
    std::vector<StraightLine> lines;

    static constexpr auto fields() {
        return std::tuple{Field{"rule", &NamedRule::rule}, Field{"groups", &NamedRule::groups},
                          Field{"lines", &NamedRule::lines}};
    }
};

// The rules on a board with the rival to move, and the number of the rival's lines that no rule stops. Without
// `reached` a rule is named by its shape alone.
std::pair<std::vector<NamedRule>, int> named_rules(int width, int height, int run, const nb::int_& own,
                                                   const nb::int_& all, const Page& page, const nb::bytes& reached,
                                                   std::optional<RuleName> only) {
    const Variant variant{width, height, run};
    const Board position{bits_of(own), bits_of(all)};
    const BoardRules boards(variant, other_than(side_to_move(position)));
    const BoardOnPath here = boards.start(position, std::nullopt);
    const Answers answers = boards.answers_of(page);
    LinesOfPlay played = play_out(Sizes<Bits>(variant), page, answers, here.discs);
    if (!reached.size()) played.lost.clear();
    const NamedRules named = RuleNamer(variant).name(here.discs, answers, unpack_boards(reached), played, only);
    std::vector<NamedRule> rules;
    for (const AppliedRule& rule : named.rules) {
        NamedRule& named_rule = rules.emplace_back(NamedRule{rule.name, {}, {}});
        for (const Bits& group : rule.groups) named_rule.groups.push_back(boards.cells_of(group));
        for (const Line* line : rule.lines) named_rule.lines.push_back(boards.cells_of(line->all));
    }
    return {rules, int(named.unnamed.size())};
}

}  // namespace

void bind_why(nb::module_& m) {
    bind_struct<Page>(m, "Page").def(
        "__init__",
        [](Page* self, std::optional<int> drop, const std::vector<int>& force, const std::vector<CellAnswer>& answers,
           const std::vector<std::pair<int, int>>& replies) { new (self) Page{drop, force, answers, replies}; },
        "drop"_a.none(), "force"_a, "answers"_a, "replies"_a);
    bind_struct<Claim>(m, "Claim");
    bind_struct<Proposal>(m, "Proposal");
    bind_struct<StepFacts>(m, "StepFacts");
    bind_struct<Reply>(m, "Reply");
    bind_struct<Statement>(m, "Statement");
    bind_struct<CoachSentence>(m, "CoachSentence");
    bind_struct<Step>(m, "Step");
    bind_struct<ShownPage>(m, "ShownPage");
    bind_struct<NamedRule>(m, "NamedRule");
    m.def("named_rules", &named_rules, "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "page"_a, "reached"_a,
          "only"_a.none() = nb::none());
    nb::class_<ExplanationPlan>(m, "ExplanationPlan")
        .def(nb::init<double>(), "seconds"_a)
        .def_prop_ro("solver_seconds", &ExplanationPlan::solver_seconds)
        .def(
            "add_claims",
            [](ExplanationPlan& self, int lower, int upper, Side to_move, std::optional<Side> keeper) {
                self.add_claims(Bounds{lower, upper}, to_move, keeper);
            },
            "lower"_a, "upper"_a, "to_move"_a, "keeper"_a.none())
        .def(
            "next",
            [](ExplanationPlan& self, Solver& solver, const nb::int_& own, const nb::int_& all, int max_boards,
               const StopFlag* stop) {
                const Board position{bits_of(own), bits_of(all)};
                const SearchLimits limits{stop ? &stop->raised : nullptr, 1, 0, 0};
                nb::gil_scoped_release without_python;
                return self.next(solver, position, {max_boards}, limits);
            },
            "solver"_a, "own"_a, "all"_a, nb::kw_only(), "max_boards"_a, "stop"_a = nb::none());
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
                {width, height, run}, {bits_of(own), bits_of(all)}, last_drop, keeper, Promise::holds, pages, {}};
            for (const nb::bytes& boards : reached) explanation.reached.push_back(unpack_boards(boards));
            nb::gil_scoped_release without_python;
            return why::shown_pages(explanation);
        },
        "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "last_drop"_a.none(), "keeper"_a, "pages"_a, "reached"_a);
    m.def(
        "coach",
        [](int width, int height, int run, const nb::int_& own, const nb::int_& all, std::optional<Cell> last_drop,
           Side keeper, Promise promise, const std::vector<Page>& pages) {
            const CheckedExplanation explanation{
                {width, height, run}, {bits_of(own), bits_of(all)}, last_drop, keeper, promise, pages, {}};
            nb::gil_scoped_release without_python;
            return why::coach(explanation);
        },
        "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "last_drop"_a.none(), "keeper"_a, "promise"_a, "pages"_a);
    m.def(
        "coach_columns",
        [](Solver& solver, const nb::int_& own, const nb::int_& all, double seconds, const StopFlag* stop) {
            const Board position{bits_of(own), bits_of(all)};
            const SearchLimits limits{stop ? &stop->raised : nullptr, 1, 0, seconds};
            nb::gil_scoped_release without_python;
            return coach_columns(solver.variant(), position, solver.score_columns(position, Goal::score, limits));
        },
        "solver"_a, "own"_a, "all"_a, nb::kw_only(), "seconds"_a, "stop"_a = nb::none());
    m.def(
        "line_step",
        [](int width, int height, int run, const nb::int_& own, const nb::int_& all, std::optional<Cell> last_drop,
           const std::vector<int>& line) {
            return why::line_step({width, height, run}, {bits_of(own), bits_of(all)}, last_drop, line);
        },
        "width"_a, "height"_a, "run"_a, "own"_a, "all"_a, "last_drop"_a.none(), "line"_a);
}

}  // namespace connectk
