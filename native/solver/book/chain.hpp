// Positions without a real choice: a win with the next disc, a forced reply, or a loss that cannot be stopped.
//
// The book stores nothing for a position that is decided here, and one answer for all positions whose forced replies
// lead to the same quiet position.
#pragma once

#include <unordered_set>

#include "shape.hpp"

namespace connectk::book {

struct ChainEnd {
    bool decided = false;
    int score = 0;    // if decided: the score of the first position for its side to move
    Discs quiet;      // if not decided: the position in which a choice remains
    int replies = 0;  // the number of forced drops between the first position and the end of the chain
};

// The score of a win whose last disc has the number `last_disc` in the game.
inline int win_score(const Shape& shape, int last_disc) { return win_with_disc(shape.total, last_disc); }

// The drops after which the opponent cannot win with the next disc. The mover must not have a win with this drop.
inline Bits safe_drops(const Shape& shape, const Discs& position) {
    const Bits playable = position.playable(shape);
    assert((completing_cells(shape, position.mover) & playable) == 0);
    const Bits threats = completing_cells(shape, position.other);
    const Bits urgent = threats & playable;
    if (urgent & (urgent - 1)) return 0;
    return (urgent ? urgent : playable) & ~(threats >> 1);
}

// Plays forced replies until the game is decided or a choice remains. No side may have a line yet.
inline ChainEnd follow_chain(const Shape& shape, Discs position) {
    assert(!has_line(shape, position.mover) && !has_line(shape, position.other));
    for (int replies = 0;; ++replies) {
        const auto decided = [&](int score) { return ChainEnd{true, replies % 2 ? -score : score, {}, replies}; };
        const Bits playable = position.playable(shape);
        const int discs = position.count();
        if (playable == 0) return decided(0);
        if (completing_cells(shape, position.mover) & playable) return decided(win_score(shape, discs + 1));
        const Bits safe = safe_drops(shape, position);
        if (safe == 0) return decided(-win_score(shape, discs + 2));
        if (safe & (safe - 1)) return {false, 0, position, replies};
        position = position.drop(safe);
    }
}

namespace detail {
inline bool undo_to_empty(const Discs& position, std::unordered_set<Bits>& dead_ends) {
    if (position.all() == 0) return true;
    if (dead_ends.contains(position.all())) return false;
    const Bits tops = position.all() & ~(position.all() >> 1);
    for (Bits last = tops & position.other; last; last &= last - 1) {
        const Bits cell = last & -last;
        if (undo_to_empty({position.other ^ cell, position.mover}, dead_ends)) return true;
    }
    dead_ends.insert(position.all());
    return false;
}
}  // namespace detail

// Whether some order of alternating drops leads to this board. A book has no scores for other boards. As the book
// stores no keys, it would not notice and would give a meaningless score.
inline bool reachable_by_play(const Discs& position) {
    std::unordered_set<Bits> dead_ends;
    return detail::undo_to_empty(position, dead_ends);
}

}  // namespace connectk::book
