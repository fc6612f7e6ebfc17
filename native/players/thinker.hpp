// The players' searches behind one face, whatever word the board needs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../describe.hpp"
#include "../watch.hpp"
#include "board/variant.hpp"
#include "level.hpp"

namespace connectk::players {

inline constexpr int most_bits = 1024;  // width * (height + 1)

enum class Evaluation { windows, centre, lines, combined };
constexpr auto names_of(Evaluation) { return std::array{"windows", "centre", "lines", "combined"}; }

// A win by minimax after n moves is worth win - n, and what is worth less than win - farthest is an evaluation.
inline constexpr std::int64_t minimax_win = 1'000'000'000, minimax_farthest = 1'000'000;

// What minimax found; `value` is that of minimax.py.
struct Line {
    std::int64_t value = 0;
    std::vector<int> columns;
    std::uint64_t nodes = 0;
    bool complete = true;

    // After how many moves the game is won or lost; 0 where the value is an evaluation or a draw.
    int distance() const {
        const std::int64_t worth = value < 0 ? -value : value;
        return worth >= minimax_win - minimax_farthest ? int(minimax_win - worth) : 0;
    }

    static constexpr auto fields() {
        return std::tuple{Field{"value", &Line::value}, Field{"columns", &Line::columns}, Field{"nodes", &Line::nodes},
                          Field{"complete", &Line::complete}};
    }
};

// What the timed search found. A won or lost game is decided by the `last_disc`-th disc of those on the board.
struct Decision {
    int column = -1;
    int estimate = 0;  // for the side to move: more is better, a hundred or two is a clear advantage
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

// What the simulations found.
struct Simulated {
    int column = -1;
    double mean = 0;  // result for the side to move, from -1 to 1
    std::uint64_t simulations = 0;
    std::vector<int> line;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Simulated::column}, Field{"mean", &Simulated::mean},
                          Field{"simulations", &Simulated::simulations}, Field{"line", &Simulated::line}};
    }
};

// Discs as bits, 64 to a number, lowest first: bit column * (height + 1) + row.
struct Discs {
    std::vector<std::uint64_t> own, all;
};

// One board size. It keeps its table between calls; `forget` empties it. One call at a time.
class Thinker {
public:
    virtual ~Thinker() = default;

    virtual std::int64_t evaluate(const Discs& discs, Evaluation evaluation) = 0;
    virtual Line minimax(const Discs& discs, int depth, Evaluation evaluation, const SearchLimits& limits) = 0;
    // The same for the same discs and seed; the limits only stop it early.
    virtual Decision play(const Discs& discs, const Level& level, std::uint64_t seed, const SearchLimits& limits) = 0;
    // As many moves ahead as the limits allow, at most `depth` if that is not 0.
    virtual Decision think(const Discs& discs, int depth, const SearchLimits& limits) = 0;
    virtual Simulated simulate(const Discs& discs, std::uint64_t simulations, std::uint64_t seed,
                               const SearchLimits& limits) = 0;
    virtual void forget() = 0;
};

// Columns in `closed` take no disc. A board that needs more than `most_bits` is refused.
std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes);

}  // namespace connectk::players
