// Lists the positions with a given number of discs. Each position is listed once, and only one of two mirror images.
#pragma once

#include <algorithm>
#include <vector>

#include "shape.hpp"

namespace connectk::book {

// The keys of all open positions (nobody has won) with exactly `discs` discs, ascending.
inline std::vector<Bits> open_positions(const Shape& shape, int discs) {
    assert(discs >= 0);
    std::vector<Bits> level{canonical_key(shape, Discs{})};
    for (int ply = 0; ply < discs; ++ply) {
        std::vector<Bits> next;
        next.reserve(level.size() * static_cast<std::size_t>(shape.width) / 2);
        for (Bits key : level) {
            const Discs position = from_key(shape, key);
            const Bits wins = completing_cells(shape, position.mover);
            for (Bits moves = position.playable(shape) & ~wins; moves; moves &= moves - 1)
                next.push_back(canonical_key(shape, position.drop(moves & -moves)));
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        level = std::move(next);
    }
    return level;
}

}  // namespace connectk::book
