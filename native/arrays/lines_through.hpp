// Lines through one disc, walked cell by cell: on a large board that is less work than looking at all of it.
#pragma once

#include <cassert>
#include <cstdint>

namespace connectk::arrays {

// Counts this side's discs that follow the given cell in direction (dc, dr) without a gap, at most `max_steps`.
// `side_at` returns -1 for an empty cell and for a cell outside the board.
template <class Int, class SideAt>
Int reach(const SideAt& side_at, int side, Int column, Int row, Int dc, Int dr, Int max_steps) {
    Int steps = 0;
    while (steps < max_steps && side_at(column += dc, row += dr) == side) ++steps;
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
