// Lines through one disc, walked cell by cell: on a large board that is less work than looking at all of it.
#pragma once

#include <cassert>
#include <cstdint>

namespace connectk::arrays {

// How many more discs of this side follow, up to `most`. `side_at` is -1 for an empty cell and beyond the board.
template <class Int, class SideAt>
Int reach(const SideAt& side_at, int side, Int column, Int row, Int dc, Int dr, Int most) {
    Int steps = 0;
    while (steps < most && side_at(column += dc, row += dr) == side) ++steps;
    return steps;
}

template <class Int, class SideAt>
bool has_line_through(const SideAt& side_at, int side, Int column, Int row, Int run) {
    assert(run >= 1 && side_at(column, row) == side);
    const Int more = run - 1;
    const auto along = [&](Int dc, Int dr) {
        const Int ahead = reach<Int>(side_at, side, column, row, dc, dr, more);
        return ahead + reach<Int>(side_at, side, column, row, -dc, -dr, more - ahead) >= more;
    };
    return reach<Int>(side_at, side, column, row, 0, -1, more) >= more || along(1, 0) || along(1, 1) || along(1, -1);
}

}  // namespace connectk::arrays
