#include "reasons.hpp"

#include <algorithm>

#include "../players/chooser.hpp"
#include "../why/force.hpp"
#include "severity.hpp"

namespace connectk::analysis {
namespace {

using Columns = std::vector<int>;
using MaybeReason = std::optional<Reason>;

constexpr int max_shown_force_drops = 6;  // drops of the winner
constexpr std::uint64_t max_force_nodes = 20'000;

Side mover(const GameBoard& board) { return Side(board.side_to_move()); }

Columns winning_columns(const GameBoard& board) {
    return board.over() ? Columns{} : board.winning_columns(board.side_to_move());
}

// A line that the side to move completes at once.
Reason win_at_once(const char* kind, const GameBoard& board, const Columns& columns) {
    Reason reason{.kind = kind,
                  .side = mover(board),
                  .line = {columns.front()},
                  .run = board.variant().run,
                  .columns = columns,
                  .disc = board.ply() + 1};
    for (const int column : columns) reason.cells.push_back({column, board.height_of(column)});
    return reason;
}

MaybeReason missed_win(const GameBoard& before) {
    const Columns columns = winning_columns(before);
    if (columns.empty()) return std::nullopt;
    return win_at_once("missed_win", before, columns);
}

MaybeReason allowed_win(const GameBoard& before, const GameBoard& after, int played) {
    const Columns columns = winning_columns(after);
    if (columns.empty()) return std::nullopt;
    const bool on_top = std::count(columns.begin(), columns.end(), played) > 0;
    const auto block = needed_block(before);
    if (block && block->first != played) return win_at_once("missed_block", after, {block->first});
    return win_at_once(on_top ? "allowed_win_on_top" : "allowed_win", after, columns);
}

// Two ways to win after this drop: beside each other, or one on top of the other.
std::vector<Cell> ways_of_fork(const GameBoard& after, int side) {
    const std::set<Cell> threats = after.threats(side);
    std::vector<Cell> ways;
    for (const auto& [column, row] : threats)
        if (row == after.height_of(column) && ways.size() < 2) ways.push_back({column, row});
    if (ways.size() == 1) ways.push_back({ways.front().first, ways.front().second + 1});
    return ways;
}

Reason fork(const char* kind, const GameBoard& board, int column) {
    const GameBoard after = after_drops(board, {column});
    Reason reason{.kind = kind, .side = mover(board), .line = {column}, .run = board.variant().run};
    reason.cells = ways_of_fork(after, board.side_to_move());
    for (const auto& [way, row] : reason.cells)
        if (reason.columns.empty() || reason.columns.back() != way) reason.columns.push_back(way);
    return reason;
}

// The fork that the first suitable one of these columns makes; nothing if no column makes a fork.
MaybeReason first_fork(const char* kind, const GameBoard& board, const Columns& columns) {
    for (const int column : columns)
        if (board.makes_fork(column)) return fork(kind, board, column);
    return std::nullopt;
}

// The winner's drops with a reply after each drop except the last one, which completes a line. A reply fills a cell in
// which the winner would complete a line next.
Columns with_replies(GameBoard board, const Columns& drops) {
    Columns line;
    const int winner = board.side_to_move();
    for (const int drop : drops) {
        line.push_back(drop);
        board.drop(drop);
        if (board.over()) break;
        line.push_back(board.winning_columns(winner).front());
        board.drop(line.back());
    }
    return line;
}

// A win by a series of threats, each of which has to be answered.
MaybeReason forced_win(const char* kind, const GameBoard& board) {
    if (board.over() || !players::Chooser::is_solvable(board.variant())) return std::nullopt;
    const Board bits = players::bits_of(board);
    const Sizes<Bits> sizes(board.variant());
    Watch watch({nullptr, 1, max_force_nodes});
    const Columns drops = why::ForceSearch(sizes).find({bits.own, bits.all ^ bits.own}, max_shown_force_drops, watch);
    if (drops.empty()) return std::nullopt;
    const Columns line = with_replies(board, drops);
    const GameBoard end = after_drops(board, line);
    return Reason{.kind = kind,
                  .side = mover(board),
                  .cells = {*end.last()},
                  .line = line,
                  .run = board.variant().run,
                  .columns = {line.front()},
                  .disc = end.ply()};
}

MaybeReason missed_force(const GameBoard& before, int played) {
    const MaybeReason found = forced_win("missed_force", before);
    return found && found->line.front() != played ? found : std::nullopt;
}

// One line of best play to the end; nothing if the side to move does not win in that line.
MaybeReason one_line(const std::string& whose, const GameBoard& board, const Columns& line) {
    const GameBoard end = after_drops(board, line);
    if (line.size() % 2 == 0 || !end.won()) return std::nullopt;
    const Cell cell = *end.last();
    Reason reason{.kind = whose + "_line",
                  .side = mover(board),
                  .cells = {cell},
                  .line = line,
                  .holds = Holds::one_line,
                  .run = board.variant().run,
                  .columns = {cell.first},
                  .disc = end.ply()};
    if (line.size() > 1 && line[line.size() - 2] == cell.first) {
        reason.kind += "_beneath";
        const GameBoard before_last = after_drops(board, {line.begin(), line.end() - 2});
        reason.last_column = before_last.legal_columns().size() == 1;
    }
    return reason;
}

// The line of the missed win or the line of the loss that followed, the shorter one if both are known.
MaybeReason sooner_line(const GameBoard& before, const Columns& better, const GameBoard& after,
                        const Columns& refutation) {
    const bool missed_first = better.size() <= refutation.size();
    for (const bool missed : {missed_first, !missed_first})
        if (MaybeReason found = missed ? one_line("missed", before, better) : one_line("allowed", after, refutation))
            return found;
    return std::nullopt;
}

}  // namespace

GameBoard after_drops(GameBoard board, const Columns& columns) {
    for (const int column : columns) board.drop(column);
    return board;
}

Reasons reasons_of(const GameBoard& before, int played, const ColumnGrades& grades, const BestLine& best_line) {
    const GameBoard after = after_drops(before, {played});
    Reasons found{.line = {grades.best_columns().front()}};
    if (grades.exact) {
        const Columns rest = best_line(after_drops(before, found.line));
        found.line.insert(found.line.end(), rest.begin(), rest.end());
        found.refutation = best_line(after);
    }
    MaybeReason reason = missed_win(before);
    if (!reason) reason = allowed_win(before, after, played);
    if (!reason) reason = first_fork("allowed_fork", after, players::centre_first(after));
    if (!reason) reason = first_fork("missed_fork", before, grades.best_columns());
    if (!reason) reason = forced_win("allowed_force", after);
    if (!reason) reason = missed_force(before, played);
    if (!reason) reason = sooner_line(before, found.line, after, found.refutation);
    if (!reason) return found;
    if (reason->kind == "missed_win" || reason->kind == "missed_force") found.line = reason->line;
    const bool tells_of_reply = reason->side != mover(before);
    if (found.refutation.empty() && tells_of_reply) found.refutation = reason->line;
    found.reasons.push_back(std::move(*reason));
    return found;
}

}  // namespace connectk::analysis
