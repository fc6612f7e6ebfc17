#include "view.hpp"

#include <algorithm>
#include <cstdlib>

namespace connectk::web {
namespace {

constexpr int widest = 32;  // columns of a window
constexpr int wide = 64;    // columns; on a wider board only those near a disc or the centre are looked at

void set(std::vector<std::uint64_t>& words, int bit) {
    if (words.size() <= std::size_t(bit / 64)) words.resize(std::size_t(bit / 64) + 1);
    words[std::size_t(bit / 64)] |= std::uint64_t(1) << (bit % 64);
}

players::Discs discs_of(const Witness& board, int left, int bottom, int width, int height) {
    players::Discs discs;
    for (int column = 0; column < width; ++column) {
        for (int row = 0; row < std::min(board.height_of(left + column) - bottom, height); ++row) {
            const int bit = column * (height + 1) + row;
            set(discs.all, bit);
            if (board.disc_at({left + column, bottom + row}) == board.side_to_move()) set(discs.own, bit);
        }
    }
    return discs;
}

bool is_near(const Witness& board, int column) {
    const auto [width, height, run] = board.variant();
    if (std::abs(column - width / 2) <= 2) return true;
    const int reach = std::min(run, wide) - 1;
    for (int at = std::max(0, column - reach); at <= std::min(width - 1, column + reach); ++at)
        if (board.height_of(at) > 0) return true;
    return false;
}

bool wins(const Witness& board, int column, int side) {
    return board.can_drop(column) && !board.lines_through({column, board.height_of(column)}, side).empty();
}

int first_that_wins(const Witness& board, int side) {
    for (const int column : centre_first(board))
        if (wins(board, column, side)) return column;
    return -1;
}

}  // namespace

View View::of(const Witness& board) {
    const auto [board_width, board_height, run] = board.variant();
    if (board_width * (board_height + 1) <= players::most_bits)
        return {board.variant(), true, 0, {}, discs_of(board, 0, 0, board_width, board_height)};
    const int width = std::min(board_width, widest);
    const int height = std::min(board_height, players::most_bits / width - 1);
    const Cell middle = board.last().value_or(Cell{board_width / 2, 0});
    const int left = std::max(0, std::min(middle.first - width / 2, board_width - width));
    const int bottom = std::max(0, std::min(middle.second - height / 2, board_height - height));
    std::vector<int> closed;
    for (int column = 0; column < width; ++column)
        if (board.height_of(left + column) < bottom) closed.push_back(column);
    return {{width, height, std::min(run, players::most_bits)},
            false,
            left,
            closed,
            discs_of(board, left, bottom, width, height)};
}

std::vector<int> centre_first(const Witness& board) {
    const int width = board.variant().width;
    std::vector<int> columns;
    for (int column = 0; column < width; ++column)
        if (board.can_drop(column) && (width <= wide || is_near(board, column))) columns.push_back(column);
    std::stable_sort(columns.begin(), columns.end(),
                     [&](int a, int b) { return std::abs(2 * a - width + 1) < std::abs(2 * b - width + 1); });
    for (int column = 0; columns.empty() && column < width; ++column)
        if (board.can_drop(column)) columns.push_back(column);
    return columns;
}

int winning_drop(const Witness& board) { return first_that_wins(board, board.side_to_move()); }
int blocking_drop(const Witness& board) { return first_that_wins(board, 1 - board.side_to_move()); }

}  // namespace connectk::web
