// Types and functions that the page's requests about a position share.
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

struct GameRequest {
    Size variant;
    std::vector<std::array<int, 3>> discs;  // the set-up discs: column, row, side
    std::vector<int> moves;

    static constexpr auto fields() {
        return std::tuple{Field{"variant", &GameRequest::variant}, Field{"discs", &GameRequest::discs},
                          Field{"moves", &GameRequest::moves}};
    }
};

Refusal too_large(Rule rule, const Variant& variant);  // for the solver or the perfect player

// The requested position, valid until the next call; null if a rule is broken, with the rule in `refusal`.
const GameBoard* position_of(const GameRequest& request, Refusal& refusal);

// Calls `answer` with the requested position, or returns the refusal.
template <class Ask>
auto with_position(const GameRequest& request, const Ask& answer)
    -> Answer<decltype(answer(std::declval<const GameBoard&>()))> {
    Refusal refusal;
    if (const GameBoard* const board = position_of(request, refusal)) return answer(*board);
    return refusal;
}

inline constexpr int max_solver_bits = 128;
inline constexpr int max_threads = 64;  // limited by the helpers that the page has started

extern players::Chooser chooser;  // one for the whole module: it keeps its tables and the book

}  // namespace connectk::web

#endif
