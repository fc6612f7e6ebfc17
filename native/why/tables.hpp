// Searches for one board's table of answers. If there is no such table, it splits off columns of the rival's next drop
// onto boards of their own, chosen greedily. The explainer and the search for a whole board (bench/why_whole.hpp) use
// it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "answers.hpp"

namespace connectk::why {

// The rival's cells with their answers, in order of preference.
using Answers = std::vector<std::pair<int, std::vector<int>>>;

struct AnswerTable {
    std::vector<bool> split_off;  // by column
    Answers answers;

    int split_off_count() const { return static_cast<int>(std::count(split_off.begin(), split_off.end(), true)); }
};

template <class G>
KeeperBoard<typename G::Word> after_rival(const G& g, const KeeperBoard<typename G::Word>& now, int column) {
    using Word = typename G::Word;
    const Word drop = playable(g, now.all()) & (ones<Word>(g.stride) << (column * g.stride));
    return {now.keeper, now.rival | drop};
}

// The rival's open columns after which the keeper does not win at once.
template <class G>
std::vector<bool> open_columns(const G& g, const KeeperBoard<typename G::Word>& now) {
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
    using Here = KeeperBoard<Word>;

    TableSearch(const G& g, bool win, std::uint64_t max_work, Watch& watch)
        : g_(g), win_(win), max_work_(max_work), watch_(watch) {}

    // Splits off columns, the one with most failures first, until a table answers the rest.
    AnswerTable search(const Here& now) {
        AnswerTable table{unanswerable_columns(now), {}};
        while (!watch_.should_stop()) {
            int failed_column = none;
            if (fill(now, table, failed_column)) return table;
            if (failed_column == none) break;
            table.split_off[failed_column] = true;
        }
        return {open_columns(g_, now), {}};
    }

    // Tables with few columns split off that `table` does not already improve on: no other table splits off only some of
    // its columns. At most `max_columns` are split off.
    std::vector<AnswerTable> alternatives(const Here& now, const AnswerTable& table, int max_columns) {
        std::vector<AnswerTable> found;
        if (g_.width > max_chosen_columns) return found;
        const std::vector<bool> open = open_columns(g_, now), needed = unanswerable_columns(now);
        const auto contains = [&](const std::vector<bool>& all, const std::vector<bool>& part) {
            for (int column = 0; column < g_.width; ++column)
                if (part[column] && !all[column]) return false;
            return true;
        };
        for (int count = 0; count <= max_columns; ++count)
            for_each_set(open, needed, count, [&](const std::vector<bool>& columns) {
                const auto is_worse = [&](const AnswerTable& one) { return contains(columns, one.split_off); };
                if (is_worse(table) || std::any_of(found.begin(), found.end(), is_worse) || watch_.should_stop())
                    return;
                AnswerTable other{columns, {}};
                int failed_column;
                if (fill(now, other, failed_column)) found.push_back(std::move(other));
            });
        return found;
    }

    // Answers that work from each of these boards, if there are any.
    std::optional<Answers> search_shared(const std::vector<Here>& starts) {
        for (const Word& forbidden : win_ ? forbidden_parts(starts.front()) : std::vector<Word>{Word{0}}) {
            AnswerSearch<G> search(g_, starts, win_, forbidden, std::vector<bool>(g_.width, false));
            if (!search.run(max_work_, watch_)) continue;
            AnswerTable table;
            copy_answers(search.answers(), table);
            return std::move(table.answers);
        }
        return std::nullopt;
    }

private:
    static constexpr int none = -1;
    static constexpr std::size_t max_combined_columns = 4;
    static constexpr int max_chosen_columns = 12;

    // Calls `visit` with every set of `count` of the `open` columns that has all `needed` ones.
    template <class Visit>
    void for_each_set(const std::vector<bool>& open, const std::vector<bool>& needed, int count, Visit visit) const {
        for (unsigned bits = 0; bits < 1U << g_.width; ++bits) {
            if (std::popcount(bits) != count) continue;
            std::vector<bool> columns(g_.width);
            bool is_valid = true;
            for (int column = 0; column < g_.width; ++column) {
                columns[column] = bits >> column & 1;
                is_valid = is_valid && (columns[column] ? open[column] : !needed[column]);
            }
            if (is_valid) visit(columns);
        }
    }

    // Columns that no table answers, even if all others are split off.
    std::vector<bool> unanswerable_columns(const Here& now) {
        std::vector<bool> found(g_.width, false), all = open_columns(g_, now);
        for (int column = 0; column < g_.width; ++column) {
            if (!all[column]) continue;
            AnswerTable alone{all, {}};
            alone.split_off[column] = false;
            int failed_column;
            found[column] = !fill(now, alone, failed_column);
        }
        return found;
    }

    // Searches for answers to all columns that are not split off; on failure sets the column that failed most.
    bool fill(const Here& now, AnswerTable& table, int& failed_column) {
        std::vector<std::uint64_t> failures(g_.width, 0);
        for (const Word& forbidden : win_ ? forbidden_parts(now) : std::vector<Word>{Word{0}}) {
            AnswerSearch<G> search(g_, {now}, win_, forbidden, table.split_off);
            if (search.run(max_work_, watch_)) return copy_answers(search.answers(), table), true;
            for (int column = 0; column < g_.width; ++column) failures[column] += search.failures()[column];
        }
        failed_column = most_failed_column(now, table, failures);
        return false;
    }

    static void copy_answers(const std::vector<std::vector<int>>& answers, AnswerTable& table) {
        for (std::size_t cell = 0; cell < answers.size(); ++cell) {
            if (!answers[cell].empty()) table.answers.push_back({static_cast<int>(cell), answers[cell]});
        }
    }

    int most_failed_column(const Here& now, const AnswerTable& table,
                           const std::vector<std::uint64_t>& failures) const {
        int worst = none;
        const std::vector<bool> open = open_columns(g_, now);
        for (int column = 0; column < g_.width; ++column) {
            const bool counts = open[column] && !table.split_off[column];
            if (counts && (worst == none || failures[column] > failures[worst])) worst = column;
        }
        return worst;
    }

    // Sets of cells that the keeper must not take because of zugzwang: in one or more columns, the cells from beneath a
    // threat of the keeper upwards, such that an even number of other cells remains.
    std::vector<Word> forbidden_parts(const Here& now) const {
        std::vector<Word> columns, parts;
        const Word empty = g_.cells & ~now.all();
        const Word threats = completing_cells(g_, now.keeper) & empty & ~playable(g_, now.all());
        for (int column = 0; column < g_.width; ++column) {
            const Word here = threats & (ones<Word>(g_.stride) << (column * g_.stride));
            if (any(here)) columns.push_back(empty & ~(ones<Word>(lowest_bit(here) - 1)) & part_of(column));
        }
        const std::size_t count = std::min(columns.size(), max_combined_columns);
        for (std::size_t chosen = 1; chosen < std::size_t{1} << count; ++chosen) {
            Word part{0};
            for (std::size_t i = 0; i < count; ++i) {
                if (chosen >> i & 1) part |= columns[i];
            }
            if (count_bits(empty & ~part) % 2 == 0) parts.push_back(part);
        }
        parts.push_back(Word{0});  // no restriction: a useful threat may still come up
        return parts;
    }

    Word part_of(int column) const { return g_.cells & (ones<Word>(g_.stride) << (column * g_.stride)); }

    const G& g_;
    const bool win_;
    const std::uint64_t max_work_;
    Watch& watch_;
};

}  // namespace connectk::why
