// What a coach says about a position without an explanation, based on the scores of its columns.
#include <algorithm>

#include "boards.hpp"
#include "coach.hpp"

namespace connectk::why {
namespace {

constexpr int max_soon_discs = 6;  // a column that loses within this many discs is mentioned first

class ColumnCoach {
public:
    ColumnCoach(const Variant& variant, const Board& position, const std::vector<std::optional<Bounds>>& columns)
        : g_(variant), position_(position), mover_(side_to_move(position)), columns_(columns) {}

    std::vector<CoachSentence> run() {
        add_middle();
        add_must_play();
        add_fates();
        return std::move(sentences_);
    }

private:
    int ply() const { return count_bits(position_.all); }
    Cell cell_of(int bit) const { return {bit / g_.stride, bit % g_.stride}; }
    int landing(int column) const {
        return lowest_bit(playable(g_, position_.all) & (ones<Bits>(g_.stride) << (column * g_.stride)));
    }

    // The number of the last disc under perfect play.
    int last_disc(int score) const {
        const int last = g_.width * g_.height + 2 - 2 * std::abs(score);
        return last - ((last - ply()) % 2 == (score > 0 ? 1 : 0) ? 0 : 1);
    }

    std::optional<Statement> fate(int column) const {
        const std::optional<Bounds>& found = columns_[std::size_t(column)];
        if (!found || (found->lower <= 0 && found->upper >= 0 && !found->exact())) return std::nullopt;
        const auto kind = found->lower > 0   ? StatementKind::column_wins
                          : found->upper < 0 ? StatementKind::column_loses
                                             : StatementKind::column_draws;
        Statement statement{kind, mover_, {cell_of(landing(column))}};
        if (found->exact() && found->lower) statement.count = last_disc(found->lower);
        return statement;
    }

    // The column that is part of more lines than any other, on an empty board.
    void add_middle() {
        if (ply()) return;
        std::vector<int> counts(std::size_t(g_.width));
        for (const StraightLine& line : every_line({g_.width, g_.height, g_.run}))
            for (const auto& [column, row] : line)
                if (line.front().first != line.back().first || row == line.front().second)
                    ++counts[std::size_t(column)];
        const auto most = std::max_element(counts.begin(), counts.end());
        if (std::count(counts.begin(), counts.end(), *most) != 1) return;
        Statement middle{StatementKind::middle, mover_, {{int(most - counts.begin()), 0}}};
        middle.count = *most;
        sentences_.push_back({CoachKind::middle, {std::move(middle)}});
    }

    // Adds the columns that must be played now, as all other columns lose soon.
    void add_must_play() {
        std::vector<Statement> losing, open;
        for (int column = 0; column < g_.width; ++column) {
            if (!columns_[std::size_t(column)]) continue;
            auto found = fate(column);
            if (!found) return;
            const bool loses =
                found->kind == StatementKind::column_loses && found->count && *found->count <= ply() + max_soon_discs;
            (loses ? losing : open).push_back(std::move(*found));
        }
        if (losing.empty() || open.empty()) return;
        std::vector<Statement> all = open_two();
        const auto kind = all.empty() ? CoachKind::must_play : CoachKind::open_two;
        all.insert(all.end(), losing.begin(), losing.end());
        Statement must{StatementKind::must_play, mover_, {}};
        for (const Statement& one : open) must.cells.push_back(one.cells.front());
        must.count = 0;
        for (const Statement& one : losing) must.count = std::max(*must.count, *one.count);
        all.insert(all.begin(), std::move(must));
        sentences_.push_back({kind, std::move(all)});
    }

    // The other side's `run` - 2 discs side by side, with free cells on both sides of them and one more free cell
    // beyond.
    std::vector<Statement> open_two() const {
        const Bits free = playable(g_, position_.all), other = position_.all ^ position_.own;
        const int size = g_.run - 2;
        for (int column = 1; size > 1 && column + size < g_.width; ++column) {
            for (int row = 0; row < g_.height; ++row) {
                const auto has = [&](const Bits& bits, int at) {
                    return at >= 0 && at < g_.width && any(bits & bit_at<Bits>(at * g_.stride + row));
                };
                bool all = has(free, column - 1) && has(free, column + size);
                for (int i = 0; i < size; ++i) all = all && has(other, column + i);
                if (!all || !(has(free, column - 2) || has(free, column + size + 1))) continue;
                Statement two{StatementKind::open_two, other_than(mover_)};
                for (int at = column - 1; at <= column + size; ++at) two.cells.push_back({at, row});
                return {std::move(two)};
            }
        }
        return {};
    }

    // Adds the result of each column. The number of the last disc is given only if all columns are solved to the end.
    void add_fates() {
        std::vector<Statement> all;
        bool is_complete = true;
        for (int column = 0; column < g_.width; ++column) {
            const std::optional<Bounds>& bounds = columns_[std::size_t(column)];
            if (!bounds) continue;
            is_complete = is_complete && bounds->exact();
            if (auto found = fate(column)) all.push_back(std::move(*found));
        }
        if (!is_complete)
            for (Statement& one : all) one.count.reset();
        if (!all.empty()) sentences_.push_back({CoachKind::fates, std::move(all)});
    }

    const Sizes<Bits> g_;
    const Board position_;
    const Side mover_;
    const std::vector<std::optional<Bounds>>& columns_;
    std::vector<CoachSentence> sentences_;
};

}  // namespace

std::vector<CoachSentence> coach_columns(const Variant& variant, const Board& position,
                                         const std::vector<std::optional<Bounds>>& columns) {
    return ColumnCoach(variant, position, columns).run();
}

}  // namespace connectk::why
