// Searches from a position to the next stored layer, at most three plies ahead, and reads the stored answers there.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "chain.hpp"
#include "format.hpp"

namespace connectk::book {

inline bool is_layer(int discs, int max_discs) { return discs <= max_discs && (max_discs - discs) % layer_step == 0; }

// `Stored` returns the score of a quiet position at the end of a chain from a stored layer, for its side to move.
template <typename Stored>
class Probe {
public:
    Probe(const Shape& shape, int max_discs, Stored stored)
        : shape_(shape), max_discs_(max_discs), stored_(std::move(stored)) {
        for (int c = 0; c < shape.width; ++c) centre_first_.push_back(shape.column(c));
        std::stable_sort(centre_first_.begin(), centre_first_.end(),
                         [&](Bits a, Bits b) { return centre_distance(a) < centre_distance(b); });
    }

    // The score of an open position of at most `deepest` discs.
    int score(const Discs& position) { return search(position, -shape_.total, shape_.total); }

    // The score of an open position from the next layer alone, even if its own layer is stored; layers are made this
    // way.
    int score_from_next_layer(const Discs& position) { return expand(position, -shape_.total, shape_.total); }

private:
    int search(const Discs& position, int alpha, int beta) {
        assert(alpha < beta && position.count() <= max_discs_);
        if (is_layer(position.count(), max_discs_)) return stored_score(position);
        return expand(position, alpha, beta);
    }

    int stored_score(const Discs& position) {
        const ChainEnd end = follow_chain(shape_, position);
        if (end.decided) return end.score;
        const int score = stored_(end.quiet);
        return end.replies % 2 ? -score : score;
    }

    int expand(const Discs& position, int alpha, int beta) {
        const Bits playable = position.playable(shape_);
        const int discs = position.count();
        if (playable == 0) return 0;
        if (completing_cells(shape_, position.mover) & playable) return win_score(shape_, discs + 1);
        const Bits safe = safe_drops(shape_, position);
        if (safe == 0) return -win_score(shape_, discs + 2);
        int best = -shape_.total;
        for (Bits column : centre_first_) {
            if ((safe & column) == 0) continue;
            best = std::max(best, -search(position.drop(safe & column), -beta, -std::max(alpha, best)));
            if (best >= beta) break;
        }
        return best;
    }

    int centre_distance(Bits column) const {
        const int at = std::countr_zero(column) / shape_.stride;
        return std::abs(2 * at - (shape_.width - 1));
    }

    const Shape& shape_;
    int max_discs_;
    Stored stored_;
    std::vector<Bits> centre_first_;
};

}  // namespace connectk::book
