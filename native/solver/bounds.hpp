// Bounds that need no search.
//
// Following. Let the side to move be the leader, the other the follower. If an even number of cells is empty, the
// follower can answer every disc in the same column: columns fill by pairs from the top, and the follower gets the
// upper cell of each pair ('upper' below). Columns with an odd number of empty cells have one loose cell at the
// bottom; there is an even number of those, and a loose cell is answered by another loose cell.
//
//      row 5   F F F F F F F       F: the follower's for sure        o: the leader's at best
//      row 4   o o o o o o o
//      row 3   F F F F F F F       So if the leader has no line left in what is his and what is not the follower's,
//      row 2   o o o . o o o       he cannot win; and where the follower has a threat on an upper cell, the leader
//      row 1   F F F x F F F       can never enter the pair, gets nothing above it, and in the end must: he loses.
//      row 0   o o o x o o o
//
// Zugzwang. If an odd number of cells is empty, the follower needs one threat on a lower cell t. Leave out t, the cell
// under it and all above: what remains is even, so the other side runs out of moves there and must play under t.
// In the meantime the follower follows, now with the pairs of that column counted from t downwards. If the number is
// even, two such threats in different columns do the same.
#pragma once

#include "board/lines.hpp"
#include "board/scores.hpp"

namespace connectk::inline CONNECTK_BUILD {

// A position in which neither side can win at once and no reply is forced.
template <class G>
struct Position {
    typename G::Word own;          // discs of the side to move
    typename G::Word all;          // discs of both
    typename G::Word own_threats;  // empty cells that would complete a line of the side to move
    typename G::Word opp_threats;  // the same for the opponent
    int discs;
};

// Whether it is one, with threats and discs that follow from what lies there.
template <class G>
bool is_quiet(const G& g, const Position<G>& p) {
    const auto opp = p.all ^ p.own, empty = g.cells & ~p.all, playable = (p.all + g.bottom) & g.cells;
    return g.can_show(p.own, p.all) && p.discs == count_bits(p.all) && !has_line(g, p.own) && !has_line(g, opp) &&
           p.own_threats == (completing_cells(g, p.own) & empty) &&
           p.opp_threats == (completing_cells(g, opp) & empty) && !any((p.own_threats | p.opp_threats) & playable);
}

// Every cell above the lowest cell of `word` in its column. The spare bit lends to the subtraction, so that it stays
// inside the column; v ^ -v is all above the lowest bit of v.
template <class G>
typename G::Word above(const G& g, typename G::Word word) {
    return (word ^ ((g.bottom << g.height) - word)) & g.cells;
}

template <class G>
class Bounder {
public:
    using Word = typename G::Word;

    explicit Bounder(const G& g) : g_(g) {}

    // An upper bound for the side to move below `goal`, or `goal` if there is none to be had. Inlined by force: left to
    // itself the compiler splits the search elsewhere and loses a tenth.
    CONNECTK_INLINE int below(const Position<G>& p, int goal) const {
        assert(is_quiet(g_, p));
        const Word empty = g_.cells & ~p.all;
        const Word playable = p.all + g_.bottom;
        const Word uppers = g_.uppers & empty & ~playable;
        if ((g_.total - p.discs) % 2 == 0) return below_by_following(p, empty, uppers, goal);
        return below_by_zugzwang(p, empty, uppers, goal);
    }

    // Whether these discs and all empty cells together hold no line.
    bool no_line_left(Word discs, Word all) const { return !has_line(g_, discs | (g_.cells & ~all)); }

private:
    CONNECTK_INLINE int below_by_following(const Position<G>& p, Word empty, Word uppers, int goal) const {
        const Word opp = p.all ^ p.own;
        const Word traps = p.opp_threats & uppers;
        int bound = 0;
        if (traps) bound = -win_with_disc(g_.total, g_.total - left_at_the_end(traps));
        else if (goal == 0 && has_line(g_, opp | uppers)) bound = -1;
        if (bound < goal && !has_line(g_, p.own | (empty & ~uppers & ~above(g_, traps)))) return bound;
        return below_by_two_threats(p, empty, uppers, goal);
    }

    CONNECTK_INLINE int below_by_zugzwang(const Position<G>& p, Word empty, Word uppers, int goal) const {
        for (Word threats = lower_threats(p); threats; threats &= threats - 1) {
            const int bound = below_beside(p, empty, uppers, threats & -threats, goal);
            if (bound < goal) return bound;
        }
        return goal > 0 && !has_line(g_, p.own | empty) ? 0 : goal;
    }

    CONNECTK_INLINE int below_by_two_threats(const Position<G>& p, Word empty, Word uppers, int goal) const {
        for (Word threats = lower_threats(p); threats; threats &= threats - 1) {
            for (Word others = threats & (threats - 1); others; others &= others - 1) {
                assert(columns_of(threats & -threats) != columns_of(others & -others));
                const int bound = below_beside(p, empty, uppers, (threats & -threats) | (others & -others), goal);
                if (bound < goal) return bound;
            }
        }
        return goal;
    }

    // The follower's lowest threat on a lower cell in each column.
    Word lower_threats(const Position<G>& p) const {
        const Word threats = p.opp_threats & ~g_.uppers;
        return threats & ~above(g_, threats);
    }

    // Everything from the cell under these threats up is left out until the leader has nothing else.
    CONNECTK_INLINE int below_beside(const Position<G>& p, Word empty, Word uppers, Word threats, int goal) const {
        const Word beyond = threats | above(g_, threats);
        const Word columns = columns_of(threats);
        const Word traps = p.opp_threats & uppers & ~columns;
        const int left = count_bits(beyond | (threats >> 1)) - 2 + (traps ? 2 + left_at_the_end(traps) : 0);
        const int bound = -win_with_disc(g_.total, g_.total - left);
        if (bound >= goal) return goal;
        const Word playable = p.all + g_.bottom;
        const Word follower = (uppers & ~columns) | (empty & columns & ~g_.uppers & ~playable);
        const Word leaders = p.own | (empty & ~beyond & ~follower & ~above(g_, traps));
        return has_line(g_, leaders) ? goal : bound;
    }

    // All cells of these cells' columns. The spare bits lend to the subtraction; only where there is a cell to take from
    // is the spare bit left.
    Word columns_of(Word cells) const {
        const Word spares = g_.bottom << g_.height;
        const Word spare = ((cells | spares) - g_.bottom) & spares;
        return spare - (spare >> g_.height);
    }

    // With a trap in some columns, those columns from the cell under the trap up are what is left when the leader runs
    // out of moves; he then plays under a trap and the follower above him.
    int left_at_the_end(Word traps) const { return count_bits(above(g_, traps) | traps | (traps >> 1)) - 2; }

    const G& g_;
};

}  // namespace connectk::inline CONNECTK_BUILD
