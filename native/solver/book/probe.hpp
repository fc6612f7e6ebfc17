// From any number of discs down to the next stored layer: at most three plies of plain search, then stored answers.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "chain.hpp"
#include "format.hpp"

namespace connectk::book {

inline bool is_layer(int discs, int deepest) { return discs <= deepest && (deepest - discs) % layer_step == 0; }

// `Stored` answers for a quiet position that ends the chain of a layer's position: the score for its side to move.
template <typename Stored>
class Probe {
public:
    Probe(const Shape& shape, int deepest, Stored stored)
        : shape_(shape), deepest_(deepest), stored_(std::move(stored)) {
        for (int c = 0; c < shape.width; ++c) centre_first_.push_back(shape.column(c));
        std::stable_sort(centre_first_.begin(), centre_first_.end(), [&](Bits a, Bits b) { return off(a) < off(b); });
    }

    // For an open position of at most `deepest` discs.
    int score(const Discs& position) { return search(position, -shape_.total, shape_.total); }

    // For any open position below a layer, that layer's own answer not asked for: how layers are made.
    int score_from_next_layer(const Discs& position) { return expand(position, -shape_.total, shape_.total); }

private:
    int search(const Discs& position, int alpha, int beta) {
        assert(alpha < beta && position.count() <= deepest_);
        if (is_layer(position.count(), deepest_)) return stored_score(position);
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

    int off(Bits column) const {
        const int at = std::countr_zero(column) / shape_.stride;
        return std::abs(2 * at - (shape_.width - 1));
    }

    const Shape& shape_;
    int deepest_;
    Stored stored_;
    std::vector<Bits> centre_first_;
};

}  // namespace connectk::book
