// What a coach says first about an explanation: at most three sentences, each made of statements that were checked.
#pragma once

#include <vector>

#include "steps.hpp"

namespace connectk::why {

enum class CoachKind {
    win_now,       // the keeper completes a line with the next drop
    must_block,    // the side to move must drop into this cell
    lost,          // every drop of the side to move loses at once
    fork,          // the keeper's drop threatens in two cells
    sequence,      // the keeper's drops; after each of them all replies but one lose at once
    drop,          // the keeper's drop
    beneath,       // a threat of the keeper: a side that drops beneath it gives it up or loses
    several,       // threats of the keeper: in every line the rival drops beneath one of them, or has lost before
    count,         // the count of cells that shows why the rival drops beneath the threat
    endings,       // the cells in which the keeper completes a line, one of them in every line of play
    answers_win,   // the keeper has an answer to everything, and completes a line
    answers_hold,  // the keeper has an answer to everything, and the rival completes no line
    middle,        // for a position without an explanation: the column that is part of most lines
    must_play,     // all columns but these lose soon
    open_two,      // the same, because of two discs with room on both sides
    fates          // the result of each column
};
constexpr auto names_of(CoachKind) {
    return std::array{"win_now", "must_block", "lost",     "fork",    "sequence",    "drop",
                      "beneath", "several",    "count",    "endings", "answers_win", "answers_hold",
                      "middle",  "must_play",  "open_two", "fates"};
}

struct CoachSentence {
    CoachKind kind = CoachKind::drop;
    std::vector<Statement> statements{};

    static constexpr auto fields() {
        return std::tuple{Field{"kind", &CoachSentence::kind}, Field{"statements", &CoachSentence::statements}};
    }
};

std::vector<CoachSentence> coach(const CheckedExplanation& explanation);

// The sentences for a position without an explanation; `columns` has the solver's scores, none for a full column.
std::vector<CoachSentence> coach_columns(const Variant& variant, const Board& position,
                                         const std::vector<std::optional<Bounds>>& columns);

}  // namespace connectk::why
