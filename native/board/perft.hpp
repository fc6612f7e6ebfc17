// Counts of games and positions, known from elsewhere for many boards: they show that the rules here are the rules.
#pragma once

#include <cstdint>
#include <vector>

#include "variant.hpp"

namespace connectk {

// Sequences of moves of exactly this many discs; a finished game goes no further.
std::uint64_t perft(Variant variant, int depth);

// Distinct positions after 0, 1, ... depth discs, finished ones included.
std::vector<std::uint64_t> count_positions(Variant variant, int depth);

}  // namespace connectk
