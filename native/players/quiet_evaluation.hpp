// The timed search's evaluation of a quiet board: open windows, threats, and who ends up in zugzwang.
#pragma once

#include "evaluations.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

// The empty cells that complete a run of the side to move, and those that complete a run of the other side.
template <class Word>
struct Threats {
    Word own{}, other{};
};

struct QuietWeights {
    int one = 2, two = 8, three = 2;  // the worth of an open window that lacks one, two or three discs
    int threat = 8;
    int zugzwang = 300;  // the worth of winning the zugzwang playout on a full board; an emptier board scales it down
};

// Who wins if no new threat comes up: 1 the side to move, -1 the other, 0 neither.
//
// Both sides fill the harmless cells first. The side that must move after that drops a disc beneath a threat. If the
// threat is the opponent's, this side loses. If the threat is its own, the opponent blocks it and the cells above
// become playable. On the classic board this is the well-known rule that first wants threats in odd rows and second in
// even rows.
template <class Word>
class ZugzwangPlayout {
public:
    ZugzwangPlayout(const Geometry<Word>& g, const Board<Word>& board, const Threats<Word>& threats)
        : g_(g), threats_{threats.own, threats.other} {
        Word cells = playable(g, board);
        while (any(cells)) count_harmless_from(take_lowest(cells));
    }

    int winner() {
        for (;;) {
            if (harmless_ % 2) turn_ = 1 - turn_;
            harmless_ = 0;
            if (count_ == 0) return 0;
            const int given_up = take_own_threat();
            if (given_up < 0) return win_of(1 - turn_);
            if (const int result = play_up_from(given_up + 1)) return result;
        }
    }

private:
    static int win_of(int side) { return side == 0 ? 1 : -1; }
    bool is_inside(int cell) const { return any(g_.cells & bit_at<Word>(cell)); }
    bool is_threat(int side, int cell) const { return any(threats_[side] & bit_at<Word>(cell)); }

    // Removes and returns a threat of the side to move that is not also the opponent's; -1 if there is none.
    int take_own_threat() {
        for (int i = 0; i < count_; ++i) {
            const int cell = threat_cells_[i];
            if (!is_threat(turn_, cell) || is_threat(1 - turn_, cell)) continue;
            threat_cells_[i] = threat_cells_[--count_];
            return cell;
        }
        return -1;
    }

    // Plays on from the cell right above a given-up threat while each disc wins or blocks; 0 if nobody wins.
    int play_up_from(int cell) {
        for (; is_inside(cell); ++cell, turn_ = 1 - turn_) {
            if (is_threat(turn_, cell)) return win_of(turn_);
            if (!is_threat(1 - turn_, cell)) {
                count_harmless_from(cell);
                break;
            }
        }
        return 0;
    }

    // Counts the harmless cells from this one up to the cell beneath the column's next threat.
    void count_harmless_from(int cell) {
        const int end = (g_.column_of(cell) + 1) * g_.stride - 1;
        const Word threats = (threats_[0] | threats_[1]) >> cell;
        const int threat = any(threats) ? cell + lowest_bit(threats) : end;
        harmless_ += threat < end ? threat - cell - 1 : end - cell;
        assert(count_ < g_.width);
        if (threat < end) threat_cells_[count_++] = threat;
    }

    const Geometry<Word>& g_;
    Word threats_[2];
    int turn_ = 0;  // 0: the side to move
    int harmless_ = 0;
    int threat_cells_[max_board_bits / 2];  // the lowest threat of each column that has a threat
    int count_ = 0;
};

// The estimate of a quiet board for the side to move.
template <class Word>
int evaluate_quiet(const Geometry<Word>& g, const Board<Word>& board, const Threats<Word>& threats,
                   const QuietWeights& w) {
    const OpenWindows own = count_windows(g, board.own, board.other());
    const OpenWindows other = count_windows(g, board.other(), board.own);
    int score = w.one * (own.one - other.one) + w.two * (own.two - other.two) + w.three * (own.three - other.three);
    if (any(threats.own | threats.other)) {
        score += w.threat * (count_bits(threats.own) - count_bits(threats.other));
        score += w.zugzwang * ZugzwangPlayout<Word>(g, board, threats).winner() * count_bits(board.all) / g.total;
    }
    return score;
}

}  // namespace connectk::players::CONNECTK_BUILD
