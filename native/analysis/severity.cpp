#include "severity.hpp"

#include <algorithm>
#include <array>

namespace connectk::analysis {
namespace {

constexpr int min_levels_obvious = 4, min_levels_visible = 2;         // at least so many levels see the win
constexpr std::array<std::uint64_t, 3> attempt_seeds{0, 1, 2};        // a level sees what most of its attempts see
constexpr int max_near_win_discs = 5;                                 // discs that the winner still needs
constexpr double min_mistake_fall = 0.5, min_fine_point_fall = 0.15;  // the fall of an estimate

GameBoard after_drop(GameBoard board, int column) {
    board.drop(column);
    return board;
}

bool contains(const std::vector<int>& columns, int column) {
    return std::count(columns.begin(), columns.end(), column) > 0;
}

std::optional<Label> overlooked(const GameBoard& before, int played) {
    const std::vector<int> wins = before.winning_columns(before.side_to_move());
    if (!wins.empty()) return contains(wins, played) ? std::nullopt : std::optional(Label::missed_win);
    const auto block = needed_block(before);
    return block && block->first != played ? std::optional(Label::missed_block) : std::nullopt;
}

bool is_near_win(const ColumnScore& column, const GameBoard& before) {
    return column.wins() && players::discs_to_win(before.cells(), before.ply(), *column.exact) <= max_near_win_discs;
}

// The label of a move whose result, or the number of discs until that result, is worse than it could be.
Label label_of(const ColumnScore& best, const ColumnScore& played, int seen) {
    const bool proven = best.exact && played.exact;
    const double fall = best.score - played.score;
    const bool fell = proven ? sign(played.score) < sign(best.score) : fall >= min_fine_point_fall;
    if (seen >= min_levels_obvious) return played.wins() ? Label::mistake : Label::blunder;
    if (seen >= min_levels_visible && !played.wins()) return Label::mistake;
    if (!proven && fall >= min_mistake_fall) return Label::mistake;
    if (fell) return Label::fine_point;
    return proven ? Label::good : Label::best;
}

enum Weight { none, fine, medium, grave };

Weight weight_of(Label label) {
    if (label <= Label::blunder) return grave;
    return label == Label::mistake ? medium : label == Label::fine_point ? fine : none;
}

}  // namespace

std::optional<Cell> needed_block(const GameBoard& before) {
    const int other = 1 - before.side_to_move();
    if (!before.winning_columns(1 - other).empty()) return std::nullopt;
    const std::vector<int> threats = before.winning_columns(other);
    if (threats.size() != 1) return std::nullopt;
    const GameBoard blocked = after_drop(before, threats.front());
    if (!blocked.over() && !blocked.winning_columns(other).empty()) return std::nullopt;
    return Cell{threats.front(), before.height_of(threats.front())};
}

Severity SeverityJudge::judge(const GameBoard& before, int played, const ColumnGrades& grades) {
    const ColumnScore &best = grades.best(), &mine = grades.columns.at(played);
    const std::optional<Label> howler = overlooked(before, played);
    if (mine.score == best.score && !howler) return {};
    Severity severity;
    int allowed = 0, seen = 0;
    if (best.loses()) {
        const int unavoidable = levels_that_see_a_win(after_drop(before, grades.best_columns().front()));
        severity.was_lost = unavoidable >= min_levels_obvious;
        allowed -= unavoidable;
    }
    if (mine.loses()) allowed += levels_that_see_a_win(after_drop(before, played));
    if (best.wins() && !is_near_win(mine, before)) seen = levels_that_see_a_win(before);
    seen = std::max({seen, allowed, 0});
    if (mine.loses() || best.wins()) severity.seen_by = seen;
    severity.label = howler.value_or(label_of(best, mine, seen));
    return severity;
}

int SeverityJudge::levels_that_see_a_win(const GameBoard& board) {
    const auto wins = wins_(board);
    int count = 0;
    for (int level = 1; level <= int(players::levels.size()); ++level) count += sees_a_win(board, level, wins);
    return count;
}

// Whether a level plays a winning column on purpose. A level that claims a win is believed if the wins are not known.
bool SeverityJudge::sees_a_win(const GameBoard& board, int level, const std::optional<std::vector<int>>& wins) {
    const players::Level& player = players::levels[std::size_t(level - 1)];
    if (player.random_move_chance == 1000) return false;
    const std::vector<int> at_hand = board.winning_columns(board.side_to_move());
    std::size_t seen = 0, missed = 0;
    for (const std::uint64_t seed : attempt_seeds) {
        const players::Choice choice = chooser_.play_level(board, level, seed, players::Deadline(0, stopped_));
        const bool foresees = choice.score.value_or(0) >= 1 && (!wins || contains(*wins, choice.column));
        ++(foresees || contains(at_hand, choice.column) ? seen : missed);
        if (player.is_deterministic() || std::max(seen, missed) > attempt_seeds.size() / 2)
            break;  // the rest changes nothing
    }
    return seen > missed;
}

double mark_of(Label label) {
    switch (label) {
        case Label::missed_win:
        case Label::missed_block: return 0;
        case Label::blunder: return 10;
        case Label::mistake: return 40;
        case Label::fine_point: return 75;
        case Label::good: return 90;
        case Label::best:
        case Label::given: break;
    }
    return 100;
}

// The index of the last of the gravest moves among those that `counts` accepts and that are at least as grave as
// `least`.
std::optional<int> last_of_the_gravest(const std::vector<GradedMove>& moves, Weight least,
                                       const std::function<bool(const GradedMove&, int index)>& counts) {
    std::optional<int> found;
    Weight gravest = least;
    for (int index = 0; index < int(moves.size()); ++index) {
        const GradedMove& move = moves[std::size_t(index)];
        if (weight_of(move.label) < gravest || !counts(move, index)) continue;
        gravest = weight_of(move.label);
        found = index;
    }
    return found;
}

// The last move with which the losing side threw the result away in a way that people see. Nothing if the winner gave
// the result back after that.
std::optional<int> last_visible_fall(const std::vector<GradedMove>& moves, std::optional<Side> winner) {
    for (int index = int(moves.size()); winner && index-- > 0;) {
        const GradedMove& move = moves[std::size_t(index)];
        if (!move.fell) continue;
        if (move.side == winner) break;
        if (weight_of(move.label) >= medium) return index;
    }
    return std::nullopt;
}

std::optional<int> turning_point_of(const std::vector<GradedMove>& moves, std::optional<Side> winner) {
    if (const auto found = last_visible_fall(moves, winner)) return found;
    const auto is_winners = [&](const GradedMove& move) { return move.side == winner; };
    // The winner's last mistake gives back whatever the other side threw away before it.
    const int given_back =
        last_of_the_gravest(moves, medium, [&](const GradedMove& move, int) { return is_winners(move); }).value_or(-1);
    for (const Weight least : {medium, fine}) {
        for (const bool while_open : {true, false})
            for (const int after : {given_back, -1})
                if (const auto found = last_of_the_gravest(moves, least, [&](const GradedMove& move, int index) {
                        return !is_winners(move) && index > after && !(while_open && move.was_lost);
                    }))
                    return found;
        if (given_back >= 0) return given_back;  // a winner's mistake stands out more than a fine point
    }
    return std::nullopt;
}

std::optional<int> losing_move_of(const std::vector<GradedMove>& moves, std::optional<Side> winner) {
    for (int index = int(moves.size()); winner && index-- > 0;) {
        const GradedMove& move = moves[std::size_t(index)];
        if (move.side != winner && move.fell && move.loses) return index;
    }
    return std::nullopt;
}

}  // namespace connectk::analysis
