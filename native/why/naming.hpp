// Names a board's answers by Victor Allis's rules and lists the lines of the rival that each rule stops.
//
// The nine rules and zugzwang are from his thesis of 1988. They only describe a table of answers to people; the checker
// proves the answers without these names. A rule is named only if its promise was true in every position that the
// checker reached.
#pragma once

#include <optional>
#include <vector>

#include "explain.hpp"
#include "lines_of_play.hpp"
#include "tables.hpp"

namespace connectk::why {

// The rules from simple to complex; a line is listed under the first rule that stops it.
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

// A line: its cells from end to end, also as one bitboard.
struct Line {
    std::vector<int> cells;
    Bits all{0};
};

// A rule that applies on a board. The rival never gets all cells of a group, so the rival cannot complete these lines.
struct AppliedRule {
    RuleName name;
    std::vector<int> cells;
    std::vector<Bits> groups;
    std::vector<const Line*> lines;
};

struct NamedRules {
    std::vector<AppliedRule> rules;
    std::vector<const Line*> unnamed;  // lines of the rival that no rule stops
};

// Names rules on the boards of one variant.
class RuleNamer {
public:
    explicit RuleNamer(const Variant& variant);

    // The rules that these answers follow, with the rival to move. `reached` has the rival's discs of every position
    // that the checker reached; `played` has the ends of the lines of play. With `only` just that rule is named, also
    // for lines that other rules stop.
    NamedRules name(const KeeperBoard<Bits>& board, const Answers& answers, const std::vector<Bits>& reached,
                    const LinesOfPlay& played, std::optional<RuleName> only = {}) const;

    // The lines that these discs complete together with a disc in this cell.
    std::vector<const Line*> completed_lines(const Bits& discs, int cell) const;

private:
    const Sizes<Bits> g_;
    std::vector<Line> lines_;
};

}  // namespace connectk::why
