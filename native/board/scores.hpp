// Scores, seen from the side to move: 0 is a draw, a win scores more the sooner it comes, a loss is the negative.
#pragma once

#include "portable.hpp"

namespace connectk::inline CONNECTK_BUILD {

// The score of a win with the n-th disc of the game on a board with `cells` cells.
CONNECTK_HOST_DEVICE int win_with_disc(int cells, int n) { return (cells + 2 - n) >> 1; }

}  // namespace connectk::inline CONNECTK_BUILD
