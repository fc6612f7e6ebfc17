// A board of any size that follows the rules of connectk.rules; tests compare the two. The page and the players use it.
// It takes memory for its discs only.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../describe.hpp"
#include "variant.hpp"

namespace connectk {

using Cell = std::pair<int, int>;        // column, row
using StraightLine = std::vector<Cell>;  // from end to end

enum class Side { first, second };
constexpr auto names_of(Side) { return std::array{"first", "second"}; }

enum class EndReason { line, full };
constexpr auto names_of(EndReason) { return std::array{"line", "full"}; }

// Sides are numbered: 0 is the first player's, 1 the second's.
struct Disc {
    Cell cell;
    int side;
};

// The broken rule, named after the error of connectk.
enum class Rule {
    none,
    out_of_range,
    floating,
    too_many,
    count,
    both_won,
    played_after_win,
    column_full,
    already_over,
    small_variant,
    long_run,
    too_large_for_solver,
    too_large_for_perfect
};
constexpr auto names_of(Rule) {
    return std::array{"",
                      "ColumnOutOfRange",
                      "FloatingDisc",
                      "TooManyDiscs",
                      "WrongDiscCount",
                      "BothSidesWon",
                      "PlayedAfterWin",
                      "ColumnFull",
                      "GameAlreadyOver",
                      "ImpossibleVariant.small",
                      "ImpossibleVariant.run",
                      "UnsupportedVariant.solver",
                      "UnsupportedVariant.perfect"};
}

struct Refusal {
    Rule rule = Rule::none;
    std::array<int, 4> facts{};
    int drop = 0;  // the number of the refused drop; 0 if the set-up board is wrong

    static constexpr auto fields() {
        return std::tuple{Field{"rule", &Refusal::rule}, Field{"facts", &Refusal::facts},
                          Field{"drop", &Refusal::drop}};
    }
};

class GameBoard {
public:
    explicit GameBoard(Variant variant) : variant_(variant) {}

    // Puts discs on the empty board; columns are checked in the order in which they come.
    Refusal set_up(const std::vector<Disc>& discs);

    // The rule that a board of this size, or the next drop into this column, breaks; `Rule::none` if it is allowed.
    static Refusal refusal_of(const Variant& variant);
    Refusal refusal_of(int column) const;

    const Variant& variant() const { return variant_; }
    std::int64_t cells() const { return std::int64_t(variant_.width) * variant_.height; }
    // The score of a win with the n-th disc, like `win_with_disc` in board/scores.hpp for smaller boards.
    std::int64_t win_score(int n) const { return (cells() + 2 - n) / 2; }
    int height_of(int column) const;
    std::optional<int> disc_at(Cell cell) const;
    std::optional<Cell> last() const;  // the cell of the last disc; nothing before the first drop
    int side_to_move() const { return ply() & 1; }

    bool can_drop(int column) const;
    void drop(int column);  // requires can_drop(column)
    void undo();

    std::vector<int> legal_columns() const;
    std::vector<int> occupied_columns() const;  // the columns that hold a disc, in no order
    std::vector<Cell> winning_cells() const;    // the cells of every line that the last disc completed, sorted
    // The lines that the last disc completed; on a set-up board all lines of the winner.
    std::vector<StraightLine> winning_lines() const;
    // The lines that a disc of this side in the cell makes or would make.
    std::vector<StraightLine> lines_through(Cell cell, int side) const;

    // Every empty cell, playable now or not, where a disc of this side would complete a line.
    std::set<Cell> threats(int side) const;
    std::vector<int> winning_columns(int side) const;
    // Whether this drop makes two ways to win and leaves the other side no win with its next disc.
    bool makes_fork(int column) const;

    bool won() const { return won_; }
    bool over() const { return won_ || full(); }
    int ply() const { return set_up_ + static_cast<int>(drops_.size()); }
    const std::vector<int>& drops() const { return drops_; }
    std::string key() const;  // equal for boards with the same discs, whatever the order of the drops

private:
    bool full() const { return ply() == cells(); }
    int reach(Cell from, int dc, int dr, int side) const;
    template <class Visit>
    void for_each_run(Cell through, int side, Visit visit) const;
    Refusal fill(const std::vector<Disc>& discs);
    Refusal check_set_up();
    std::vector<Disc> discs() const;

    Variant variant_;
    std::unordered_map<int, std::vector<std::uint8_t>> columns_;  // sides of the discs, from the bottom up
    std::vector<int> drops_;
    int set_up_ = 0;  // the number of discs on the board before the first drop
    bool won_ = false;
};

// Every straight run that is just long enough to win, its cells listed upwards or from the left.
std::vector<StraightLine> every_line(const Variant& variant);

}  // namespace connectk
