// Board geometry for the players' searches: directions of lines, where windows start, and the order of columns.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "board/lines.hpp"

namespace connectk::players::CONNECTK_BUILD {

inline constexpr int max_searched_run = 32;  // no search can reach a longer run

template <class WordType>
struct Geometry : Sizes<WordType> {
    using Word = WordType;
    std::vector<int> steps;      // directions in which a run fits: up, right, falling, rising
    std::vector<Word> windows;   // for each of these steps, the first cells of all windows of `run` cells
    std::vector<int> all_steps;  // the steps of all four directions
    std::vector<int> order;      // columns, the nearest to the centre first, left before right
    std::vector<std::pair<int, Word>> cells_by_windows;  // for each count, the cells that lie in that many windows
    std::vector<Word> columns;

    // `closed` columns take no disc: their next cell lies below the window.
    Geometry(const Variant& v, const std::vector<int>& closed)
        : Sizes<Word>(v), all_steps{1, this->stride, this->stride - 1, this->stride + 1} {
        for (int column = 0; column < this->width; ++column)
            columns.push_back(ones<Word>(this->height) << (column * this->stride));
        for (const int column : closed) this->bottom &= ~columns[std::size_t(column)];
        if (this->run <= max_searched_run) add_steps();
        add_order();
        count_windows_through_cells();
    }

private:
    void add_steps() {
        if (this->fits_upright()) add_step(1);
        if (this->fits_across()) add_step(this->stride);
        if (this->fits_upright() && this->fits_across()) {
            add_step(this->stride - 1);
            add_step(this->stride + 1);
        }
    }

    void add_step(int step) {
        steps.push_back(step);
        windows.push_back(lines_along(this->cells, step, this->run));
    }

    void add_order() {
        for (int column = 0; column < this->width; ++column) order.push_back(column);
        const auto distance = [this](int column) { return std::abs(2 * column - this->width + 1); };
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return distance(a) < distance(b); });
    }

    void count_windows_through_cells() {
        std::vector<Word> by_count(std::size_t(4 * this->run + 1));
        Word left = this->cells;
        while (any(left)) {
            const int cell = take_lowest(left);
            by_count[std::size_t(windows_through(cell))] |= bit_at<Word>(cell);
        }
        for (int worth = 1; worth <= 4 * this->run; ++worth)
            if (any(by_count[std::size_t(worth)])) cells_by_windows.emplace_back(worth, by_count[std::size_t(worth)]);
    }

    int windows_through(int cell) const {
        int worth = 0;
        for (std::size_t i = 0; i < steps.size(); ++i)
            for (int place = 0; place < this->run && place * steps[i] <= cell; ++place)
                worth += any(windows[i] & bit_at<Word>(cell - place * steps[i]));
        return worth;
    }
};

template <class Word>
struct Board {
    Word own{};  // discs of the side to move
    Word all{};

    Word other() const { return own ^ all; }
    Board after(Word move) const {
        assert(any(move) && !more_than_one(move) && !any(all & move));
        return {own ^ all, all | move};
    }
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

template <class Word, class Run>
Word completing_along(const Word& discs, int step, Run run) {
    if (step == 1) return completing_upright(discs, run);
    if constexpr (std::is_same_v<Run, std::integral_constant<int, 4>>) return almost_fours_along(discs, step);
    else return almost_lines_along(discs, step, run);
}

// Empty cells in which a disc would complete a run of these discs. `filter(i, cells)` keeps those that
// a handicapped player sees along the i-th step.
template <class Word, class Filter>
Word completing(const Geometry<Word>& g, const Word& discs, const Word& all, const Filter& filter) {
    return with_run(g.run, [&](auto run) {
        Word found{};
        for (std::size_t i = 0; i < g.steps.size(); ++i) found |= filter(i, completing_along(discs, g.steps[i], run));
        return found & g.cells & ~all;
    });
}

template <class Word>
Word completing(const Geometry<Word>& g, const Word& discs, const Word& all) {
    return completing(g, discs, all, [](std::size_t, const Word& along) { return along; });
}

}  // namespace connectk::players::CONNECTK_BUILD
