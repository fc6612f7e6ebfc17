// What the timed search thinks of a quiet board: open windows, threats, and who is in zugzwang in the end.
#pragma once

#include "evaluations.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

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
        for (;;) {
            if (harmless_ % 2) turn_ = 1 - turn_;
            harmless_ = 0;
            if (count_ == 0) return 0;
            const int given_up = take_own_threat();
            if (given_up < 0) return win_of(1 - turn_);
            if (const int result = climb_from(given_up + 1)) return result;
        }
    }

private:
    static int win_of(int side) { return side == 0 ? 1 : -1; }
    bool is_inside(int cell) const { return any(g_.cells & bit_at<Word>(cell)); }
    bool is_threat(int side, int cell) const { return any(threats_[side] & bit_at<Word>(cell)); }

    // A threat of the side whose turn it is, and not of both; -1 when there is none.
    int take_own_threat() {
        for (int i = 0; i < count_; ++i) {
            const int cell = waiting_[i];
            if (!is_threat(turn_, cell) || is_threat(1 - turn_, cell)) continue;
            waiting_[i] = waiting_[--count_];
            return cell;
        }
        return -1;
    }

    // The side whose turn it is may drop here, right above the threat it gave up: it wins there, or blocks, or neither.
    int climb_from(int cell) {
        for (; is_inside(cell); ++cell, turn_ = 1 - turn_) {
            if (is_threat(turn_, cell)) return win_of(turn_);
            if (!is_threat(1 - turn_, cell)) {
                rise_to(cell);
                break;
            }
        }
        return 0;
    }

    // The column is filled up to below this cell: what follows is harmless up to the cell beneath the next threat.
    void rise_to(int cell) {
        const int end = (g_.column_of(cell) + 1) * g_.stride - 1;
        const Word threats = (threats_[0] | threats_[1]) >> cell;
        const int threat = any(threats) ? cell + lowest_bit(threats) : end;
        harmless_ += threat < end ? threat - cell - 1 : end - cell;
        assert(count_ < g_.width);
        if (threat < end) waiting_[count_++] = threat;
    }

    const Geometry<Word>& g_;
    Word threats_[2];
    int turn_ = 0;  // 0: the side to move
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
        score += w.zugzwang * Filling<Word>(g, board, threats).winner() * count_bits(board.all) / g.total;
    }
    return score;
}

}  // namespace connectk::players::CONNECTK_BUILD
