// The levels that play without a clock. They err like people: what is hard to see is overlooked first.
#pragma once

#include <array>
#include <cstdint>

#include "../describe.hpp"

namespace connectk::players {

// Chances are given in thousandths, so that every machine draws the same.
struct Level {
    int depth;            // moves ahead
    std::uint64_t nodes;  // positions looked at, at most
    int careless;         // how often it drops a disc without looking
    int straight;         // how often it notices, ahead of time, that a cell completes a level line ...
    int slanting;         // ... or a diagonal one
    int misjudgement;     // how far its judgement of a quiet board is off, at most
    bool looks_on;        // at the replies to its last move, and along forced ones
    bool parity;          // knows who must give way in the end

    bool sees_all() const { return careless == 0 && straight == 1000 && slanting == 1000 && looks_on; }

    static constexpr auto fields() {
        return std::tuple{Field{"depth", &Level::depth},       Field{"nodes", &Level::nodes},
                          Field{"careless", &Level::careless}, Field{"straight", &Level::straight},
                          Field{"slanting", &Level::slanting}, Field{"misjudgement", &Level::misjudgement},
                          Field{"looks_on", &Level::looks_on}, Field{"parity", &Level::parity}};
    }
};

// A win at once and a disc that must be blocked now are seen by everyone who looks; from the fourth on, everyone does.
inline constexpr std::array<Level, 9> levels{{
    {1, 20'000, 1000, 0, 0, 0, false, false},
    {1, 20'000, 750, 300, 100, 60, false, false},
    {1, 20'000, 400, 500, 200, 60, false, false},
    {1, 20'000, 0, 400, 100, 110, false, false},
    {1, 20'000, 0, 875, 575, 26, false, false},
    {1, 20'000, 0, 950, 850, 12, true, false},
    {3, 20'000, 0, 1000, 930, 8, true, false},
    {5, 20'000, 0, 1000, 970, 6, true, true},
    {8, 20'000, 0, 1000, 1000, 0, true, true},
}};

}  // namespace connectk::players
