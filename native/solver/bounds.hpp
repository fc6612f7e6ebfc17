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
//
// Loose cells. The follower may choose which loose cell answers which, so the leader gets one of each pair: a window that
// needs both is not his. Asked only on boards of up to 64 bits and of even height no higher than the run, where it saves
// 5 to 16% of the nodes; elsewhere it saves too few.
#pragma once

#include <array>

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

// Whether the position is quiet in this sense and its threats and number of discs fit its board.
template <class G>
bool is_quiet(const G& g, const Position<G>& p) {
    const auto opp = p.all ^ p.own, empty = g.cells & ~p.all, playable = (p.all + g.bottom) & g.cells;
    return g.can_show(p.own, p.all) && p.discs == count_bits(p.all) && !has_line(g, p.own) && !has_line(g, opp) &&
           p.own_threats == (completing_cells(g, p.own) & empty) &&
           p.opp_threats == (completing_cells(g, opp) & empty) && !any((p.own_threats | p.opp_threats) & playable);
}

// In each column, all cells above the lowest cell of `word`. v ^ -v is everything above the lowest bit of v; the spare
// bit keeps the subtraction's borrow inside the column.
template <class G>
typename G::Word above(const G& g, typename G::Word word) {
    return (word ^ ((g.bottom << g.height) - word)) & g.cells;
}

template <class G>
class Bounder {
public:
    using Word = typename G::Word;

    explicit Bounder(const G& g) : g_(g) {}

    // An upper bound below `goal` for the side to move, or `goal` if no such bound is found. Without forced inlining
    // the compiler splits the search differently, which makes it a tenth slower.
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
        if (traps) bound = -win_with_disc(g_.total, g_.total - cells_left_at_end(traps));
        else if (goal == 0 && has_line(g_, opp | uppers)) bound = -1;
        const Word leaders = p.own | (empty & ~uppers & ~above(g_, traps));
        if (bound < goal && !leader_gets_line(leaders, empty & (p.all + g_.bottom) & g_.uppers)) return bound;
        return below_by_two_threats(p, empty, uppers, goal);
    }

    CONNECTK_INLINE int below_by_zugzwang(const Position<G>& p, Word empty, Word uppers, int goal) const {
        for (Word threats = lower_threats(p); threats; threats &= threats - 1) {
            const int bound = below_with_threats(p, empty, uppers, threats & -threats, goal);
            if (bound < goal) return bound;
        }
        return goal > 0 && !has_line(g_, p.own | empty) ? 0 : goal;
    }

    CONNECTK_INLINE int below_by_two_threats(const Position<G>& p, Word empty, Word uppers, int goal) const {
        for (Word threats = lower_threats(p); threats; threats &= threats - 1) {
            for (Word others = threats & (threats - 1); others; others &= others - 1) {
                assert(columns_of(threats & -threats) != columns_of(others & -others));
                const int bound = below_with_threats(p, empty, uppers, (threats & -threats) | (others & -others), goal);
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

    // The bound if the cells from right under these threats upwards are filled last.
    CONNECTK_INLINE int below_with_threats(const Position<G>& p, Word empty, Word uppers, Word threats,
                                           int goal) const {
        const Word beyond = threats | above(g_, threats);
        const Word columns = columns_of(threats);
        const Word traps = p.opp_threats & uppers & ~columns;
        const int left = count_bits(beyond | (threats >> 1)) - 2 + (traps ? 2 + cells_left_at_end(traps) : 0);
        const int bound = -win_with_disc(g_.total, g_.total - left);
        if (bound >= goal) return goal;
        const Word playable = p.all + g_.bottom;
        const Word follower = (uppers & ~columns) | (empty & columns & ~g_.uppers & ~playable);
        const Word leaders = p.own | (empty & ~beyond & ~follower & ~above(g_, traps));
        return leader_gets_line(leaders, leaders & playable & (g_.uppers ^ columns)) ? goal : bound;
    }

    // Whether the leader may get a line among these cells. Of each pair of loose cells the leader gets only one.
    CONNECTK_INLINE bool leader_gets_line(Word cells, Word loose) const {
        if (!has_line(g_, cells)) return false;
        const bool pays = bits_in<Word> <= 64 && g_.height <= g_.run && g_.height % 2 == 0;
        return !pays || !more_than_one(loose) || has_line(g_, cells & ~loose) || !can_pair(cells, loose);
    }

    // Whether loose cells can be paired so that each line among these cells needs both cells of a pair.
    bool can_pair(Word cells, Word loose) const {
        const int steps[] = {1, g_.stride - 1, g_.stride, g_.stride + 1};
        std::array<Word, 4> lines{};  // by their first cells
        for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = lines_along_step(cells, steps[i]);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            while (lines[i]) {
                const Word free = windows_from(lines[i] & -lines[i], steps[i], g_.run) & loose;
                if (!more_than_one(free)) return false;
                const Word one = free & -free, other = (free ^ one) & -(free ^ one);
                loose &= ~(one | other);
                for (std::size_t k = i; k < lines.size(); ++k) {
                    lines[k] &= ~(windows_to(one, steps[k], g_.run) & windows_to(other, steps[k], g_.run));
                }
            }
        }
        return true;
    }

    Word lines_along_step(Word cells, int step) const {
        const bool fits = (step == 1 || g_.fits_across()) && (step == g_.stride || g_.fits_upright());
        return fits ? lines_along(cells, step, g_.run) : Word{0};
    }

    // All cells of the columns that contain one of these cells. The subtraction clears the spare bit of every other
    // column.
    Word columns_of(Word cells) const {
        const Word spares = g_.bottom << g_.height;
        const Word spare = ((cells | spares) - g_.bottom) & spares;
        return spare - (spare >> g_.height);
    }

    // The number of cells left at the end: in columns with a trap, the cells from under the trap upwards stay empty
    // until the leader runs out of moves. The leader then plays under a trap and the follower right above.
    int cells_left_at_end(Word traps) const { return count_bits(above(g_, traps) | traps | (traps >> 1)) - 2; }

    const G& g_;
};

}  // namespace connectk::inline CONNECTK_BUILD
