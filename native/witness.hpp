// The rules once more, in the core: not a second judge but a witness, held by the tests to the answers of
// connectk.rules. It takes any size; memory follows the discs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "board/variant.hpp"
#include "describe.hpp"

namespace connectk {

using Cell = std::pair<int, int>;        // column, row
using StraightLine = std::vector<Cell>;  // from end to end

enum class Side { first, second };
constexpr auto names_of(Side) { return std::array{"first", "second"}; }

// Sides are numbered: 0 is the first player's, 1 the second's.
struct Disc {
    Cell cell;
    int side;
};

// Which rule a set-up board breaks, with its facts as the errors of connectk.rules carry them.
enum class Wrong { none, out_of_range, floating, too_many, count, both_won, played_after_win };

struct Refusal {
    Wrong wrong = Wrong::none;
    int facts[3] = {};
};

class Witness {
public:
    explicit Witness(Variant variant) : variant_(variant) {}

    // Puts discs on the empty board; columns are looked at in the order in which they come.
    Refusal set_up(const std::vector<Disc>& discs);

    const Variant& variant() const { return variant_; }
    int height_of(int column) const;
    std::optional<int> disc_at(Cell cell) const;
    std::optional<Cell> last() const;  // where the last disc fell; nothing at a start
    int side_to_move() const { return ply() & 1; }

    bool can_drop(int column) const;
    void drop(int column);  // needs can_drop(column)
    void undo();

    std::vector<int> legal_columns() const;
    std::vector<Cell> winning_cells() const;          // of every line the last disc completed, in order
    std::vector<StraightLine> winning_lines() const;  // those lines; on a set-up board all of the winner's
    std::vector<StraightLine> lines_through(Cell cell, int side) const;  // that a disc there makes, or would make

    // Every empty cell, within reach or not, where a disc of this side would complete a line.
    std::set<Cell> threats(int side) const;
    std::vector<int> winning_columns(int side) const;
    // Whether this drop leaves two ways to win, and the other side none of its own.
    bool makes_fork(int column) const;

    bool won() const { return won_; }
    bool over() const { return won_ || full(); }
    int ply() const { return set_up_ + static_cast<int>(drops_.size()); }
    const std::vector<int>& drops() const { return drops_; }
    std::string key() const;  // the same for the same discs, however they came

private:
    bool full() const { return std::size_t(ply()) == std::size_t(variant_.width) * std::size_t(variant_.height); }
    int reach(Cell from, int dc, int dr, int side) const;
    template <class Visit>
    void each_line(Cell through, int side, Visit visit) const;
    Refusal fill(const std::vector<Disc>& discs);
    Refusal judge_set_up();
    std::vector<Disc> discs() const;

    Variant variant_;
    std::unordered_map<int, std::vector<std::uint8_t>> columns_;  // sides, bottom first
    std::vector<int> drops_;
    int set_up_ = 0;  // discs that lay there before the first drop
    bool won_ = false;
};

// The cells of each straight run that is just long enough to win, upwards or from the left.
std::vector<StraightLine> every_line(const Variant& variant);

// Sequences of moves of exactly this many discs; a finished game goes no further.
std::uint64_t perft(Variant variant, int depth);

// Distinct positions after 0, 1, ... depth discs, finished ones included.
std::vector<std::uint64_t> count_positions(Variant variant, int depth);

}  // namespace connectk
