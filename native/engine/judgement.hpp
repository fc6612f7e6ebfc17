// What the timed search thinks of a quiet board: open windows, threats, and who is in zugzwang in the end.
#pragma once

#include <algorithm>

#include "evaluations.hpp"
#include "thinker.hpp"

namespace connectk::engine::CONNECTK_BUILD {

// Empty cells that complete a run, of the side to move and of the other.
template <class Word>
struct Threats {
    Word own{}, other{};
};

struct Weights {
    int one = 2, two = 8, three = 2;  // open windows by the discs they lack
    int threat = 8;
    int zugzwang = 300;  // for who wins when the harmless cells are filled, on a full board; less on an emptier one
};

// Who wins if no new threat comes up: 1 the side to move, -1 the other, 0 neither.
//
// Both sides fill the harmless cells first. Whoever must then move drops a disc beneath a threat: beneath one of the
// other's, and loses, or beneath one of its own, which the other blocks, and the cells above it become playable. On the
// classic board this is the old rule that first wants threats in odd rows and second in even ones.
template <class Word>
class Filling {
public:
    Filling(const Geometry<Word>& g, const Board<Word>& board, const Threats<Word>& threats)
        : g_(g), threats_{threats.own, threats.other} {
        Word cells = playable(g, board);
        while (any(cells)) rise_to(take_lowest(cells));
    }

    int winner() {
        for (int turn = 0;;) {  // 0: the side to move
            if (harmless_ % 2) turn = 1 - turn;
            harmless_ = 0;
            if (count_ == 0) return 0;
            int* const end = waiting_ + count_;
            int* const given_up = std::find_if(waiting_, end, [&](int cell) {
                return is_threat(turn, cell) && !is_threat(1 - turn, cell);
            });
            if (given_up == end) return turn == 0 ? -1 : 1;
            int cell = *given_up + 1;  // the threat itself is blocked
            *given_up = waiting_[--count_];
            for (int blocker = turn; is_inside(cell); ++cell, blocker = 1 - blocker) {
                if (is_threat(blocker, cell)) return blocker == 0 ? 1 : -1;
                if (!is_threat(1 - blocker, cell)) break;
                turn = 1 - turn;  // it had to be blocked
            }
            if (is_inside(cell)) rise_to(cell);
        }
    }

private:
    bool is_inside(int cell) const { return any(g_.cells & bit_at<Word>(cell)); }
    bool is_threat(int side, int cell) const { return any(threats_[side] & bit_at<Word>(cell)); }

    // The column is filled up to below this cell: what follows is harmless up to the cell beneath the next threat.
    void rise_to(int cell) {
        const int end = (g_.column_of(cell) + 1) * g_.stride - 1;
        const Word threats = (threats_[0] | threats_[1]) >> cell;
        const int threat = any(threats) ? cell + lowest_bit(threats) : end;
        harmless_ += threat < end ? threat - cell - 1 : end - cell;
        if (threat < end) waiting_[count_++] = threat;
    }

    const Geometry<Word>& g_;
    Word threats_[2];
    int harmless_ = 0;
    int waiting_[most_bits / 2];  // the lowest threat of each column that has one
    int count_ = 0;
};

// For the side to move.
template <class Word>
int judge(const Geometry<Word>& g, const Board<Word>& board, const Threats<Word>& threats, const Weights& w) {
    const Lacking own = count_windows(g, board.own, board.other());
    const Lacking other = count_windows(g, board.other(), board.own);
    int score = w.one * (own.one - other.one) + w.two * (own.two - other.two) + w.three * (own.three - other.three);
    if (any(threats.own | threats.other)) {
        score += w.threat * (count_bits(threats.own) - count_bits(threats.other));
        score += w.zugzwang * Filling<Word>(g, board, threats).winner() * count_bits(board.all) / g.room;
    }
    return score;
}

}  // namespace connectk::engine::CONNECTK_BUILD
