// What each column is worth: exact scores within a time, or else the bounds that are known and what to expect.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../describe.hpp"
#include "../players/chooser.hpp"

namespace connectk::analysis {

using ScoreBounds = std::pair<std::int64_t, std::int64_t>;

// For the side to move; nothing where no disc fits.
struct ColumnScores {
    bool exact = true;
    std::optional<std::vector<std::optional<std::int64_t>>> scores;  // where all are exact
    std::optional<std::vector<std::optional<int>>> discs;  // of the winner to its win, there; nothing for a draw
    std::vector<std::optional<ScoreBounds>> bounds;
    std::optional<std::vector<std::optional<double>>> estimates;  // where they are not exact, from -1 to 1

    static constexpr auto fields() {
        return std::tuple{Field{"exact", &ColumnScores::exact}, Field{"scores", &ColumnScores::scores},
                          Field{"discs", &ColumnScores::discs}, Field{"bounds", &ColumnScores::bounds},
                          Field{"estimates", &ColumnScores::estimates}};
    }
};

// By this solver, which is null for a board that none is for.
ColumnScores score_columns(players::Chooser& chooser, Solver* solver, const GameBoard& board,
                           const players::Deadline& deadline, bool with_estimates = true);

// Best play to the end; nothing where it is not found in time, or there is no solver.
std::vector<int> best_line(Solver* solver, const GameBoard& board, const players::Deadline& deadline);

}  // namespace connectk::analysis
