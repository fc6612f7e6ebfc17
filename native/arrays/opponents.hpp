// Players that choose a column in many games at once.
#pragma once

#include <array>
#include <functional>

#include "boards.hpp"
#include "players/thinker.hpp"

namespace connectk::arrays {

enum class OpponentKind { greedy, level, minimax, mcts };
constexpr auto names_of(OpponentKind) { return std::array{"greedy", "level", "minimax", "mcts"}; }

struct Opponent {
    OpponentKind kind;
    int number = 0;  // the level, the depth or the number of simulations
    players::Evaluation evaluation = players::Evaluation::combined;
};

// Whether `choose_columns` supports boards of this size; on larger ones players see only a window.
bool has_opponents(const Shape& shape);

// Writes the column that the opponent chooses in each game, -1 for a game that is over. Game i is played with seed + i.
// Returns false if `stopped`, which is polled every few games on the calling thread, ended the work.
bool choose_columns(const Boards& boards, const Shape& shape, const Opponent& opponent, std::uint64_t seed,
                    std::int64_t* out, int threads, const std::function<bool()>& stopped);

}  // namespace connectk::arrays
