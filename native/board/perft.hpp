// Counts games and positions. Published counts for many boards show that the rules are implemented correctly.
#pragma once

#include <cstdint>
#include <vector>

#include "variant.hpp"

namespace connectk {

// The number of move sequences of exactly `depth` discs; a finished game is not continued.
std::uint64_t perft(Variant variant, int depth);

// The numbers of distinct positions after 0, 1, ... `depth` discs, finished games included.
std::vector<std::uint64_t> count_positions(Variant variant, int depth);

}  // namespace connectk
