// The score of each column: exact if the time is enough, otherwise bounds and estimates.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../describe.hpp"
#include "../players/chooser.hpp"

namespace connectk::analysis {

using ScoreBounds = std::pair<std::int64_t, std::int64_t>;

// What is known of each column, seen from the side to move; a full column has no value.
struct ColumnScores {
    bool exact = true;
    std::optional<std::vector<std::optional<std::int64_t>>> scores;  // present if all are exact
    std::optional<std::vector<std::optional<int>>>
        discs;  // present with `scores`: how many discs the winner still needs; none for a draw
    std::vector<std::optional<ScoreBounds>> bounds;
    std::optional<std::vector<std::optional<double>>>
        estimates;  // present if some scores are not exact: expected results from -1 to 1

    static constexpr auto fields() {
        return std::tuple{Field{"exact", &ColumnScores::exact}, Field{"scores", &ColumnScores::scores},
                          Field{"discs", &ColumnScores::discs}, Field{"bounds", &ColumnScores::bounds},
                          Field{"estimates", &ColumnScores::estimates}};
    }
};

// `solver` is null for a board that it does not support.
ColumnScores score_columns(players::Chooser& chooser, Solver* solver, const GameBoard& board,
                           const players::Deadline& deadline, bool with_estimates = true);

// The columns of best play to the end; empty if the time is too short or there is no solver.
std::vector<int> best_line(Solver* solver, const GameBoard& board, const players::Deadline& deadline);

}  // namespace connectk::analysis
