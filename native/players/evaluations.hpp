// Fast versions of the named evaluations. src/connectk/players/evaluations.py defines them; tests compare the two.
#pragma once

#include <cstdint>

#include "geometry.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

using Score = std::int64_t;

// The numbers of windows without a disc of the opponent that lack one, two or three discs.
struct OpenWindows {
    int one = 0, two = 0, three = 0;
};

template <class Word>
OpenWindows count_windows(const Geometry<Word>& g, const Word& discs, const Word& others) {
    OpenWindows count;
    with_run(g.run, [&](auto run) {
        for (std::size_t i = 0; i < g.steps.size(); ++i) {
            Word none = g.windows[i], one{}, two{}, three{};  // windows by their number of empty cells so far
            for (int place = 0; place < run; ++place) {
                const int shift = place * g.steps[i];
                const Word mine = discs >> shift, open = ~(mine | others >> shift);
                three = (three & mine) | (two & open);
                two = (two & mine) | (one & open);
                one = (one & mine) | (none & open);
                none &= mine;
            }
            count.one += count_bits(one);
            count.two += count_bits(two);
            count.three += count_bits(three);
        }
    });
    if (g.run < 2) count.one = 0;
    if (g.run < 3) count.two = 0;
    if (g.run < 4) count.three = 0;
    return count;
}

template <class Word>
Score windows_of(const Geometry<Word>& g, const Word& discs, const Word& others) {
    const OpenWindows count = count_windows(g, discs, others);
    return 10 * count.one + 2 * count.two;
}

template <class Word>
Score centre_of(const Geometry<Word>& g, const Word& discs) {
    Score sum = 0;
    for (const auto& [worth, cells] : g.cells_by_windows) sum += worth * count_bits(discs & cells);
    return sum;
}

template <class Word>
Score lines_of(const Geometry<Word>& g, const Word& discs) {
    constexpr int max_counted_run = 10;
    Score sum = 0;
    for (const int step : g.all_steps) {
        if (step >= bits_in<Word>) continue;  // the board has only one column
        Word starts = discs & ~(discs << step);
        Score more = 1;  // what this length adds to the worth of a run one disc shorter
        for (int length = 2; length <= max_counted_run && (length - 1) * step < bits_in<Word>; ++length) {
            starts &= discs >> ((length - 1) * step);
            if (!any(starts)) break;
            sum += more * count_bits(starts);
            more = length == 2 ? 4 : more * 5;
        }
    }
    return sum;
}

// The value of a position for the side to move.
template <class Word>
Score evaluate(const Geometry<Word>& g, const Board<Word>& board, Evaluation evaluation) {
    const Word own = board.own, other = board.other();
    const bool all = evaluation == Evaluation::combined;
    Score score = 0;
    if (all || evaluation == Evaluation::windows) score += windows_of(g, own, other) - windows_of(g, other, own);
    if (all || evaluation == Evaluation::centre) score += centre_of(g, own) - centre_of(g, other);
    if (all || evaluation == Evaluation::lines) score += lines_of(g, own) - lines_of(g, other);
    return score;
}

}  // namespace connectk::players::CONNECTK_BUILD
