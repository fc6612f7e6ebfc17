#include "game_board.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace connectk {
namespace {

constexpr std::array<Cell, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

}  // namespace

int GameBoard::height_of(int column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? 0 : static_cast<int>(found->second.size());
}

bool GameBoard::can_drop(int column) const {
    return column >= 0 && column < variant_.width && !over() && height_of(column) < variant_.height;
}

void GameBoard::drop(int column) {
    assert(can_drop(column));
    const int side = side_to_move();
    columns_[column].push_back(static_cast<std::uint8_t>(side));
    drops_.push_back(column);
    for_each_run(*last(), side, [&](Cell, Cell, int length) { won_ |= length >= variant_.run; });
}

void GameBoard::undo() {
    assert(!drops_.empty());
    columns_[drops_.back()].pop_back();
    drops_.pop_back();
    won_ = false;  // a game ends with its first line, so no earlier position was won
}

std::optional<int> GameBoard::disc_at(Cell cell) const {
    if (cell.second < 0 || cell.second >= height_of(cell.first)) return std::nullopt;
    return columns_.at(cell.first)[std::size_t(cell.second)];
}

std::optional<Cell> GameBoard::last() const {
    if (drops_.empty()) return std::nullopt;
    return Cell{drops_.back(), height_of(drops_.back()) - 1};
}

std::vector<int> GameBoard::legal_columns() const {
    std::vector<int> legal;
    for (int column = 0; column < variant_.width; ++column)
        if (can_drop(column)) legal.push_back(column);
    return legal;
}

std::vector<int> GameBoard::occupied_columns() const {
    std::vector<int> occupied;
    for (const auto& [column, sides] : columns_)
        if (!sides.empty()) occupied.push_back(column);
    return occupied;
}

// Counts a side's discs that follow a cell in one direction without a gap.
int GameBoard::reach(Cell from, int dc, int dr, int side) const {
    for (int steps = 0;; ++steps) {
        from = {from.first + dc, from.second + dr};
        if (disc_at(from) != side) return steps;
    }
}

// Visits the straight run through a side's disc in each direction, with its first cell, its step and its length.
template <class Visit>
void GameBoard::for_each_run(Cell through, int side, Visit visit) const {
    for (const auto& [dc, dr] : directions) {
        const int back = reach(through, -dc, -dr, side);
        const Cell end{through.first - back * dc, through.second - back * dr};
        visit(end, Cell{dc, dr}, back + 1 + reach(through, dc, dr, side));
    }
}

std::vector<StraightLine> GameBoard::lines_through(Cell cell, int side) const {
    std::vector<StraightLine> lines;
    for_each_run(cell, side, [&](Cell end, Cell step, int length) {
        if (length < variant_.run) return;
        StraightLine line;
        for (int i = 0; i < length; ++i) line.emplace_back(end.first + i * step.first, end.second + i * step.second);
        lines.push_back(std::move(line));
    });
    return lines;
}

std::vector<StraightLine> GameBoard::winning_lines() const {
    std::set<StraightLine> lines;
    const int winner = (ply() - 1) & 1;  // the side of the last disc: a won game ends at once
    const auto add = [&](Cell cell) {
        for (StraightLine& line : lines_through(cell, winner)) lines.insert(std::move(line));
    };
    if (won_ && !drops_.empty()) add(*last());
    if (won_ && drops_.empty())
        for (const Disc& disc : discs())
            if (disc.side == winner) add(disc.cell);
    return {lines.begin(), lines.end()};
}

std::vector<Cell> GameBoard::winning_cells() const {
    std::set<Cell> cells;
    for (const StraightLine& line : winning_lines()) cells.insert(line.begin(), line.end());
    return {cells.begin(), cells.end()};
}

std::vector<Disc> GameBoard::discs() const {
    std::vector<Disc> discs;
    for (const auto& [column, sides] : columns_)
        for (std::size_t row = 0; row < sides.size(); ++row) discs.push_back({{column, int(row)}, sides[row]});
    return discs;
}

std::set<Cell> GameBoard::threats(int side) const {
    std::set<Cell> cells, found;
    for (const auto& [cell, owner] : discs())
        for (int beside = 0; owner == side && beside < 9; ++beside)
            cells.insert({cell.first + beside / 3 - 1, cell.second + beside % 3 - 1});
    for (const Cell& cell : cells) {
        const auto [column, row] = cell;
        const bool inside = column >= 0 && column < variant_.width && row < variant_.height;
        if (inside && row >= height_of(column) && !lines_through(cell, side).empty()) found.insert(cell);
    }
    return found;
}

std::vector<int> GameBoard::winning_columns(int side) const {
    std::vector<int> columns;
    for (const auto& [column, row] : threats(side))
        if (row == height_of(column)) columns.push_back(column);
    return columns;
}

bool GameBoard::makes_fork(int column) const {
    GameBoard after = *this;
    const int side = side_to_move();
    after.drop(column);
    if (after.over() || !after.winning_columns(1 - side).empty()) return false;
    const std::set<Cell> cells = after.threats(side);
    int ways = 0;  // a threat right above a winning cell counts too: blocking below makes it playable
    for (const auto& [at, row] : cells)
        if (row == after.height_of(at)) ways += 1 + static_cast<int>(cells.count({at, row + 1}));
    return ways > 1;
}

Refusal GameBoard::set_up(const std::vector<Disc>& discs) {
    const Refusal refusal = fill(discs);
    return refusal.rule == Rule::none ? check_set_up() : refusal;
}

Refusal GameBoard::refusal_of(const Variant& variant) {
    const auto [width, height, run] = variant;
    if (width < 1 || height < 1 || run < 1) return {Rule::small_variant, {width, height, run}};
    if (run > width && run > height) return {Rule::long_run, {width, height, run}};
    return {};
}

Refusal GameBoard::refusal_of(int column) const {
    if (can_drop(column)) return {};
    if (column < 0 || column >= variant_.width) return {Rule::out_of_range, {column, variant_.width}};
    if (over()) return {Rule::already_over, {won() ? 1 - side_to_move() : -1}};
    return {Rule::column_full, {column}};
}

// Fills each column from the bottom up; refuses a disc above a gap.
Refusal GameBoard::fill(const std::vector<Disc>& discs) {
    std::vector<int> order;
    std::unordered_map<int, std::vector<Disc>> by_column;
    for (const Disc& disc : discs) {
        auto& column = by_column[disc.cell.first];
        if (column.empty()) order.push_back(disc.cell.first);
        auto place = column.end();
        while (place != column.begin() && disc.cell < (place - 1)->cell) --place;
        column.insert(place, disc);
    }
    for (const int column : order) {
        auto& cells = by_column[column];
        if (column < 0 || column >= variant_.width) return {Rule::out_of_range, {column, variant_.width}};
        for (std::size_t row = 0; row < cells.size(); ++row) {
            if (cells[row].cell.second != int(row)) return {Rule::floating, {column, cells[row].cell.second}};
            columns_[column].push_back(static_cast<std::uint8_t>(cells[row].side));
        }
        const int height = int(cells.size());
        if (height > variant_.height) return {Rule::too_many, {column, height, variant_.height}};
        set_up_ += height;
    }
    return {};
}

// Checks that the discs can have been dropped in turn and that nobody has played on after a win.
Refusal GameBoard::check_set_up() {
    int count[2] = {}, lines[2] = {};
    for (const Disc& disc : discs()) {
        ++count[disc.side];
        lines[disc.side] += int(lines_through(disc.cell, disc.side).size());
    }
    if (count[0] - count[1] != 0 && count[0] - count[1] != 1) return {Rule::count, {count[0], count[1]}};
    if (lines[0] && lines[1]) return {Rule::both_won, {}};
    if (lines[side_to_move()]) return {Rule::played_after_win, {side_to_move()}};
    won_ = lines[0] || lines[1];
    return {};
}

std::string GameBoard::key() const {
    std::string key;
    for (int column = 0; column < variant_.width; ++column) {
        const auto found = columns_.find(column);
        if (found != columns_.end())
            for (const auto side : found->second) key += "xo"[side];
        key += '|';
    }
    return key;
}

std::vector<StraightLine> every_line(const Variant& variant) {
    std::vector<StraightLine> lines;
    for (int column = 0; column < variant.width; ++column) {
        for (int row = 0; row < variant.height; ++row) {
            for (const auto& [dc, dr] : directions) {
                StraightLine line;
                for (int i = 0; i < variant.run; ++i) line.push_back({column + i * dc, row + i * dr});
                const auto [last_column, last_row] = line.back();
                if (last_column < variant.width && last_row >= 0 && last_row < variant.height) lines.push_back(line);
            }
        }
    }
    return lines;
}

}  // namespace connectk
