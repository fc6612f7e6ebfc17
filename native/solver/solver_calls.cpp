// The public calls of Solver: each uses the rules and the book first, and searches only if they do not answer it.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "../throw_or_abort.hpp"
#include "solver_impl.hpp"
#include "rules.hpp"

namespace connectk {

namespace {

constexpr int below_any_score = -1000;  // worse than any score

int sign(int score) { return (score > 0) - (score < 0); }

book::Discs discs_of(const Board& board) {
    return {static_cast<std::uint64_t>(board.own), static_cast<std::uint64_t>(board.all & ~board.own)};
}

// The least score of a best drop; if only the result matters, all losses are equal.
int min_score_to_keep(Goal goal, int score) { return goal == Goal::score || score >= 0 ? score : below_any_score; }

// One call of the solver; all its searches share limits and counters.
class SolverCall {
public:
    SolverCall(Solver::Impl& impl, Goal goal, const SearchLimits& limits, Progress* progress)
        : impl_(impl), v_(impl.variant), goal_(goal), threads_(limits.threads), watch_(limits, progress) {}

    Bounds find(const Board& board) {
        Bounds found;
        if (const auto known = without_search(board)) found = *known;
        else {
            const int highest = goal_ == Goal::score ? win_with_disc(v_.cells(), count_bits(board.all) + 1) : 1;
            found = search(board, -highest, highest);
        }
        assert(found.lower <= found.upper);
        if (goal_ == Goal::result) found.lower = sign(found.lower), found.upper = sign(found.upper);
        return found;
    }

    // The bounds of a drop, for the side that makes it; none if the column is full.
    std::optional<Bounds> find_after(const Board& board, int column) {
        const auto after = drop(v_, board, column);
        if (!after) return std::nullopt;
        const Bounds found = find(*after);
        return with_costs(Bounds{-found.upper, -found.lower, 0, 0, found.source});
    }

    // Every column that keeps the score; incomplete if a limit is reached.
    Drops best_columns(const Board& board, int score) {
        Drops best;
        for (int column = 0; column < v_.width && best.complete; ++column) {
            const auto after = drop(v_, board, column);
            if (!after) continue;
            const auto kept = keeps_score(*after, min_score_to_keep(goal_, score));
            if (!kept) best.complete = false;
            else if (*kept) best.columns.push_back(column);
        }
        return best;
    }

    // A line of best play of at most `max_drops` drops.
    Drops line(Board board, int score, int max_drops) {
        Drops line;
        for (; !is_over(v_, board) && static_cast<int>(line.columns.size()) < max_drops; score = -score) {
            const auto column = find_column_that_keeps(board, min_score_to_keep(goal_, score));
            if (!column) {
                line.complete = false;
                break;
            }
            line.columns.push_back(*column);
            board = *drop(v_, board, *column);
        }
        return line;
    }

    // Adds the nodes and seconds since the previous answer.
    template <class Answer>
    Answer with_costs(Answer answer) {
        answer.nodes = watch_.nodes() - reported_nodes_;
        answer.seconds = watch_.seconds() - reported_seconds_;
        reported_nodes_ += answer.nodes;
        reported_seconds_ += answer.seconds;
        return answer;
    }

    // `budget` limits the nodes of this search only; 0: the call's own limit.
    Bounds search_window(const Board& board, int alpha, int beta, std::uint64_t budget = 0) {
        const std::uint64_t limit = watch_.max_nodes();
        if (budget) watch_.set_max_nodes(std::min(watch_.nodes() + budget, limit ? limit : ~std::uint64_t(0)));
        const Bounds found = impl_.close_gap(board, alpha, beta, watch_, threads_);
        watch_.set_max_nodes(limit);
        return found;
    }

private:
    std::optional<Bounds> without_search(const Board& board) const {
        if (is_over(v_, board)) {
            const int score = last_disc_won(v_, board) ? -win_with_disc(v_.cells(), count_bits(board.all)) : 0;
            return Bounds{score, score, 0, 0, Source::rules};
        }
        const auto score = score_in_book(board);
        if (!score) return std::nullopt;
        return Bounds{*score, *score, 0, 0, Source::book};
    }

    std::optional<int> score_in_book(const Board& board) const {
        return impl_.book ? impl_.book->score(discs_of(board)) : std::nullopt;
    }

    Bounds search(const Board& board, int alpha, int beta, std::uint64_t budget = 0) {
        const auto floor = floor_from_book(board);
        if (!floor || *floor < alpha) return search_window(board, alpha, beta, budget);
        if (*floor >= beta) return {*floor, win_with_disc(v_.cells(), count_bits(board.all) + 1), 0, 0, Source::book};
        Bounds found = search_window(board, *floor, *floor + 1, budget);  // the floor usually is the score
        if (found.lower > *floor && found.lower < beta && !found.exact()) {
            const Bounds more = search_window(board, found.lower, beta, budget);
            found.upper = std::min(found.upper, more.upper);
            found.lower = std::max(found.lower, more.lower);
        }
        found.lower = std::max(found.lower, *floor);
        assert(found.lower <= found.upper);
        return found;
    }

    // A lower bound for a position one disc beyond the book: the side that moved last could not get more than the
    // book's score.
    std::optional<int> floor_from_book(const Board& board) const {
        if (!impl_.book || count_bits(board.all) != impl_.book->header().discs + 1) return std::nullopt;
        std::optional<int> floor;
        const Bits theirs = board.all & ~board.own;
        for (Bits tops = theirs & ~(board.all >> 1); any(tops);) {
            const Bits last = bit_at<Bits>(take_lowest(tops));
            const auto score = score_in_book({theirs ^ last, board.all ^ last});
            if (score) floor = std::max(floor.value_or(-*score), -*score);
        }
        return floor;
    }

    // Whether the previous drop keeps `score`; none if a limit was reached first.
    std::optional<bool> keeps_score(const Board& after, int score, std::uint64_t budget = 0) {
        const auto known = without_search(after);
        const Bounds found = known ? *known : search(after, -score, -score + 1, budget);
        if (found.upper <= -score) return true;
        if (found.lower > -score) return false;
        return std::nullopt;
    }

    // Some column that keeps the score. The table often contains one, so all columns get a short search before any long
    // search.
    std::optional<int> find_column_that_keeps(const Board& board, int score) {
        constexpr std::uint64_t first_budget = 500;
        std::vector<int> candidates = open_columns_from_the_middle(board);
        for (std::uint64_t budget = first_budget; candidates.size() > 1 && !watch_.should_stop(); budget *= 8) {
            std::vector<int> unclear;
            for (int column : candidates) {
                const auto verdict = keeps_score(*drop(v_, board, column), score, budget);
                if (!verdict) unclear.push_back(column);
                else if (*verdict) return column;
            }
            candidates = unclear;
        }
        if (candidates.empty() || watch_.should_stop()) return std::nullopt;
        return candidates.front();
    }

    std::vector<int> open_columns_from_the_middle(const Board& board) const {
        std::vector<int> columns;
        for (int column = 0; column < v_.width; ++column) {
            if (drop(v_, board, column)) columns.push_back(column);
        }
        const auto off = [this](int column) { return std::abs(2 * column - v_.width + 1); };
        std::stable_sort(columns.begin(), columns.end(), [&](int a, int b) { return off(a) < off(b); });
        return columns;
    }

    Solver::Impl& impl_;
    const Variant& v_;
    Goal goal_;
    int threads_;
    Watch watch_;
    std::uint64_t reported_nodes_ = 0;
    double reported_seconds_ = 0;
};

}  // namespace

bool possible(const Variant& v, const Board& board) {
    const Bits bottom = repeated(Bits{1}, v.height + 1, v.width);
    const Bits cells = repeated(ones<Bits>(v.height), v.height + 1, v.width);
    const bool floating = any((board.all + bottom) & board.all);
    const bool elsewhere = any(board.own & ~board.all) || any(board.all & ~cells);
    const bool in_turn = count_bits(board.own) == count_bits(board.all) / 2;
    return !floating && !elsewhere && in_turn && !has_line(Outline(v), board.own);
}

std::optional<Board> board_after(const Variant& v, const std::vector<int>& columns) {
    Board board;
    for (int column : columns) {
        assert(possible(v, board));
        if (column < 0 || column >= v.width || is_over(v, board)) return std::nullopt;
        const auto after = drop(v, board, column);
        if (!after) return std::nullopt;
        board = *after;
    }
    return board;
}

Bounds Solver::solve(const Board& board, Goal goal, const SearchLimits& limits, Progress* progress) {
    SolverCall call(*impl_, goal, limits, progress);
    return call.with_costs(call.find(board));
}

Bounds Solver::solve_window(const Board& board, int alpha, int beta, const SearchLimits& limits, Progress* progress) {
    if (alpha >= beta) throw_or_abort<std::invalid_argument>("a window begins below its end");
    SolverCall call(*impl_, Goal::score, limits, progress);
    return call.with_costs(call.search_window(board, alpha, beta));
}

std::vector<std::optional<Bounds>> Solver::score_columns(const Board& board, Goal goal, const SearchLimits& limits,
                                                         Progress* progress) {
    SolverCall call(*impl_, goal, limits, progress);
    std::vector<std::optional<Bounds>> columns;
    for (int column = 0; column < variant().width; ++column) {
        columns.push_back(call.find_after(board, column));
    }
    return columns;
}

Drops Solver::best_columns(const Board& board, int score, Goal goal, const SearchLimits& limits, Progress* progress) {
    SolverCall call(*impl_, goal, limits, progress);
    return call.with_costs(call.best_columns(board, score));
}

Drops Solver::line(const Board& board, int score, Goal goal, int max_drops, const SearchLimits& limits,
                   Progress* progress) {
    SolverCall call(*impl_, goal, limits, progress);
    return call.with_costs(call.line(board, score, max_drops ? max_drops : variant().cells()));
}

}  // namespace connectk
