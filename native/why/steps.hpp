// An explanation as steps: each a board, what to highlight on it, and the facts that Python or the page puts into words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "boards.hpp"
#include "naming.hpp"
#include "statement.hpp"

namespace connectk::why {

enum class StepKind {
    drop,     // the keeper's drop, before the answers
    replies,  // columns of the rival that lead to another page
    always,   // all answers together
    rule,     // one rule with its cells
    answers,  // answers that are not right above the rival's disc
    rest,     // lines that no rule names
    threat,   // a force: a drop with one threat
    fork,     // a force: a drop with two threats
    squeeze,  // a force: a drop without a threat, but every reply except one loses at once
    win,      // a force: the line at the end
    lost,     // every reply loses at once
    shared,   // other replies lead to this page too
    line      // best play in a position without an explanation
};
constexpr auto names_of(StepKind) {
    return std::array{"drop",   "replies", "always", "rule", "answers", "rest", "threat",
                      "double", "squeeze", "win",    "lost", "shared",  "line"};
}

// The facts of a step; each kind has some of these.
struct StepFacts {
    std::optional<int> column{};
    std::optional<std::vector<int>> columns{}, line{};
    std::optional<std::vector<CellAnswer>> answers{};
    std::optional<RuleName> rule{};
    std::optional<std::vector<std::vector<Cell>>> cells{};
    std::optional<int> count{};  // the number of lines

    static constexpr bool omits_absent = true;
    static constexpr auto fields() {
        using Facts = StepFacts;
        return std::tuple{Field{"column", &Facts::column}, Field{"columns", &Facts::columns},
                          Field{"line", &Facts::line},     Field{"answers", &Facts::answers},
                          Field{"rule", &Facts::rule},     Field{"cells", &Facts::cells},
                          Field{"count", &Facts::count}};
    }
};

struct Reply {
    int column = 0, page = 0;

    static constexpr auto fields() { return std::tuple{Field{"column", &Reply::column}, Field{"page", &Reply::page}}; }
};

// One board and one sentence, as it is sent in messages.
struct Step {
    int page = 0;
    std::vector<std::string> board{};  // each column from the bottom up, x and o
    Side side_to_move = Side::first;
    std::optional<Cell> last_drop{};
    StepKind kind = StepKind::drop;
    StepFacts facts{};
    std::vector<Cell> played{};                  // drops from this board on, by alternating sides
    std::vector<std::pair<Cell, Cell>> pairs{};  // the rival's disc and the cell of the keeper's answer
    std::vector<StraightLine> lines{};           // lines that the rival cannot complete, or that the keeper completes
    std::vector<Cell> threats{};                 // the keeper's threats
    std::vector<Reply> replies{};
    std::vector<Statement> statements{};  // what the sentence says

    static constexpr auto fields() {
        return std::tuple{Field{"page", &Step::page},
                          Field{"board", &Step::board},
                          Field{"side_to_move", &Step::side_to_move},
                          Field{"last_drop", &Step::last_drop},
                          Field{"kind", &Step::kind},
                          Field{"facts", &Step::facts},
                          Field{"played", &Step::played},
                          Field{"pairs", &Step::pairs},
                          Field{"lines", &Step::lines},
                          Field{"threats", &Step::threats},
                          Field{"replies", &Step::replies},
                          Field{"statements", &Step::statements}};
    }
};

// A page that play can reach, with the first board on which play reaches it.
struct ShownPage {
    int number = 0;
    std::vector<int> path{};   // drops from the explained position to the page's board
    std::vector<int> force{};  // the drops of both sides; the last drop completes a line of the keeper
    std::vector<Step> steps{};

    static constexpr auto fields() {
        return std::tuple{Field{"number", &ShownPage::number}, Field{"path", &ShownPage::path},
                          Field{"force", &ShownPage::force}, Field{"steps", &ShownPage::steps}};
    }
};

// An explanation that the checker accepted. `reached` has, for each page, the rival's discs of every position reached.
struct CheckedExplanation {
    Variant variant;
    Board position;
    std::optional<Cell> last_drop;
    Side keeper;
    Promise result;
    std::vector<Page> pages;
    std::vector<std::vector<Bits>> reached;
};

// Boards as Python and the page pass them: 16 bytes each, little-endian.
std::vector<Bits> unpack_boards(const unsigned char* bytes, std::size_t size);

// The drops of a force with a reply to each, and the win at the end. A reply blocks a threat; without a threat it is
// the only drop that does not lose at once.
std::vector<int> forced_line(const BoardRules& boards, BoardOnPath here, const std::vector<int>& drops);

// The pages that play can reach, in the order of their numbers.
std::vector<ShownPage> shown_pages(const CheckedExplanation& explanation);

// Best play as one step, for positions without an explanation.
Step line_step(const Variant& variant, const Board& position, std::optional<Cell> last_drop,
               const std::vector<int>& line);

}  // namespace connectk::why
