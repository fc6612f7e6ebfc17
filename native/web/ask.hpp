// What the questions of a page about a position share.
#pragma once
#if defined(__wasm__)

#include <array>
#include <variant>
#include <vector>

#include "../players/chooser.hpp"
#include "numbers.hpp"

namespace connectk::web {

struct Size : Variant {
    static constexpr auto fields() {
        return std::tuple{Field{"width", &Size::width}, Field{"height", &Size::height}, Field{"run", &Size::run}};
    }
};

struct AskedGame {
    Size variant;
    std::vector<std::array<int, 3>> discs;  // set up: column, row, side
    std::vector<int> moves;

    static constexpr auto fields() {
        return std::tuple{Field{"variant", &AskedGame::variant}, Field{"discs", &AskedGame::discs},
                          Field{"moves", &AskedGame::moves}};
    }
};

Refusal too_large(Rule rule, const Variant& variant);  // for the solver, or for who plays by it

// The position; null, and the rule that is broken, where there is none. It stays until the next one is asked about.
const GameBoard* position_of(const AskedGame& asked, Refusal& refusal);

// What `answer` says of the position, if there is one.
template <class Ask>
auto about(const AskedGame& asked, const Ask& answer) -> Answer<decltype(answer(std::declval<const GameBoard&>()))> {
    Refusal refusal;
    if (const GameBoard* const board = position_of(asked, refusal)) return answer(*board);
    return refusal;
}

inline constexpr int solver_bits = 128;
inline constexpr int all_threads = 64;  // as many as there are

extern players::Chooser chooser;  // the module's own; it keeps tables and the book

}  // namespace connectk::web

#endif
