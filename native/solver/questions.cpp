// What a Solver is asked: each question is one call, and takes what it can from the rules and the book before it searches.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "../refuse.hpp"
#include "parts.hpp"
#include "rules.hpp"

namespace connectk {

namespace {

constexpr int any_loss = -1000;  // worse than any score

int sign(int score) { return (score > 0) - (score < 0); }

book::Discs discs_of(const Board& board) {
    return {static_cast<std::uint64_t>(board.own), static_cast<std::uint64_t>(board.all & ~board.own)};
}

// The least that a drop must be worth to count as best; when only the result matters, one loss is like another.
int worth_keeping(Goal goal, int score) { return goal == Goal::score || score >= 0 ? score : any_loss; }

// One question and all the searches that it takes, which share their limits and are counted together.
class SolverCall {
public:
    SolverCall(Solver::Parts& parts, Goal goal, const SearchLimits& limits, Progress* progress)
        : parts_(parts), v_(parts.variant), goal_(goal), threads_(limits.threads), watch_(limits, progress) {}

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

    // The bounds of a drop, for the side that makes it; nothing where no disc fits.
    std::optional<Bounds> find_after(const Board& board, int column) {
        const auto after = drop(v_, board, column);
        if (!after) return std::nullopt;
        const Bounds found = find(*after);
        return with_costs(Bounds{-found.upper, -found.lower, 0, 0, found.source});
    }

    // Every column that keeps the score; none when a limit came first.
    Drops best_columns(const Board& board, int score) {
        Drops best;
        for (int column = 0; column < v_.width && best.complete; ++column) {
            const auto after = drop(v_, board, column);
            if (!after) continue;
            const auto kept = keeps(*after, worth_keeping(goal_, score));
            if (!kept) best.complete = false;
            else if (*kept) best.columns.push_back(column);
        }
        return best;
    }

    // Best play for both sides, to the end or for so many discs.
    Drops line(Board board, int score, int most) {
        Drops line;
        for (; !is_over(v_, board) && static_cast<int>(line.columns.size()) < most; score = -score) {
            const auto column = one_that_keeps(board, worth_keeping(goal_, score));
            if (!column) {
                line.complete = false;
                break;
            }
            line.columns.push_back(*column);
            board = *drop(v_, board, *column);
        }
        return line;
    }

    // The answer with what was done since the one before.
    template <class Answer>
    Answer with_costs(Answer answer) {
        answer.nodes = watch_.nodes() - nodes_told_;
        answer.seconds = watch_.seconds() - seconds_told_;
        nodes_told_ += answer.nodes;
        seconds_told_ += answer.seconds;
        return answer;
    }

    // `budget` is for this search alone; 0 leaves it the question's.
    Bounds search_window(const Board& board, int alpha, int beta, std::uint64_t budget = 0) {
        const std::uint64_t limit = watch_.allowed();
        if (budget) watch_.allow(std::min(watch_.nodes() + budget, limit ? limit : ~std::uint64_t(0)));
        const Bounds found = parts_.close_gap(board, alpha, beta, watch_, threads_);
        watch_.allow(limit);
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
        return parts_.book ? parts_.book->score(discs_of(board)) : std::nullopt;
    }

    Bounds search(const Board& board, int alpha, int beta, std::uint64_t budget = 0) {
        const auto floor = floor_from_book(board);
        if (!floor || *floor < alpha) return search_window(board, alpha, beta, budget);
        if (*floor >= beta) return {*floor, win_with_disc(v_.cells(), count_bits(board.all) + 1), 0, 0, Source::book};
        Bounds found = search_window(board, *floor, *floor + 1, budget);  // most often the floor is the score
        if (found.lower > *floor && found.lower < beta && !found.exact()) {
            const Bounds more = search_window(board, found.lower, beta, budget);
            found.upper = std::min(found.upper, more.upper);
            found.lower = std::max(found.lower, more.lower);
        }
        found.lower = std::max(found.lower, *floor);
        assert(found.lower <= found.upper);
        return found;
    }

    // One disc beyond the book: whoever played that disc could have had no more than the book's score.
    std::optional<int> floor_from_book(const Board& board) const {
        if (!parts_.book || count_bits(board.all) != parts_.book->header().discs + 1) return std::nullopt;
        std::optional<int> floor;
        const Bits theirs = board.all & ~board.own;
        for (Bits tops = theirs & ~(board.all >> 1); any(tops);) {
            const Bits last = bit_at<Bits>(take_lowest(tops));
            const auto score = score_in_book({theirs ^ last, board.all ^ last});
            if (score) floor = std::max(floor.value_or(-*score), -*score);
        }
        return floor;
    }

    // Whether the drop that led here is worth `score`; nothing when a limit came before it was clear.
    std::optional<bool> keeps(const Board& after, int score, std::uint64_t budget = 0) {
        const auto known = without_search(after);
        const Bounds found = known ? *known : search(after, -score, -score + 1, budget);
        if (found.upper <= -score) return true;
        if (found.lower > -score) return false;
        return std::nullopt;
    }

    // Some best column. The table often knows one, so short looks at all columns come before long ones.
    std::optional<int> one_that_keeps(const Board& board, int score) {
        constexpr std::uint64_t first_glance = 500;
        std::vector<int> candidates = open_columns_from_the_middle(board);
        for (std::uint64_t budget = first_glance; candidates.size() > 1 && !watch_.over(); budget *= 8) {
            std::vector<int> unclear;
            for (int column : candidates) {
                const auto verdict = keeps(*drop(v_, board, column), score, budget);
                if (!verdict) unclear.push_back(column);
                else if (*verdict) return column;
            }
            candidates = unclear;
        }
        if (candidates.empty() || watch_.over()) return std::nullopt;
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

    Solver::Parts& parts_;
    const Variant& v_;
    Goal goal_;
    int threads_;
    Watch watch_;
    std::uint64_t nodes_told_ = 0;
    double seconds_told_ = 0;
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
    SolverCall call(*parts_, goal, limits, progress);
    return call.with_costs(call.find(board));
}

Bounds Solver::solve_window(const Board& board, int alpha, int beta, const SearchLimits& limits, Progress* progress) {
    if (alpha >= beta) refuse<std::invalid_argument>("a window begins below its end");
    SolverCall call(*parts_, Goal::score, limits, progress);
    return call.with_costs(call.search_window(board, alpha, beta));
}

std::vector<std::optional<Bounds>> Solver::score_columns(const Board& board, Goal goal, const SearchLimits& limits,
                                                         Progress* progress) {
    SolverCall call(*parts_, goal, limits, progress);
    std::vector<std::optional<Bounds>> columns;
    for (int column = 0; column < variant().width; ++column) {
        columns.push_back(call.find_after(board, column));
    }
    return columns;
}

Drops Solver::best_columns(const Board& board, int score, Goal goal, const SearchLimits& limits, Progress* progress) {
    SolverCall call(*parts_, goal, limits, progress);
    return call.with_costs(call.best_columns(board, score));
}

Drops Solver::line(const Board& board, int score, Goal goal, int most, const SearchLimits& limits, Progress* progress) {
    SolverCall call(*parts_, goal, limits, progress);
    return call.with_costs(call.line(board, score, most ? most : variant().cells()));
}

}  // namespace connectk
