#include "review.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "columns.hpp"

namespace connectk::analysis {
namespace {

constexpr double hopeless_share = 0.1;  // of the time, for a search after one for a later position has failed
constexpr double look_share = 0.1;      // of the time, for each of the engine's three looks at a position
constexpr double won_height = 0.6;      // a won game is drawn at least so high; estimates stay below

// What the columns of a game's positions are worth, within the time for each. Asked for the last position first.
class Judge {
public:
    Judge(players::Chooser& chooser, const Variant& variant, const ReviewOptions& options)
        : chooser_(chooser), solver_(chooser.solver_for(variant)), options_(options) {}

    bool is_stopped() { return stopped_ = stopped_ || (options_.stopped && options_.stopped()); }

    Judged judge(const GameBoard& board, int played) {
        if (auto judged = exact(board)) return *judged;
        return estimate(board, played);
    }

    std::vector<int> best_line(const GameBoard& board) { return analysis::best_line(solver_, board, within(1)); }

private:
    players::Deadline within(double share) {
        return players::Deadline(
            std::max(share * options_.seconds, 1e-6), [this] { return is_stopped(); }, options_.threads);
    }

    std::optional<Judged> exact(const GameBoard& board) {
        if (!solver_) return std::nullopt;
        const auto found = score_columns(chooser_, solver_, board, within(hopeless_ ? hopeless_share : 1), false);
        if (!found.exact) {
            hopeless_ = true;  // the positions before it are harder still, unless the book knows them
            return std::nullopt;
        }
        Judged judged;
        for (const int column : board.legal_columns()) {
            const std::int64_t score = *(*found.scores)[std::size_t(column)];
            judged.columns[column] = {double(score), score};
        }
        return judged;
    }

    // The engine's column and the one played, each judged from the position after it, so that both are alike.
    Judged estimate(const GameBoard& board, int played) {
        const int best = look(board).column;
        Judged judged{.columns = {{best, expected(after_drops(board, {best}))}}, .exact = false};
        if (played == best) return judged;
        const ColumnScore value = judged.columns[played] = expected(after_drops(board, {played}));
        if (judged.score(best) < value.score)  // a second look that thinks less of it than the first one
            judged.columns[best] = {value.score};
        return judged;
    }

    players::Choice look(const GameBoard& board) { return chooser_.play_engine(board, within(look_share)); }

    // For the side that has just moved.
    ColumnScore expected(const GameBoard& after) {
        if (after.over()) {
            const std::int64_t exact = after.won() ? after.win_score(after.ply()) : 0;
            return {double(sign(exact)), exact};
        }
        const players::Choice found = look(after);
        const double score = found.score.value_or(0);
        if (found.proven) return {double(sign(-score)), std::int64_t(-score)};
        return {-std::clamp(score, -1.0, 1.0)};
    }

    players::Chooser& chooser_;
    Solver* const solver_;
    const ReviewOptions& options_;
    bool hopeless_ = false, stopped_ = false;
};

Worth worth_of(const ColumnScore& column, const GameBoard& board) {
    if (!column.exact) return {WorthKind::about, 0, column.score};
    const std::int64_t score = *column.exact;
    if (score == 0) return {WorthKind::draw};
    const int count = players::discs_to_win(board.cells(), board.ply(), score);
    return {score > 0 ? WorthKind::wins : WorthKind::loses, count};
}

double height_of(const ColumnScore& column, const GameBoard& board) {
    double height = won_height * column.score;
    if (column.exact) {
        const double share = double(std::abs(*column.exact)) / double(board.win_score(1));
        height = sign(column.score) * (won_height + (1 - won_height) * share);
    }
    return board.side_to_move() == 0 ? height : -height;
}

// Where the first drops of a line of play come to lie.
std::vector<Cell> cells_of(GameBoard board, const std::vector<int>& line) {
    std::vector<Cell> cells;
    for (const int column : line) {
        if (cells.size() == longest_shown_line) break;
        board.drop(column);
        cells.push_back(*board.last());
    }
    return cells;
}

std::vector<std::pair<int, double>> scores_of(const Judged& judged) {
    std::vector<std::pair<int, double>> scores;
    for (const auto& [column, value] : judged.columns) scores.push_back({column, value.score});
    return scores;
}

// All but the label and what follows from it.
MoveReview judged_move(const GameBoard& board, int column, const Judged& judged) {
    const ColumnScore &best = judged.columns.at(judged.best_columns().front()), &played = judged.columns.at(column);
    return {.number = board.ply() + 1,
            .side = Side(board.side_to_move()),
            .column = column,
            .row = board.height_of(column),
            .before = best.score,
            .after = played.score,
            .worth_before = worth_of(best, board),
            .worth_after = worth_of(played, board),
            .exact = judged.exact,
            .proven = best.exact && played.exact,
            .best_columns = judged.best_columns(),
            .scores = scores_of(judged),
            .advantage = height_of(played, board),
            .advantage_before = height_of(best, board)};
}

void put_reason(MoveReview& move, const GameBoard& board, Reason reason) {
    move.better_cells = cells_of(board, reason.line);
    move.refutation_cells = cells_of(after_drops(board, {move.column}), reason.refutation);
    move.reason_kind = std::move(reason.kind);
    move.reason_facts = std::move(reason.facts);
    move.cells = std::move(reason.cells);
    move.better_line = std::move(reason.line);
    move.refutation = std::move(reason.refutation);
}

// Without a meaning once the judge is stopped.
MoveReview review_move(Judge& judge, const GameBoard& board, int column, bool is_given) {
    const Judged judged = judge.judge(board, column);
    MoveReview move = judged_move(board, column, judged);
    move.label = is_given ? Label::given : judged.label(column);
    if (!is_given) move.mark = judged.mark(column);
    const auto best_line = [&](const GameBoard& from) { return judge.best_line(from); };
    if (move.label == Label::blunder) put_reason(move, board, reason_of(board, column, judged, best_line));
    return move;
}

std::optional<double> accuracy_of(const std::vector<MoveReview>& moves, Side side) {
    double sum = 0;
    int count = 0;
    for (const MoveReview& move : moves)
        if (move.side == side && move.mark) sum += *move.mark, ++count;
    return count ? std::optional(sum / count) : std::nullopt;
}

std::optional<Side> winner_of(const GameBoard& board) {
    return board.won() ? std::optional(Side(1 - board.side_to_move())) : std::nullopt;
}

// What follows from the moves.
void sum_up(Review& review) {
    for (const MoveReview& move : review.moves) {
        review.given += move.label == Label::given;
        review.exact &= move.exact;
        if (move.label == Label::blunder) review.turning_point = move.number;
    }
    if (!review.moves.empty()) review.advantage = review.moves.front().advantage_before;
    review.accuracy = {accuracy_of(review.moves, Side::first), accuracy_of(review.moves, Side::second)};
}

}  // namespace

std::optional<Review> review_game(players::Chooser& chooser, GameBoard board, const ReviewOptions& options) {
    assert(options.moves <= int(board.drops().size()));
    Judge judge(chooser, board.variant(), options);
    Review review;
    review.winner = winner_of(board);
    for (int index = options.moves; index-- > 0;) {  // late positions are easy and help early ones
        const int column = board.drops().back();
        board.undo();
        review.moves.push_back(review_move(judge, board, column, index < options.given));
        if (judge.is_stopped()) return std::nullopt;
        if (options.goes_on && !options.goes_on(options.moves - index)) return std::nullopt;
    }
    std::reverse(review.moves.begin(), review.moves.end());
    sum_up(review);
    return review;
}

}  // namespace connectk::analysis
