// The levels that play without a clock. They make human mistakes: they most often overlook what is hard to see.
#pragma once

#include <array>
#include <cstdint>

#include "../describe.hpp"

namespace connectk::players {

// Chances are integers in thousandths, so that every machine draws the same random numbers.
struct Level {
    int depth;                    // how many moves the level searches ahead
    std::uint64_t nodes;          // maximum number of positions searched
    int random_move_chance;       // the chance of a random move instead of a search
    int horizontal_sight_chance;  // the chance of seeing in advance that a cell completes a horizontal line ...
    int diagonal_sight_chance;    // ... or a diagonal one
    int max_noise;                // the largest random error of its evaluation
    bool quiescence;              // whether it searches on through replies and forced moves at the depth limit
    bool parity;                  // whether its evaluation includes zugzwang

    bool sees_everything() const {
        return random_move_chance == 0 && horizontal_sight_chance == 1000 && diagonal_sight_chance == 1000 &&
               quiescence;
    }

    // Whether it finds the same score with every random seed.
    bool is_deterministic() const { return sees_everything() && max_noise == 0; }

    static constexpr auto fields() {
        return std::tuple{Field{"depth", &Level::depth},
                          Field{"nodes", &Level::nodes},
                          Field{"random_move_chance", &Level::random_move_chance},
                          Field{"horizontal_sight_chance", &Level::horizontal_sight_chance},
                          Field{"diagonal_sight_chance", &Level::diagonal_sight_chance},
                          Field{"max_noise", &Level::max_noise},
                          Field{"quiescence", &Level::quiescence},
                          Field{"parity", &Level::parity}};
    }
};

// Levels 1 to 9. A level that does not move at random sees all immediate wins and blocks. From the fourth level on no
// move is random.
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
