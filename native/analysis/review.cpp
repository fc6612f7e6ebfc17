#include "review.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "columns.hpp"

namespace connectk::analysis {
namespace {

constexpr double retry_time_share =
    0.1;  // the exact search's share of the time after it was too slow for a later position
constexpr double engine_time_share = 0.1;  // the share of the time for each of up to three engine searches
constexpr double min_won_height = 0.6;     // the lowest height of a proven win in the graph; estimates stay below

// Grades the positions of one game within a time for each, from the last to the first.
class PositionGrader {
public:
    PositionGrader(players::Chooser& chooser, const Variant& variant, const ReviewOptions& options)
        : chooser_(chooser), solver_(chooser.solver_for(variant)), options_(options) {}

    bool is_stopped() { return stopped_ = stopped_ || (options_.stopped && options_.stopped()); }

    ColumnGrades grade(const GameBoard& board, int played) {
        if (auto grades = exact(board)) return *grades;
        return estimate(board, played);
    }

    std::vector<int> best_line(const GameBoard& board) {
        return analysis::best_line(solver_, board, deadline_for_share(1));
    }

    Severity severity(const GameBoard& before, int played, const ColumnGrades& grades) {
        const auto wins = [this](const GameBoard& board) { return winning_columns(board); };
        return SeverityJudge(chooser_, wins, [this] { return is_stopped(); }).judge(before, played, grades);
    }

private:
    players::Deadline deadline_for_share(double share) {
        return players::Deadline(
            std::max(share * options_.seconds, 1e-6), [this] { return is_stopped(); }, options_.threads);
    }

    std::optional<ColumnGrades> exact(const GameBoard& board) {
        if (!solver_) return std::nullopt;
        const auto found =
            score_columns(chooser_, solver_, board, deadline_for_share(exact_failed_ ? retry_time_share : 1), false);
        if (!found.exact) {
            exact_failed_ = true;  // earlier positions are even harder, unless the book has them
            return std::nullopt;
        }
        ColumnGrades grades;
        for (const int column : board.legal_columns()) {
            const std::int64_t score = *(*found.scores)[std::size_t(column)];
            grades.columns[column] = {double(score), score};
        }
        return grades;
    }

    // Grades the engine's column and the played column. Both are searched after the drop, so that the scores are
    // comparable.
    ColumnGrades estimate(const GameBoard& board, int played) {
        const int best = engine_choice(board).column;
        ColumnGrades grades{.columns = {{best, expected(after_drops(board, {best}))}}, .exact = false};
        if (played == best) return grades;
        const ColumnScore value = grades.columns[played] = expected(after_drops(board, {played}));
        if (grades.columns.at(best).score < value.score)  // the second search disagrees with the first
            grades.columns[best] = {value.score};
        return grades;
    }

    std::optional<std::vector<int>> winning_columns(const GameBoard& board) {
        if (!solver_) return std::nullopt;
        const auto found = score_columns(chooser_, solver_, board, deadline_for_share(1), false);
        if (!found.exact) return std::nullopt;
        std::vector<int> columns;
        for (const int column : board.legal_columns())
            if (*(*found.scores)[std::size_t(column)] > 0) columns.push_back(column);
        return columns;
    }

    players::Choice engine_choice(const GameBoard& board) {
        return chooser_.play_engine(board, deadline_for_share(engine_time_share));
    }

    // The expected result for the side that has just moved.
    ColumnScore expected(const GameBoard& after) {
        if (after.over()) {
            const std::int64_t exact = after.won() ? after.win_score(after.ply()) : 0;
            return {double(sign(exact)), exact};
        }
        const players::Choice found = engine_choice(after);
        const double score = found.score.value_or(0);
        if (found.proven) return {double(sign(-score)), std::int64_t(-score)};
        return {-std::clamp(score, -1.0, 1.0)};
    }

    players::Chooser& chooser_;
    Solver* const solver_;
    const ReviewOptions& options_;
    bool exact_failed_ = false, stopped_ = false;
};

Worth worth_of(const ColumnScore& column, const GameBoard& board) {
    if (!column.exact) return {WorthKind::about, 0, column.score};
    const std::int64_t score = *column.exact;
    if (score == 0) return {WorthKind::draw};
    const int count = players::discs_to_win(board.cells(), board.ply(), score);
    return {score > 0 ? WorthKind::wins : WorthKind::loses, count};
}

double height_of(const ColumnScore& column, const GameBoard& board) {
    double height = min_won_height * column.score;
    if (column.exact) {
        const double share = double(std::abs(*column.exact)) / double(board.win_score(1));
        height = sign(column.score) * (min_won_height + (1 - min_won_height) * share);
    }
    return board.side_to_move() == 0 ? height : -height;
}

// The cells where the first drops of a line land, at most `max_shown_line_discs` of them.
std::vector<Cell> cells_of(GameBoard board, const std::vector<int>& line) {
    std::vector<Cell> cells;
    for (const int column : line) {
        if (cells.size() == max_shown_line_discs) break;
        board.drop(column);
        cells.push_back(*board.last());
    }
    return cells;
}

std::vector<std::pair<int, double>> scores_of(const ColumnGrades& grades) {
    std::vector<std::pair<int, double>> scores;
    for (const auto& [column, value] : grades.columns) scores.push_back({column, value.score});
    return scores;
}

// The review of a move without its label and the fields that depend on the label.
MoveReview graded_move(const GameBoard& board, int column, const ColumnGrades& grades) {
    const ColumnScore &best = grades.columns.at(grades.best_columns().front()), &played = grades.columns.at(column);
    return {.number = board.ply() + 1,
            .side = Side(board.side_to_move()),
            .column = column,
            .row = board.height_of(column),
            .before = best.score,
            .after = played.score,
            .worth_before = worth_of(best, board),
            .worth_after = worth_of(played, board),
            .exact = grades.exact,
            .proven = best.exact && played.exact,
            .best_columns = grades.best_columns(),
            .scores = scores_of(grades),
            .advantage = height_of(played, board),
            .advantage_before = height_of(best, board)};
}

void set_reasons(MoveReview& move, const GameBoard& board, Reasons found) {
    move.better_cells = cells_of(board, found.line);
    move.refutation_cells = cells_of(after_drops(board, {move.column}), found.refutation);
    move.reasons = std::move(found.reasons);
    move.better_line = std::move(found.line);
    move.refutation = std::move(found.refutation);
}

// The result is meaningless if the grader was stopped.
MoveReview review_move(PositionGrader& grader, const GameBoard& board, int column, bool is_given) {
    const ColumnGrades grades = grader.grade(board, column);
    MoveReview move = graded_move(board, column, grades);
    move.ledger = ledger_of(after_drops(board, {column}));
    if (is_given) return move.label = Label::given, move;
    const Severity severity = grader.severity(board, column, grades);
    move.label = severity.label;
    move.seen_by = severity.seen_by;
    move.was_lost = severity.was_lost;
    if (grades.best_columns().size() < grades.columns.size()) move.mark = mark_of(severity.label);
    const auto best_line = [&](const GameBoard& from) { return grader.best_line(from); };
    if (severity.label <= Label::fine_point) set_reasons(move, board, reasons_of(board, column, grades, best_line));
    return move;
}

std::optional<Side> winner_of(const GameBoard& board) {
    return board.won() ? std::optional(Side(1 - board.side_to_move())) : std::nullopt;
}

// The side that has won or has a proven win after the last move.
std::optional<Side> ahead_after(const MoveReview& last) {
    if (!last.proven || last.after == 0) return std::nullopt;
    return last.after > 0 ? last.side : Side(1 - int(last.side));
}

void set_accuracy(Review& review) {
    for (const MoveReview& move : review.moves) {
        if (!move.mark) continue;
        Marks& marks = review.marks.of(move.side);
        std::optional<double>& mean = review.accuracy.of(move.side);
        marks.estimated += !move.proven;
        ++marks.count;
        mean = mean.value_or(0) + (*move.mark - mean.value_or(0)) / marks.count;
    }
}

// Whether the move threw away a win or a draw. Estimates prove that of no move, so there the label decides.
bool fell(const MoveReview& move) {
    if (move.label == Label::given) return false;
    return move.proven ? sign(move.after) < sign(move.before) : move.label <= Label::mistake;
}

void set_turning_points(Review& review) {
    std::vector<GradedMove> graded;
    for (const MoveReview& move : review.moves)
        graded.push_back({move.side, move.label, move.was_lost, fell(move), move.proven && move.after < 0});
    const auto winner = review.winner ? review.winner : ahead_after(review.moves.back());
    const auto number_of = [&](std::optional<int> index) {
        return index ? std::optional(review.moves[std::size_t(*index)].number) : std::nullopt;
    };
    review.turning_point = number_of(turning_point_of(graded, winner));
    review.lost_at = number_of(losing_move_of(graded, winner));
}

}  // namespace

std::optional<Review> review_game(players::Chooser& chooser, GameBoard board, const ReviewOptions& options) {
    assert(options.moves <= int(board.drops().size()));
    PositionGrader grader(chooser, board.variant(), options);
    const std::optional<Side> winner = winner_of(board);
    std::vector<MoveReview> moves;
    for (int index = options.moves; index-- > 0;) {  // late positions are quick and fill the table for early ones
        const int column = board.drops().back();
        board.undo();
        moves.push_back(review_move(grader, board, column, index < options.given));
        if (grader.is_stopped()) return std::nullopt;
        if (options.on_move_done && !options.on_move_done(options.moves - index)) return std::nullopt;
    }
    std::reverse(moves.begin(), moves.end());
    return sum_up(std::move(moves), winner);
}

Review sum_up(std::vector<MoveReview> moves, std::optional<Side> winner) {
    Review review;
    review.winner = winner;
    review.moves = std::move(moves);
    if (review.moves.empty()) return review;
    for (const MoveReview& move : review.moves) {
        review.given += move.label == Label::given;
        review.exact &= move.exact;
    }
    review.advantage = review.moves.front().advantage_before;
    set_turning_points(review);
    set_accuracy(review);
    return review;
}

}  // namespace connectk::analysis
