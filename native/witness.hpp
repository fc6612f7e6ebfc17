// The rules once more, in the core: not a second judge but a witness, held by the tests to the answers of
// connectk.rules. It takes any size; memory follows the discs.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board/variant.hpp"

namespace connectk {

using Cell = std::pair<int, int>;  // column, row

class Witness {
public:
    explicit Witness(Variant variant) : variant_(variant) {}

    bool can_drop(int column) const;
    void drop(int column);  // needs can_drop(column)
    void undo();

    std::vector<int> legal_columns() const;
    std::vector<Cell> winning_cells() const;  // of every line the last disc completed, in order
    bool won() const { return won_; }
    bool over() const { return won_ || full(); }
    int ply() const { return static_cast<int>(drops_.size()); }
    const std::vector<int>& drops() const { return drops_; }
    std::string key() const;  // the same for the same discs, however they came

private:
    bool full() const { return drops_.size() == std::size_t(variant_.width) * std::size_t(variant_.height); }
    int height_of(int column) const;
    int reach(Cell from, int dc, int dr) const;
    template <class Visit>
    void each_line(Visit visit) const;

    Variant variant_;
    std::unordered_map<int, std::vector<std::uint8_t>> columns_;  // sides, bottom first
    std::vector<int> drops_;
    bool won_ = false;
};

// Sequences of moves of exactly this many discs; a finished game goes no further.
std::uint64_t perft(Variant variant, int depth);

// Distinct positions after 0, 1, ... depth discs, finished ones included.
std::vector<std::uint64_t> count_positions(Variant variant, int depth);

}  // namespace connectk
