// The rules that the solver's driver needs, for any board that the solver supports.
#pragma once

#include <cassert>
#include <optional>

#include "../board/lines.hpp"
#include "../board/scores.hpp"
#include "solver.hpp"

namespace connectk {

// The sizes of a board, without the masks that a search needs.
struct Outline {
    using Word = Bits;
    int width, height, run, stride;

    explicit Outline(const Variant& v) : width(v.width), height(v.height), run(v.run), stride(v.height + 1) {}
    bool fits_across() const { return width >= run; }
    bool fits_upright() const { return height >= run; }
};

inline bool last_disc_won(const Variant& v, const Board& board) { return has_line(Outline(v), board.all ^ board.own); }

inline bool is_over(const Variant& v, const Board& board) {
    return count_bits(board.all) == v.cells() || last_disc_won(v, board);
}

// The board after a drop, seen by the side that moves next; nothing if the column is full.
inline std::optional<Board> drop(const Variant& v, const Board& board, int column) {
    assert(column >= 0 && column < v.width);
    const int foot = column * (v.height + 1);
    const Bits cell = (board.all + bit_at<Bits>(foot)) & (ones<Bits>(v.height) << foot);
    if (!any(cell)) return std::nullopt;
    return Board{board.all ^ board.own, board.all | cell};
}

}  // namespace connectk
