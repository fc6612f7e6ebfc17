#include "reasons.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "../players/view.hpp"

namespace connectk::analysis {
namespace {

using Columns = std::vector<int>;
using Found = std::optional<Reason>;

Columns winning_columns(const GameBoard& board) {
    return board.over() ? Columns{} : board.winning_columns(board.side_to_move());
}

// Where discs in these columns would fall.
std::vector<Cell> tops(const GameBoard& board, const Columns& columns) {
    std::vector<Cell> cells;
    for (const int column : columns) cells.push_back({column, board.height_of(column)});
    return cells;
}

Found missed_win(const GameBoard& before) {
    const Columns columns = winning_columns(before);
    if (columns.empty()) return std::nullopt;
    return Reason{.kind = "missed_win",
                  .facts = {.columns = columns, .run = before.variant().run},
                  .cells = tops(before, columns),
                  .line = {columns.front()}};
}

Found allowed_win(const GameBoard& after, int played) {
    const Columns columns = winning_columns(after);
    if (columns.empty()) return std::nullopt;
    const bool on_top = std::count(columns.begin(), columns.end(), played) > 0;
    return Reason{.kind = on_top ? "allowed_win_on_top" : "allowed_win",
                  .facts = {.columns = columns, .run = after.variant().run, .winner = Side(after.side_to_move())},
                  .cells = tops(after, columns),
                  .refutation = {columns.front()}};
}

// Two threats, playable ones first; one may lie on top of the other.
Reason fork(const char* kind, const GameBoard& board, int column) {
    const int side = board.side_to_move();
    const GameBoard after = after_drops(board, {column});
    const auto above = [&](const Cell& cell) { return cell.second - after.height_of(cell.first); };
    std::vector<Cell> cells;
    for (const Cell& cell : after.threats(side))
        if (above(cell) <= 1) cells.push_back(cell);
    std::stable_sort(cells.begin(), cells.end(),
                     [&](const Cell& one, const Cell& other) { return above(one) < above(other); });
    cells.resize(std::min<std::size_t>(cells.size(), 2));
    std::set<int> columns;
    for (const Cell& cell : cells) columns.insert(cell.first);
    return {.kind = kind,
            .facts = {.columns = Columns(columns.begin(), columns.end()), .column = column, .winner = Side(side)},
            .cells = cells};
}

// By the first of these columns that makes one.
Found first_fork(const char* kind, const GameBoard& board, const Columns& columns) {
    for (const int column : columns)
        if (board.makes_fork(column)) return fork(kind, board, column);
    return std::nullopt;
}

// The other cells run out on the loser's turn since they are an even number and the winner is to move.
void explain_drop_beneath(ReasonFacts& facts, const GameBoard& board, const Columns& line) {
    const GameBoard before = after_drops(board, {line.begin(), line.end() - 2});
    const bool is_last_column = before.legal_columns() == Columns{line.back()};
    facts.why = is_last_column ? WhyBeneath::parity : WhyBeneath::squeezed;
    if (is_last_column) facts.cells_left = int(line.size()) - 1;
}

// A threat that is there already, one that will be, or a line made in open play. Nothing where the line of play does not
// end with a win of the side to move.
Found threat(const std::string& whose, const GameBoard& board, const Columns& line) {
    const GameBoard end = after_drops(board, line);
    if (line.size() % 2 == 0 || !end.won()) return std::nullopt;
    const int winner = board.side_to_move();
    const Cell cell = *end.last();
    const bool beneath = line.size() > 1 && line[line.size() - 2] == cell.first;  // the loser's last disc
    ReasonFacts facts{.column = line.front(),
                      .threat_column = cell.first,
                      .row = cell.second,
                      .run = board.variant().run,
                      .move = board.ply() + int(line.size()) - beneath,
                      .winner = Side(winner),
                      .loser = Side(1 - winner)};
    if (!beneath) return Reason{.kind = whose + "_open_play", .facts = facts, .cells = {cell}};
    explain_drop_beneath(facts, board, line);
    const char* when = board.threats(winner).count(cell) ? "_lasting_threat" : "_coming_threat";
    return Reason{.kind = whose + when, .facts = facts, .cells = {cell}};
}

// The win that was there or the loss that followed, whichever is seen sooner, followed to its end.
Found sooner_threat(const GameBoard& before, const Columns& better, const GameBoard& after, const Columns& refutation) {
    const bool missed_first = better.size() <= refutation.size();
    for (const bool missed : {missed_first, !missed_first})
        if (Found found = missed ? threat("missed", before, better) : threat("allowed", after, refutation))
            return found;
    return std::nullopt;
}

}  // namespace

GameBoard after_drops(GameBoard board, const Columns& columns) {
    for (const int column : columns) board.drop(column);
    return board;
}

Reason reason_of(const GameBoard& before, int played, const Judged& judged, const BestLine& best_line) {
    const GameBoard after = after_drops(before, {played});
    Columns better{judged.best_columns().front()}, refutation;
    if (judged.exact) {
        const Columns rest = best_line(after_drops(before, better));
        better.insert(better.end(), rest.begin(), rest.end());
        refutation = best_line(after);
    }
    Found found = missed_win(before);
    if (!found) found = allowed_win(after, played);
    if (!found) found = first_fork("allowed_fork", after, players::centre_first(after));
    if (!found) found = first_fork("missed_fork", before, judged.best_columns());
    if (!found) found = sooner_threat(before, better, after, refutation);
    if (!found)
        found = {.kind = judged.exact ? "score_prefers" : "engine_prefers",
                 .facts = {.columns = judged.best_columns()}};
    if (found->line.empty()) found->line = better;
    if (!refutation.empty()) found->refutation = refutation;
    return *found;
}

}  // namespace connectk::analysis
