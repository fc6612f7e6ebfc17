// An explanation step by step: a board, what to look at on it, and the facts of a sentence that a host puts into words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "naming.hpp"

namespace connectk::why {

enum class StepKind {
    drop,     // the keeper's, before the answers
    replies,  // columns of the rival that have a board of their own
    always,   // all answers together
    rule,     // the cells where one rule holds
    answers,  // those that are not simply right above
    rest,     // lines that no rule names
    threat,   // of a force: one threat,
    fork,     // two of them,
    win,      // and the line at the end
    line      // best play, where nothing is explained
};
constexpr auto names_of(StepKind) {
    return std::array{"drop", "replies", "always", "rule", "answers", "rest", "threat", "double", "win", "line"};
}

// What a step tells of; each kind has some of these.
struct StepFacts {
    std::optional<int> column{};
    std::optional<std::vector<int>> columns{}, line{};
    std::optional<std::vector<CellAnswer>> answers{};
    std::optional<RuleName> rule{};
    std::optional<std::vector<std::vector<Cell>>> cells{};
    std::optional<int> count{};  // of lines

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

// One board and one sentence, as messages have it.
struct Step {
    int page = 0;
    std::vector<std::string> board{};  // each column from the bottom up, x and o
    Side side_to_move = Side::first;
    std::optional<Cell> last_drop{};
    StepKind kind = StepKind::drop;
    StepFacts facts{};
    std::vector<Cell> played{};                  // drops from this board on, the sides taking turns
    std::vector<std::pair<Cell, Cell>> pairs{};  // the rival's disc, and where it is answered
    std::vector<StraightLine> lines{};           // that the rival will not complete, or that the keeper does
    std::vector<Cell> threats{};                 // of the keeper
    std::vector<Reply> replies{};

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
                          Field{"replies", &Step::replies}};
    }
};

// A page that play can get to, with the first board that it is reached on.
struct ShownPage {
    int number = 0;
    std::vector<int> path{};   // drops from the explained position to the page's board
    std::vector<int> force{};  // the drops of both, the last one completing a line of the keeper
    std::vector<Step> steps{};

    static constexpr auto fields() {
        return std::tuple{Field{"number", &ShownPage::number}, Field{"path", &ShownPage::path},
                          Field{"force", &ShownPage::force}, Field{"steps", &ShownPage::steps}};
    }
};

// An explanation that the checker has accepted. `reached` has, by page, the rival's discs of every position that it came to.
struct CheckedExplanation {
    Variant variant;
    Board position;
    std::optional<Cell> last_drop;
    Side keeper;
    std::vector<Page> pages;
    std::vector<std::vector<Bits>> reached;
};

// Boards as hosts hand them over: 16 bytes each, the lowest first.
std::vector<Bits> unpacked(const unsigned char* bytes, std::size_t size);

// By number.
std::vector<ShownPage> shown_pages(const CheckedExplanation& explanation);

// Best play as one step, where there is no explanation.
Step line_step(const Variant& variant, const Board& position, std::optional<Cell> last_drop,
               const std::vector<int>& line);

}  // namespace connectk::why
