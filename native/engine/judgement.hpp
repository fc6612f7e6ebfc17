// What the timed search thinks of a quiet board: open windows, and threats with the rows that suit them.
//
// When only one column is left, the players fill it in turn from the bottom. Who drops into its odd rows is settled by
// how many cells all other columns have together: on the classic board first gets rows 1, 3, 5 and second 2, 4, 6. A
// threat in a row that is one's own will be carried out in the end; in the other's row it only keeps the other away.
#pragma once

#include "evaluations.hpp"

namespace connectk::engine::CONNECTK_BUILD {

// Empty cells that complete a run, of the side to move and of the other.
template <class Word>
struct Threats {
    Word own{}, other{};
};

struct Weights {
    int one = 2, two = 8, three = 2;  // open windows by the discs they lack
    int threat = 8, suited = 45, stacked = 60;
};

template <class Word>
Word cells_above(const Geometry<Word>& g, Word cells) {
    Word above = cells << 1 & g.cells;
    for (int rows = 1; rows < g.height; rows *= 2) {
        Word higher = above;
        for (int i = 0; i < rows; ++i) higher = higher << 1 & g.cells;
        above |= higher;
    }
    return above;
}

template <class Word>
int judge_threats(const Geometry<Word>& g, const Word& threats, const Word& hindered, const Word& suited, const Weights& w) {
    const Word useful = threats & ~hindered;
    return w.threat * count_bits(useful) + w.suited * count_bits(useful & suited) +
           w.stacked * count_bits(useful & (threats << 1) & g.cells);
}

// For the side to move.
template <class Word>
int judge(const Geometry<Word>& g, const Board<Word>& board, const Threats<Word>& threats, bool first_to_move,
          const Weights& w) {
    const Lacking own = count_windows(g, board.own, board.other());
    const Lacking other = count_windows(g, board.other(), board.own);
    int score = w.one * (own.one - other.one) + w.two * (own.two - other.two) + w.three * (own.three - other.three);
    if (any(threats.own | threats.other)) {
        const bool first_has_odd = (g.width - 1) * g.height % 2 == 0;
        const Word own_rows = first_to_move == first_has_odd ? g.odd_rows : g.cells & ~g.odd_rows;
        const Word other_rows = g.cells & ~own_rows;
        score += judge_threats(g, threats.own, cells_above(g, threats.other & other_rows), own_rows, w) -
                 judge_threats(g, threats.other, cells_above(g, threats.own & own_rows), other_rows, w);
    }
    return score;
}

}  // namespace connectk::engine::CONNECTK_BUILD
