// Why a move was worse than another, and what was better. The statements are data that anyone can check; Python or the
// page puts them into words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../board/game_board.hpp"
#include "../describe.hpp"
#include "grades.hpp"

namespace connectk::analysis {

// Whether a statement is true whatever the other side does, or describes one line of play among others that may be as
// good.
enum class Holds { every_line, one_line };
constexpr auto names_of(Holds) { return std::array{"every_line", "one_line"}; }

// One statement. Columns and rows count from 0, discs from 1. `side` completes a line, or would have completed one.
struct Reason {
    std::string kind;
    Side side = Side::first;
    std::vector<Cell> cells{};  // the cells to show
    std::vector<int> line{};    // drops of both sides, from the board before a missed chance or after the move
    Holds holds = Holds::every_line;
    int run = 0;                        // discs in a line
    std::vector<int> columns{};         // the columns that the statement names
    std::optional<int> disc{};          // the number of the disc that completes the line
    std::optional<bool> last_column{};  // whether no other column is open when the loser drops beneath

    static constexpr bool omits_absent = true;
    static constexpr auto fields() {
        return std::tuple{Field{"kind", &Reason::kind},
                          Field{"side", &Reason::side},
                          Field{"cells", &Reason::cells},
                          Field{"line", &Reason::line},
                          Field{"holds", &Reason::holds},
                          Field{"run", &Reason::run},
                          Field{"columns", &Reason::columns},
                          Field{"disc", &Reason::disc},
                          Field{"last_column", &Reason::last_column}};
    }
};

// What can be said about a move that was not the best one.
struct Reasons {
    std::vector<Reason> reasons{};  // the plainest reason, if there is one
    std::vector<int> line{};        // one way to play on well, instead of the move
    std::vector<int> refutation{};  // one good way for the other side to answer the move
};

// Finds best play from a position to the end; the result is empty if the time is too short.
using BestLine = std::function<std::vector<int>(const GameBoard& board)>;

Reasons reasons_of(const GameBoard& before, int played, const ColumnGrades& grades, const BestLine& best_line);

GameBoard after_drops(GameBoard board, const std::vector<int>& columns);

}  // namespace connectk::analysis
