// A board of any size for the players' searches: all of it on most boards, a window around the last disc on a vast one.
#pragma once

#include <vector>

#include "../board/game_board.hpp"
#include "thinker.hpp"

namespace connectk::players {

struct View {
    Variant size;
    bool whole = true;
    int first_column = 0;
    std::vector<int> closed;  // columns that lie lower than the window
    Discs discs;

    static View of(const GameBoard& board);
};

// The columns worth a look, the nearest to the centre first, left before right.
std::vector<int> centre_first(const GameBoard& board);

// A column that wins at once, and one in which the other side would; -1 where there is none.
int winning_drop(const GameBoard& board);
int blocking_drop(const GameBoard& board);

}  // namespace connectk::players
