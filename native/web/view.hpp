// A board of any size for the players' searches: all of it on most boards, a window around the last disc on a vast one.
// The same as connectk/players/view.py, for where there is no Python.
#pragma once

#include <vector>

#include "../players/thinker.hpp"
#include "../witness.hpp"

namespace connectk::web {

struct View {
    Variant size;
    bool whole = true;
    int first_column = 0;
    std::vector<int> closed;  // columns that lie lower than the window
    players::Discs discs;

    static View of(const Witness& board);
};

// The columns worth a look, the nearest to the centre first, left before right.
std::vector<int> centre_first(const Witness& board);

// A column that wins at once, and one in which the other side would; -1 where there is none.
int winning_drop(const Witness& board);
int blocking_drop(const Witness& board);

}  // namespace connectk::web
