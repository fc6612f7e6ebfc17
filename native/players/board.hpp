// A board as the players see it: bit column * (height + 1) + row, row 0 at the bottom. The spare bit above each column
// stops a run from wrapping into the next.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "board/variant.hpp"
#include "words.hpp"

namespace connectk::engine::CONNECTK_BUILD {

inline constexpr int longest_run = 32;  // a longer run is never made or stopped by looking ahead

template <class Word>
struct Geometry {
    int width, height, run, stride;
    int room;                                  // how many cells there are
    std::vector<int> steps;                    // directions in which a run fits: up, right, falling, rising
    std::vector<Word> windows;                 // for each such step: the first cells of all windows of `run` cells
    std::vector<int> all_steps;                // all four
    std::vector<int> order;                    // columns, the nearest to the centre first, left before right
    std::vector<std::pair<int, Word>> worths;  // cells by the number of windows they lie in
    std::vector<Word> columns;
    Word bottom{};  // the lowest cell of each column that may be played
    Word cells{};

    // `closed` columns take no disc: they lie lower than the part of the board that is seen.
    Geometry(const Variant& v, const std::vector<int>& closed)
        : width(v.width),
          height(v.height),
          run(v.run),
          stride(v.height + 1),
          room(v.cells()),
          all_steps{1, stride, stride - 1, stride + 1} {
        for (int column = 0; column < width; ++column) add_column(column);
        for (const int column : closed) bottom &= ~columns[std::size_t(column)];
        if (run <= longest_run) add_steps();
        add_order();
        add_worths();
    }

    int column_of(int bit) const { return bit / stride; }

private:
    void add_column(int column) {
        Word cells_of_column{};
        for (int row = 0; row < height; ++row) cells_of_column |= bit_at<Word>(column * stride + row);
        columns.push_back(cells_of_column);
        cells |= cells_of_column;
        bottom |= bit_at<Word>(column * stride);
    }

    void add_steps() {
        if (height >= run) add_step(1);
        if (width >= run) add_step(stride);
        if (width >= run && height >= run) add_step(stride - 1);
        if (width >= run && height >= run) add_step(stride + 1);
    }

    void add_step(int step) {
        Word starts = cells;
        for (int i = 1; i < run; ++i) starts &= cells >> (i * step);
        steps.push_back(step);
        windows.push_back(starts);
    }

    void add_order() {
        for (int column = 0; column < width; ++column) order.push_back(column);
        const auto distance = [this](int column) { return std::abs(2 * column - width + 1); };
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return distance(a) < distance(b); });
    }

    void add_worths() {
        std::vector<Word> by_worth(std::size_t(4 * run + 1));
        Word left = cells;
        while (any(left)) {
            const int cell = take_lowest(left);
            by_worth[std::size_t(worth_of(cell))] |= bit_at<Word>(cell);
        }
        for (int worth = 1; worth <= 4 * run; ++worth)
            if (any(by_worth[std::size_t(worth)])) worths.emplace_back(worth, by_worth[std::size_t(worth)]);
    }

    int worth_of(int cell) const {
        int worth = 0;
        for (std::size_t i = 0; i < steps.size(); ++i)
            for (int place = 0; place < run && place * steps[i] <= cell; ++place)
                worth += any(windows[i] & bit_at<Word>(cell - place * steps[i]));
        return worth;
    }
};

template <class Word>
struct Board {
    Word own{};  // discs of the side to move
    Word all{};

    Word other() const { return own ^ all; }
    Board after(Word move) const { return {own ^ all, all | move}; }
    bool operator==(const Board&) const = default;
};

// The cells where a disc may be dropped.
template <class Word>
Word playable(const Geometry<Word>& g, const Board<Word>& board) {
    return (board.all << 1 | g.bottom) & ~board.all & g.cells;
}

// Calls `work(run)` with the run as a constant for the usual games, so that loops over it are unrolled.
template <class Work>
auto with_run(int run, const Work& work) {
    if (run == 4) return work(std::integral_constant<int, 4>{});
    if (run == 5) return work(std::integral_constant<int, 5>{});
    return work(run);
}

// Whether these discs hold a run.
template <class Word>
bool has_run(const Geometry<Word>& g, const Word& discs) {
    for (const int step : g.steps) {
        Word starts = discs;
        int length = 1;  // of the runs that start in `starts`
        for (; 2 * length <= g.run; length *= 2) starts &= starts >> (length * step);
        if (length < g.run) starts &= starts >> ((g.run - length) * step);
        if (any(starts)) return true;
    }
    return false;
}

// Empty cells in which a disc would complete a run of these discs.
template <class Word>
Word completing(const Geometry<Word>& g, const Word& discs, const Word& all) {
    if (g.run == 1) return g.cells & ~all;
    return with_run(g.run, [&](auto run) {
        Word found{};
        Word starts[longest_run];  // [n]: where a run of n discs starts
        for (const int step : g.steps) {
            starts[0] = ~Word{};
            starts[1] = discs;
            for (int n = 2; n < run; ++n) starts[n] = starts[n - 1] & discs >> ((n - 1) * step);
            for (int before = 0; before < run; ++before) {
                const Word below = starts[before] << (before * step);
                const Word above = starts[run - 1 - before] >> step;
                found |= (before ? below : starts[0]) & (before < run - 1 ? above : starts[0]);
            }
        }
        return found & g.cells & ~all;
    });
}

}  // namespace connectk::engine::CONNECTK_BUILD
