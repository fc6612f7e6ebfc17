// What an explanation states, before it is put into words. Each statement is checked against the lines of play it
// describes.
#pragma once

#include <optional>
#include <vector>

#include "naming.hpp"

namespace connectk::why {

enum class StatementKind {
    wins,             // `side` completes a line
    holds,            // the other side completes no line
    zugzwang,         // `side` drops into the first cell and loses to a disc in the second, or lost elsewhere before
    zugzwang_in_one,  // the cells are pairs: `side` drops into the first of one pair and loses to a disc in its second, or
                      // lost elsewhere before; it happens for each pair, and the other side gives up `count` of them
    never_all,        // `side` never has discs in all of these cells, which these lines need
    never_completes,  // `side` never completes one of these lines
    threat,           // `side` completes a line in this cell next, unless the other side drops there at once
    fork,             // `side` completes a line next in one of these cells, whatever the other side does
    completes,        // `side` completes a line with a disc in this cell
    loses_at_once,    // if `side` drops into the first cell, the other side completes a line in the second
    best_play,        // one line of best play
    forced,      // `moves` are forced: between the drops of `side`, every reply except the one in `moves` loses at once
    gives_away,  // `side` would complete a line in the second cell; the other side can block once the first is filled
    rest_left,   // `side` is to move; `count` cells are empty, without the cell and those above it
    on_top,      // `side` answers `count` of the page's cells right above them
    ends_at,     // in each line of play `side` completes a line with a disc in one of these cells
    column_wins,  // by the solver: a disc in this cell wins for `side`; with perfect play the last disc has this number
    column_draws,  // neither side can win against perfect play
    column_loses,  // the other side wins
    must_play,     // every column except those of these cells loses, at the latest with the disc of this number
    open_two,      // discs of `side` side by side, between two cells that can be dropped into now
    middle         // the cell's column is part of `count` lines, more than any other column
};
constexpr auto names_of(StatementKind) {
    return std::array{"wins",         "holds",     "zugzwang",  "zugzwang_in_one", "never_all",   "never_completes",
                      "threat",       "fork",      "completes", "loses_at_once",   "best_play",   "forced",
                      "gives_away",   "rest_left", "on_top",    "ends_at",         "column_wins", "column_draws",
                      "column_loses", "must_play", "open_two",  "middle"};
}

// Whether a statement is true in every line of play or only describes one line of play.
enum class Scope { every_line, one_line };
constexpr auto names_of(Scope) { return std::array{"every_line", "one_line"}; }

struct Statement {
    StatementKind kind = StatementKind::wins;
    Side side = Side::first;
    std::vector<Cell> cells{};
    std::vector<StraightLine> lines{};
    int page = 0;               // the keeper follows this page and the pages that it goes on to
    std::vector<int> moves{};   // the moves from the explained position to the board of the statement
    std::vector<int> unless{};  // the rival's next drops with pages of their own: the statement does not cover them
    Scope holds = Scope::every_line;
    std::optional<int> count{}, of{};

    static constexpr bool omits_absent = true;
    static constexpr auto fields() {
        using S = Statement;
        return std::tuple{Field{"kind", &S::kind},     Field{"side", &S::side},   Field{"cells", &S::cells},
                          Field{"lines", &S::lines},   Field{"page", &S::page},   Field{"moves", &S::moves},
                          Field{"unless", &S::unless}, Field{"holds", &S::holds}, Field{"count", &S::count},
                          Field{"of", &S::of}};
    }
};

}  // namespace connectk::why
