// One interface to the players' searches, whatever word type the board needs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../describe.hpp"
#include "../watch.hpp"
#include "board/variant.hpp"
#include "level.hpp"

namespace connectk::players {

inline constexpr int max_board_bits = 1024;  // width * (height + 1)

enum class Evaluation { windows, centre, lines, combined };
constexpr auto names_of(Evaluation) { return std::array{"windows", "centre", "lines", "combined"}; }

// A win after n moves scores minimax_win - n. Scores below minimax_win - max_minimax_moves are evaluations.
inline constexpr std::int64_t minimax_win = 1'000'000'000, max_minimax_moves = 1'000'000;

// The result of minimax; `value` equals the value in minimax.py.
struct MinimaxResult {
    std::int64_t value = 0;
    std::vector<int> columns;
    std::uint64_t nodes = 0;
    bool complete = true;

    // The number of moves until the game is won or lost; 0 for an evaluation or a draw.
    int distance() const {
        const std::int64_t worth = value < 0 ? -value : value;
        return worth >= minimax_win - max_minimax_moves ? int(minimax_win - worth) : 0;
    }

    static constexpr auto fields() {
        return std::tuple{Field{"value", &MinimaxResult::value}, Field{"columns", &MinimaxResult::columns},
                          Field{"nodes", &MinimaxResult::nodes}, Field{"complete", &MinimaxResult::complete}};
    }
};

// The result of the timed search. `last_disc` is the number of the disc that decides a won or lost game.
struct Decision {
    int column = -1;
    int estimate = 0;  // for the side to move: higher is better; 100 or 200 is a clear advantage
    int result = 0;    // 1 won, -1 lost; 0 with `proven` is a draw
    int last_disc = 0;
    int depth = 0;
    std::uint64_t nodes = 0;
    bool proven = false;
    std::vector<int> line;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Decision::column}, Field{"estimate", &Decision::estimate},
                          Field{"result", &Decision::result}, Field{"last_disc", &Decision::last_disc},
                          Field{"depth", &Decision::depth},   Field{"nodes", &Decision::nodes},
                          Field{"proven", &Decision::proven}, Field{"line", &Decision::line}};
    }
};

struct SimulationResult {
    int column = -1;
    double mean = 0;  // the mean result for the side to move, from -1 to 1
    std::uint64_t simulations = 0;
    std::vector<int> line;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &SimulationResult::column}, Field{"mean", &SimulationResult::mean},
                          Field{"simulations", &SimulationResult::simulations}, Field{"line", &SimulationResult::line}};
    }
};

// Discs as bits in 64-bit words, lowest first: bit column * (height + 1) + row.
struct Discs {
    std::vector<std::uint64_t> own, all;
};

// The searches on one board size. The table is kept between calls until `clear_table` empties it. Not thread-safe.
class Thinker {
public:
    virtual ~Thinker() = default;

    virtual std::int64_t evaluate(const Discs& discs, Evaluation evaluation) = 0;
    virtual MinimaxResult minimax(const Discs& discs, int depth, Evaluation evaluation, const SearchLimits& limits) = 0;
    // Chooses as a level does. The same discs and seed give the same choice unless the limits stop the search early.
    virtual Decision play(const Discs& discs, const Level& level, std::uint64_t seed, const SearchLimits& limits) = 0;
    // Searches as deep as the limits allow, at most `depth` moves unless that is 0.
    virtual Decision think(const Discs& discs, int depth, const SearchLimits& limits) = 0;
    virtual SimulationResult simulate(const Discs& discs, std::uint64_t simulations, std::uint64_t seed,
                                      const SearchLimits& limits) = 0;
    virtual void clear_table() = 0;
};

// Columns in `closed` take no disc. A board that needs more than `max_board_bits` is an error.
std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes);

}  // namespace connectk::players
