// Why a move was a blunder, and what was better: the threat that decided it, as facts that a host puts into words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../board/game_board.hpp"
#include "judged.hpp"

namespace connectk::analysis {

// Why the loser has to drop beneath a threat: the other cells run out on the loser's turn, or what is left loses as well.
enum class WhyBeneath { parity, squeezed };
constexpr auto names_of(WhyBeneath) { return std::array{"parity", "squeezed"}; }

// What a reason tells of; each kind has some of these. Columns and rows count from 0, discs from 1.
struct ReasonFacts {
    std::optional<std::vector<int>> columns{};
    std::optional<int> column{}, threat_column{}, row{}, run{}, move{};
    std::optional<Side> winner{}, loser{};
    std::optional<WhyBeneath> why{};
    std::optional<int> cells_left{};

    static constexpr bool omits_absent = true;
    static constexpr auto fields() {
        using Facts = ReasonFacts;
        return std::tuple{Field{"columns", &Facts::columns},
                          Field{"column", &Facts::column},
                          Field{"threat_column", &Facts::threat_column},
                          Field{"row", &Facts::row},
                          Field{"run", &Facts::run},
                          Field{"move", &Facts::move},
                          Field{"winner", &Facts::winner},
                          Field{"loser", &Facts::loser},
                          Field{"why", &Facts::why},
                          Field{"cells_left", &Facts::cells_left}};
    }
};

struct Reason {
    std::string kind;
    ReasonFacts facts{};
    std::vector<Cell> cells{};      // those to look at
    std::vector<int> line{};        // how play should have gone on
    std::vector<int> refutation{};  // how the move is met
};

// Best play from a position to the end; empty where it is not found in time.
using BestLine = std::function<std::vector<int>(const GameBoard& board)>;

// The plainest reason there is: a missed win, a win allowed, two threats at once, or a threat that lasts.
Reason reason_of(const GameBoard& before, int played, const Judged& judged, const BestLine& best_line);

GameBoard after_drops(GameBoard board, const std::vector<int>& columns);

}  // namespace connectk::analysis
