// Finds the drop that wins a game, in a time that hardly depends on the run.
//
// A disc never leaves the board, so a line stays once it is made. So the search plays all drops without a test, then
// looks once at the whole board, 64 cells at a time. If the board holds a line, bisection over the number of drops
// comes near the drop that made the first line, and only the last few drops are tested one by one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "placement.hpp"

namespace connectk {

/// A cell; its column is counted from the winning disc's column.
struct CellBeside {
    std::ptrdiff_t columns_right;
    std::ptrdiff_t row;

    auto operator<=>(const CellBeside&) const = default;
};

struct Win {
    std::size_t drop;               // index of the winning drop
    std::vector<CellBeside> cells;  // all cells of all lines that the drop completes, sorted by column and row
};

template <class Place>
class LineSearch {
public:
    /// No column may be given more drops than `tallest`.
    LineSearch(const Placement<Place>& placement, std::size_t tallest, std::uint64_t run);

    std::optional<Win> first_win();

private:
    struct Direction {
        int columns, rows;
    };
    static constexpr Direction directions[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

    void lay_out_packed(std::size_t stride);
    void lay_out_ragged();

    void play_until(std::size_t drops);
    void play(std::size_t drop);
    void take_back(std::size_t drop);

    bool line_exists();
    bool line_exists(int side, Direction direction);
    bool join_runs(const std::vector<std::uint64_t>& from, Direction direction, std::size_t distance);
    bool join_ragged_runs(const std::vector<std::uint64_t>& from, Direction direction, std::size_t distance);

    std::vector<CellBeside> lines_through_last_drop() const;
    std::ptrdiff_t reach(std::ptrdiff_t column, std::ptrdiff_t row, Direction direction) const;
    bool is_last_players(std::ptrdiff_t column, std::ptrdiff_t row) const;

    Placement<Place> placement_;
    std::size_t tallest_;
    std::uint64_t run_;

    // Cell (column, row) is bit start_[column] + row. In the packed layout all columns are equally tall, with a spare
    // bit above each column that keeps runs from wrapping into the next column. Otherwise each column has words of its
    // own.
    bool packed_ = true;
    std::vector<std::size_t> start_;
    std::vector<std::size_t> next_;  // the bit of the next disc in each column
    std::vector<std::uint64_t> discs_[2];
    std::vector<std::uint64_t> runs_;  // scratch: the first cells of runs of the length reached so far
    std::size_t played_ = 0;
};

extern template class LineSearch<std::uint32_t>;
extern template class LineSearch<std::uint64_t>;

}  // namespace connectk
