// The threat ledger: each side's threats in odd and in even rows, and which side runs out of harmless cells first.
#pragma once

#include <optional>
#include <vector>

#include "../board/game_board.hpp"
#include "../describe.hpp"

namespace connectk::analysis {

// One value for each side.
template <class T>
struct BySide {
    T first{}, second{};

    T& of(Side side) { return side == Side::first ? first : second; }
    static constexpr auto fields() {
        return std::tuple{Field{"first", &BySide::first}, Field{"second", &BySide::second}};
    }
};

// Empty cells where a side would complete a line. Rows are odd or even as people count them, from 1.
struct ThreatCells {
    std::vector<Cell> odd{}, even{};

    static constexpr auto fields() {
        return std::tuple{Field{"odd", &ThreatCells::odd}, Field{"even", &ThreatCells::even}};
    }
};

// How the game ends if no new threat comes up and both sides drop into harmless cells while there are any. A cell is
// harmless if neither this cell nor a cell below it lies just beneath the lowest threat of its column.
struct HarmlessCount {
    int cells = 0;
    Side runs_out = Side::first;   // the side that first has to drop beneath a threat
    std::optional<Side> winner{};  // wins right after that; none if `runs_out` has a threat of its own to drop beneath

    static constexpr auto fields() {
        return std::tuple{Field{"cells", &HarmlessCount::cells}, Field{"runs_out", &HarmlessCount::runs_out},
                          Field{"winner", &HarmlessCount::winner}};
    }
};

struct Ledger {
    BySide<ThreatCells> threats{};
    std::optional<HarmlessCount> count{};  // none if there is no threat, or if a threat can be played now

    static constexpr auto fields() {
        return std::tuple{Field{"threats", &Ledger::threats}, Field{"count", &Ledger::count}};
    }
};

// The ledger of a board; empty once the game is over.
Ledger ledger_of(const GameBoard& board);

}  // namespace connectk::analysis
