// A fast version of src/connectk/players/minimax.py for the named evaluations, with the same move order, values and
// nodes; tests compare the two.
#pragma once

#include <cassert>
#include <limits>

#include "evaluations.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

template <class Word>
class Minimax {
public:
    Minimax(const Geometry<Word>& g, Evaluation evaluation, Watch& watch)
        : g_(g), evaluation_(evaluation), counter_(watch) {}

    MinimaxResult run(const Board<Word>& board, int depth) {
        best_so_far_ = {0, {first_column(board)}, 0, false};
        Found found = value(board, depth, 0, -infinite, infinite);
        if (stopped_) {
            best_so_far_.nodes = counter_.nodes();
            return best_so_far_;
        }
        return {found.value, {found.line.rbegin(), found.line.rend()}, counter_.nodes(), true};
    }

private:
    struct Found {
        Score value;
        std::vector<int> line;  // the best line, last move first
    };

    static constexpr Score infinite = std::numeric_limits<Score>::max();
    static constexpr Score win = minimax_win, limit = win - max_minimax_moves - 1;

    int first_column(const Board<Word>& board) const {
        const Word moves = playable(g_, board);
        for (const int column : g_.order)
            if (any(moves & g_.columns[std::size_t(column)])) return column;
        return -1;
    }

    Found value(const Board<Word>& board, int depth, int played, Score alpha, Score beta) {
        assert(alpha < beta && depth >= 0);
        Found best{-infinite, {}};
        if (stopped_ || (stopped_ = counter_.count_and_check())) return best;
        if (has_line(g_, board.other())) return {-(win - played), {}};
        const Word moves = playable(g_, board);
        if (!any(moves)) return {0, {}};
        if (depth == 0) return {std::clamp(evaluate(g_, board, evaluation_), -limit, limit), {}};
        for (const int column : g_.order) {
            const Word move = moves & g_.columns[std::size_t(column)];
            if (!any(move)) continue;
            Found found = value(board.after(move), depth - 1, played + 1, -beta, -alpha);
            if (stopped_) return best;
            if (-found.value > best.value) {
                best = {-found.value, std::move(found.line)};
                best.line.push_back(column);
                if (played == 0) best_so_far_ = {best.value, {best.line.rbegin(), best.line.rend()}, 0, false};
            }
            alpha = std::max(alpha, best.value);
            if (alpha >= beta) break;
        }
        return best;
    }

    const Geometry<Word>& g_;
    Evaluation evaluation_;
    NodeCounter counter_;
    bool stopped_ = false;
    MinimaxResult best_so_far_;
};

}  // namespace connectk::players::CONNECTK_BUILD
