// A board of any size that is played by the rules, as connectk.rules has them: the page's judge, and the players'. Tests hold
// it to those rules. Memory follows the discs.
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

// Which rule was broken, with its facts as the errors of connectk have them.
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
    int drop = 0;  // the number of the drop that is refused; 0 where the set-up board is at fault

    static constexpr auto fields() {
        return std::tuple{Field{"rule", &Refusal::rule}, Field{"facts", &Refusal::facts},
                          Field{"drop", &Refusal::drop}};
    }
};

class GameBoard {
public:
    explicit GameBoard(Variant variant) : variant_(variant) {}

    // Puts discs on the empty board; columns are looked at in the order in which they come.
    Refusal set_up(const std::vector<Disc>& discs);

    // The refusal of a board of this size, and of the next drop; `Rule::none` where there is none.
    static Refusal refusal_of(const Variant& variant);
    Refusal refusal_of(int column) const;

    const Variant& variant() const { return variant_; }
    std::int64_t cells() const { return std::int64_t(variant_.width) * variant_.height; }
    // Of a win with the n-th disc, as board/scores.hpp has it for smaller boards.
    std::int64_t win_score(int n) const { return (cells() + 2 - n) / 2; }
    int height_of(int column) const;
    std::optional<int> disc_at(Cell cell) const;
    std::optional<Cell> last() const;  // where the last disc fell; nothing at a start
    int side_to_move() const { return ply() & 1; }

    bool can_drop(int column) const;
    void drop(int column);  // needs can_drop(column)
    void undo();

    std::vector<int> legal_columns() const;
    std::vector<int> occupied_columns() const;        // that hold a disc, in no order
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
    bool full() const { return ply() == cells(); }
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

}  // namespace connectk
