// Names for the answers of a board: Victor Allis's rules, and the lines of the rival that each of them stops.
//
// The nine rules are those of his thesis of 1988. They only tell a person what a table of answers does. The proof is the
// checker's, which knows none of these names; and a rule is named only where its promise was kept in every position that
// the checker came to.
#pragma once

#include <optional>
#include <vector>

#include "explain.hpp"
#include "tables.hpp"

namespace connectk::why {

// From the plainest to the most involved: a line is told with the first rule that stops it.
enum class RuleName {
    zugzwang,
    claimeven,
    baseinverse,
    vertical,
    aftereven,
    lowinverse,
    highinverse,
    baseclaim,
    before,
    specialbefore
};
constexpr auto names_of(RuleName) {
    return std::array{"zugzwang",   "claimeven",   "baseinverse", "vertical", "aftereven",
                      "lowinverse", "highinverse", "baseclaim",   "before",   "specialbefore"};
}

// Cells from end to end, also as one word.
struct Line {
    std::vector<int> cells;
    Bits all{0};
};

// One rule at work: the rival never gets all cells of a group, which stops these lines.
struct AppliedRule {
    RuleName name;
    std::vector<int> cells;
    std::vector<Bits> groups;
    std::vector<const Line*> lines;
};

struct NamedRules {
    std::vector<AppliedRule> rules;
    int unnamed = 0;  // lines of the rival that no rule stops
};

// Names rules on the boards of one variant.
class RuleNamer {
public:
    explicit RuleNamer(const Variant& variant);

    // The rules that these answers amount to, the rival to move. `reached` has the rival's discs of every position that
    // the checker came to. `only` asks for one rule, also for lines that others stop.
    NamedRules name(const Moment<Bits>& board, const Answers& answers, const std::vector<Bits>& reached,
                    std::optional<RuleName> only = {}) const;

private:
    const Sizes<Bits> g_;
    std::vector<Line> lines_;
};

}  // namespace connectk::why
