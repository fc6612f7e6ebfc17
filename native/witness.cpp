#include "witness.hpp"

#include <array>
#include <set>
#include <unordered_set>

namespace connectk {
namespace {

constexpr std::array<Cell, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

}  // namespace

int Witness::height_of(int column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? 0 : static_cast<int>(found->second.size());
}

bool Witness::can_drop(int column) const {
    return column >= 0 && column < variant_.width && !over() && height_of(column) < variant_.height;
}

void Witness::drop(int column) {
    columns_[column].push_back(ply() & 1);
    drops_.push_back(column);
    each_line([&](Cell, Cell, int length) { won_ |= length >= variant_.run; });
}

void Witness::undo() {
    columns_[drops_.back()].pop_back();
    drops_.pop_back();
    won_ = false;  // a game ends with its first line, so no earlier position was won
}

std::vector<int> Witness::legal_columns() const {
    std::vector<int> legal;
    for (int column = 0; column < variant_.width; ++column)
        if (can_drop(column)) legal.push_back(column);
    return legal;
}

// How many more discs of the last side follow from a cell in one direction.
int Witness::reach(Cell from, int dc, int dr) const {
    const auto side = static_cast<std::uint8_t>((ply() - 1) & 1);
    for (int steps = 0;; ++steps) {
        from = {from.first + dc, from.second + dr};
        if (from.second < 0 || from.second >= height_of(from.first)) return steps;
        if (columns_.at(from.first)[std::size_t(from.second)] != side) return steps;
    }
}

// The straight run through the last disc in each direction: its first cell, its step and its length.
template <class Visit>
void Witness::each_line(Visit visit) const {
    if (drops_.empty()) return;
    const Cell last{drops_.back(), height_of(drops_.back()) - 1};
    for (const auto [dc, dr] : directions) {
        const int back = reach(last, -dc, -dr);
        visit(Cell{last.first - back * dc, last.second - back * dr}, Cell{dc, dr}, back + 1 + reach(last, dc, dr));
    }
}

std::vector<Cell> Witness::winning_cells() const {
    std::set<Cell> cells;
    each_line([&](Cell end, Cell step, int length) {
        for (int i = 0; length >= variant_.run && i < length; ++i)
            cells.insert({end.first + i * step.first, end.second + i * step.second});
    });
    return {cells.begin(), cells.end()};
}

std::string Witness::key() const {
    std::string key;
    for (int column = 0; column < variant_.width; ++column) {
        const auto found = columns_.find(column);
        if (found != columns_.end())
            for (const auto side : found->second) key += "xo"[side];
        key += '|';
    }
    return key;
}

namespace {

std::uint64_t sequences(Witness& board, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    for (const int column : board.legal_columns()) {
        board.drop(column);
        total += sequences(board, depth - 1);
        board.undo();
    }
    return total;
}

}  // namespace

std::uint64_t perft(Variant variant, int depth) {
    Witness board(variant);
    return sequences(board, depth);
}

std::vector<std::uint64_t> count_positions(Variant variant, int depth) {
    std::vector<std::uint64_t> counts{1};
    std::vector<std::vector<int>> layer{{}};  // for each distinct position, one way to reach it
    while (static_cast<int>(counts.size()) <= depth) {
        std::unordered_set<std::string> seen;
        std::vector<std::vector<int>> next;
        for (const auto& drops : layer) {
            Witness board(variant);
            for (const int column : drops) board.drop(column);
            for (const int column : board.legal_columns()) {
                board.drop(column);
                if (seen.insert(board.key()).second) next.push_back(board.drops());
                board.undo();
            }
        }
        counts.push_back(next.size());
        layer = std::move(next);
    }
    return counts;
}

}  // namespace connectk
