// One board's table of answers, and which of the rival's next columns it leaves to boards of their own, as few as greed
// finds. The explainer asks for it, and so does the search for a whole board (bench/why_whole.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "answers.hpp"

namespace connectk::why {

// The rival's cells, and where each is answered: the first cell that a disc can reach.
using Answers = std::vector<std::pair<int, std::vector<int>>>;

struct AnswerTable {
    std::vector<bool> elsewhere;  // by column
    Answers answers;

    int columns_left() const { return static_cast<int>(std::count(elsewhere.begin(), elsewhere.end(), true)); }
};

template <class G>
Moment<typename G::Word> after_rival(const G& g, const Moment<typename G::Word>& now, int column) {
    using Word = typename G::Word;
    const Word drop = playable(g, now.all()) & (ones<Word>(g.stride) << (column * g.stride));
    return {now.keeper, now.rival | drop};
}

// The rival's columns that do not lose at once.
template <class G>
std::vector<bool> open_columns(const G& g, const Moment<typename G::Word>& now) {
    std::vector<bool> open(g.width, false);
    for (int column = 0; column < g.width; ++column) {
        const auto after = after_rival(g, now, column);
        open[column] = !(after == now) && !any(wins_now(g, after.keeper, after.all()));
    }
    return open;
}

template <class G>
class TableSearch {
public:
    using Word = typename G::Word;
    using Here = Moment<Word>;

    TableSearch(const G& g, bool win, std::uint64_t most_work, Watch& watch)
        : g_(g), win_(win), most_work_(most_work), watch_(watch) {}

    // The columns that need a board of their own, as few as greed finds, and answers for the rest.
    AnswerTable best(const Here& now) {
        AnswerTable table{hopeless(now), {}};
        while (!watch_.over()) {
            int blamed = none;
            if (fill(now, table, blamed)) return table;
            if (blamed == none) break;
            table.elsewhere[blamed] = true;
        }
        return {open_columns(g_, now), {}};
    }

private:
    static constexpr int none = -1;

    // Columns that no table answers even alone.
    std::vector<bool> hopeless(const Here& now) {
        std::vector<bool> found(g_.width, false), all = open_columns(g_, now);
        for (int column = 0; column < g_.width; ++column) {
            if (!all[column]) continue;
            AnswerTable alone{all, {}};
            alone.elsewhere[column] = false;
            int blamed;
            found[column] = !fill(now, alone, blamed);
        }
        return found;
    }

    // Looks for answers to all columns that are not elsewhere; without them says which column was hardest.
    bool fill(const Here& now, AnswerTable& table, int& blamed) {
        std::vector<std::uint64_t> blame(g_.width, 0);
        for (const Word& shut : win_ ? shut_parts(now) : std::vector<Word>{Word{0}}) {
            AnswerSearch<G> search(g_, now, win_, shut, table.elsewhere);
            if (search.run(most_work_, watch_)) return note(search.answers(), table), true;
            for (int column = 0; column < g_.width; ++column) blame[column] += search.blame()[column];
        }
        blamed = most_blamed(now, table, blame);
        return false;
    }

    static void note(const std::vector<std::vector<int>>& answers, AnswerTable& table) {
        for (std::size_t cell = 0; cell < answers.size(); ++cell) {
            if (!answers[cell].empty()) table.answers.push_back({static_cast<int>(cell), answers[cell]});
        }
    }

    int most_blamed(const Here& now, const AnswerTable& table, const std::vector<std::uint64_t>& blame) const {
        int worst = none;
        const std::vector<bool> open = open_columns(g_, now);
        for (int column = 0; column < g_.width; ++column) {
            const bool counts = open[column] && !table.elsewhere[column];
            if (counts && (worst == none || blame[column] > blame[worst])) worst = column;
        }
        return worst;
    }

    // Where the keeper has a threat beneath which the rival must drop in the end: the cell under it and all above, in
    // one column or more, such that the rest is even in number.
    std::vector<Word> shut_parts(const Here& now) const {
        std::vector<Word> columns, parts;
        const Word empty = g_.cells & ~now.all();
        const Word threats = completing_cells(g_, now.keeper) & empty & ~playable(g_, now.all());
        for (int column = 0; column < g_.width; ++column) {
            const Word here = threats & (ones<Word>(g_.stride) << (column * g_.stride));
            if (any(here)) columns.push_back(empty & ~(ones<Word>(lowest_bit(here) - 1)) & part_of(column));
        }
        const std::size_t most = std::min<std::size_t>(columns.size(), 4);
        for (std::size_t chosen = 1; chosen < std::size_t{1} << most; ++chosen) {
            Word part{0};
            for (std::size_t i = 0; i < most; ++i) {
                if (chosen >> i & 1) part |= columns[i];
            }
            if (count_bits(empty & ~part) % 2 == 0) parts.push_back(part);
        }
        parts.push_back(Word{0});  // without such a threat, the keeper may still get one on the way
        return parts;
    }

    Word part_of(int column) const { return g_.cells & (ones<Word>(g_.stride) << (column * g_.stride)); }

    const G& g_;
    const bool win_;
    const std::uint64_t most_work_;
    Watch& watch_;
};

}  // namespace connectk::why
