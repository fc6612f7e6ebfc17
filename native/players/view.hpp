// The part of a board that the players' searches see: the whole board, or a window around the last disc on a huge one.
#pragma once

#include <vector>

#include "../board/game_board.hpp"
#include "thinker.hpp"

namespace connectk::players {

struct View {
    Variant size;
    bool whole = true;
    int first_column = 0;
    std::vector<int> closed;  // columns whose next cell lies below the window
    Discs discs;

    static View of(const GameBoard& board);
};

// The open columns to consider, the nearest to the centre first, left before right; on a huge board those near a disc
// or the centre.
std::vector<int> centre_first(const GameBoard& board);

// A column that wins at once for the side to move, and a column in which the opponent would win; -1 if there is none.
int winning_drop(const GameBoard& board);
int blocking_drop(const GameBoard& board);

}  // namespace connectk::players
