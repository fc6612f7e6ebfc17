#include "view.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace connectk::players {
namespace {

constexpr int max_window_width = 32;  // the number of columns in a window
constexpr int max_full_width = 64;    // a wider board only considers columns near a disc or the centre

void set(std::vector<std::uint64_t>& words, int bit) {
    if (words.size() <= std::size_t(bit / 64)) words.resize(std::size_t(bit / 64) + 1);
    words[std::size_t(bit / 64)] |= std::uint64_t(1) << (bit % 64);
}

Discs discs_of(const GameBoard& board, int left, int bottom, int width, int height) {
    Discs discs;
    for (int column = 0; column < width; ++column) {
        for (int row = 0; row < std::min(board.height_of(left + column) - bottom, height); ++row) {
            const int bit = column * (height + 1) + row;
            set(discs.all, bit);
            if (board.disc_at({left + column, bottom + row}) == board.side_to_move()) set(discs.own, bit);
        }
    }
    return discs;
}

// All columns, or on a wide board the columns near a disc or the centre.
std::set<int> candidate_columns(const GameBoard& board) {
    const int width = board.variant().width, reach = std::min(board.variant().run, max_full_width) - 1;
    std::set<int> columns;
    const auto add = [&](int from, int to) {
        for (int column = std::max(0, from); column <= std::min(width - 1, to); ++column) columns.insert(column);
    };
    if (width <= max_full_width) add(0, width - 1);
    else add(width / 2 - 2, width / 2 + 2);
    for (const int column : board.occupied_columns())
        if (width > max_full_width) add(column - reach, column + reach);
    return columns;
}

bool wins(const GameBoard& board, int column, int side) {
    return board.can_drop(column) && !board.lines_through({column, board.height_of(column)}, side).empty();
}

int first_winning_column(const GameBoard& board, int side) {
    for (const int column : centre_first(board))
        if (wins(board, column, side)) return column;
    return -1;
}

}  // namespace

View View::of(const GameBoard& board) {
    const auto [board_width, board_height, run] = board.variant();
    if (std::int64_t(board_width) * (board_height + 1) <= max_board_bits)
        return {board.variant(), true, 0, {}, discs_of(board, 0, 0, board_width, board_height)};
    const int width = std::min(board_width, max_window_width);
    const int height = std::min(board_height, max_board_bits / width - 1);
    const Cell middle = board.last().value_or(Cell{board_width / 2, 0});
    const int left = std::max(0, std::min(middle.first - width / 2, board_width - width));
    const int bottom = std::max(0, std::min(middle.second - height / 2, board_height - height));
    std::vector<int> closed;
    for (int column = 0; column < width; ++column)
        if (board.height_of(left + column) < bottom) closed.push_back(column);
    return {{width, height, std::min(run, max_board_bits)},
            false,
            left,
            closed,
            discs_of(board, left, bottom, width, height)};
}

std::vector<int> centre_first(const GameBoard& board) {
    const int width = board.variant().width;
    const std::set<int> candidates = candidate_columns(board);
    auto right = candidates.lower_bound(width / 2), left = right;  // the next columns on each side of the centre
    std::vector<int> columns;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool has_left = left != candidates.begin(), has_right = right != candidates.end();
        const bool goes_left = has_left && (!has_right || width - 1 - *std::prev(left) <= *right);
        const int column = goes_left ? *--left : *right++;
        if (board.can_drop(column)) columns.push_back(column);
    }
    for (int column = 0; columns.empty() && column < width; ++column)
        if (board.can_drop(column)) columns.push_back(column);
    return columns;
}

int winning_drop(const GameBoard& board) { return first_winning_column(board, board.side_to_move()); }
int blocking_drop(const GameBoard& board) { return first_winning_column(board, 1 - board.side_to_move()); }

}  // namespace connectk::players
