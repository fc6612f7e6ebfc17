// How serious a mistake is: what the move threw away, and how many levels would have seen that.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "../players/chooser.hpp"
#include "grades.hpp"

namespace connectk::analysis {

// The labels of moves, the most serious first. A `given` disc was not chosen by a player.
enum class Label { missed_win, missed_block, blunder, mistake, fine_point, good, best, given };
constexpr auto names_of(Label) {
    return std::array{"missed_win", "missed_block", "blunder", "mistake", "fine_point", "good", "best", "given"};
}

struct Severity {
    Label label = Label::best;
    std::optional<int> seen_by{};  // how many of the levels without a clock see what was lost
    bool was_lost = false;         // several levels already saw a loss that no move could avoid
};

// The one cell that the side to move must fill, as the other side would complete a line there with its next disc.
// Nothing if the side to move can win at once, or if filling the cell does not help.
std::optional<Cell> needed_block(const GameBoard& before);

class SeverityJudge {
public:
    // Finds the columns that win for the side to move; nothing if they are not known.
    using Wins = std::function<std::optional<std::vector<int>>(const GameBoard& board)>;
    using Stopped = std::function<bool()>;

    SeverityJudge(players::Chooser& chooser, Wins wins, Stopped stopped)
        : chooser_(chooser), wins_(std::move(wins)), stopped_(std::move(stopped)) {}

    Severity judge(const GameBoard& before, int played, const ColumnGrades& grades);

private:
    int levels_that_see_a_win(const GameBoard& board);
    bool sees_a_win(const GameBoard& board, int level, const std::optional<std::vector<int>>& wins);

    players::Chooser& chooser_;
    const Wins wins_;
    const Stopped stopped_;
};

// The mark of a label for accuracy, from 0 to 100.
double mark_of(Label label);

// The part of a reviewed move that the turning point is computed from.
struct GradedMove {
    Side side = Side::first;
    Label label = Label::best;
    bool was_lost = false;
    bool fell = false;   // the result is worse than it could be: a win became a draw or a loss, or a draw a loss
    bool loses = false;  // the move is proven to lose
};

// The index of the move that a coach would point out; nothing if no move stands out.
std::optional<int> turning_point_of(const std::vector<GradedMove>& moves, std::optional<Side> winner);

// The index of the last move that turned a win or a draw into a loss for the losing side; nothing if no move did.
std::optional<int> losing_move_of(const std::vector<GradedMove>& moves, std::optional<Side> winner);

}  // namespace connectk::analysis
