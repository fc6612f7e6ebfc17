#include "columns.hpp"

namespace connectk::analysis {
namespace {

constexpr double exact_time_share = 0.6;  // the share of the time for exact scores; the rest is for estimates

std::vector<std::optional<ScoreBounds>> bounds_of(Solver* solver, const GameBoard& board,
                                                  const players::Deadline& deadline) {
    std::vector<std::optional<ScoreBounds>> bounds(std::size_t(board.variant().width));
    if (solver && !board.over()) {
        const auto found = solver->score_columns(players::bits_of(board), Goal::score, deadline.limits());
        for (std::size_t column = 0; column < found.size(); ++column)
            if (found[column]) bounds[column] = ScoreBounds{found[column]->lower, found[column]->upper};
    } else {
        const std::int64_t max_score = board.win_score(1);
        for (const int column : board.legal_columns()) bounds[std::size_t(column)] = ScoreBounds{-max_score, max_score};
    }
    return bounds;
}

void set_exact(ColumnScores& found, const GameBoard& board) {
    found.scores.emplace(found.bounds.size());
    found.discs.emplace(found.bounds.size());
    for (std::size_t column = 0; column < found.bounds.size(); ++column) {
        if (!found.bounds[column]) continue;
        const std::int64_t score = found.bounds[column]->first;
        (*found.scores)[column] = score;
        if (score) (*found.discs)[column] = players::discs_to_win(board.cells(), board.ply(), score);
    }
}

// Every candidate column gets a search, however short.
void set_estimates(ColumnScores& found, players::Chooser& chooser, const GameBoard& board,
                   const players::Deadline& deadline) {
    found.estimates.emplace(found.bounds.size());
    const std::vector<int> columns = players::centre_first(board);
    for (std::size_t done = 0; done < columns.size(); ++done) {
        GameBoard after = board;
        after.drop(columns[done]);
        const double share = 1.0 / double(columns.size() - done);
        (*found.estimates)[std::size_t(columns[done])] = chooser.expected_after(after, deadline.share(share));
    }
}

}  // namespace

ColumnScores score_columns(players::Chooser& chooser, Solver* solver, const GameBoard& board,
                           const players::Deadline& deadline, bool with_estimates) {
    ColumnScores found;
    found.bounds = bounds_of(solver, board, deadline.share(with_estimates ? exact_time_share : 1.0));
    for (const auto& bounds : found.bounds) found.exact &= !bounds || bounds->first == bounds->second;
    if (found.exact) set_exact(found, board);
    else if (with_estimates) set_estimates(found, chooser, board, deadline);
    return found;
}

std::vector<int> best_line(Solver* solver, const GameBoard& board, const players::Deadline& deadline) {
    if (!solver || board.over()) return {};
    const Board bits = players::bits_of(board);
    const Bounds found = solver->solve(bits, Goal::score, deadline.limits());
    if (!found.exact()) return {};
    return solver->line(bits, found.lower, Goal::score, 0, deadline.limits()).columns;
}

}  // namespace connectk::analysis
