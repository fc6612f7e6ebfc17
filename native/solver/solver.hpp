// The exact solver: what a position is worth under perfect play, for any variant that fits in 128 bits.
//
//     Solver solver(Variant{7, 6, 4});
//     Bounds found = solver.solve(board);                  // found.lower == found.upper == the score
//     Bounds result = solver.solve(board, Goal::result);   // -1, 0 or +1: far cheaper
//
// Scores are seen from the side to move: 0 is a draw, a win whose last disc is the n-th of the game scores
// (cells + 2 - n) / 2, a loss is the negative. A Solver keeps its table between calls, so that questions about
// neighbouring positions are cheap; `forget` empties it. One call at a time per Solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../board/words.hpp"
#include "../board/variant.hpp"
#include "../watch.hpp"

namespace connectk {

using Bits = Wide;

// Bit column * (height + 1) + row, row 0 at the bottom. The side to move is first when the number of discs is even.
struct Board {
    Bits own = 0;  // discs of the side to move
    Bits all = 0;  // discs of both
};

enum class Goal {
    score,   // the exact score
    result,  // only who wins: the score cut to -1, 0, +1
};

// lower <= score <= upper. A search that ran to its end and was not stopped has closed the gap it was asked to close.
struct Bounds {
    int lower = 0;
    int upper = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;

    bool exact() const { return lower == upper; }
};

// Which code path a Solver takes. `automatic` is the fastest that fits; the others let tests hold the paths to each
// other, and `wide_word` needs any board of up to 128 bits, `one_word` one of up to 64.
enum class Path { automatic, one_word, wide_word };

// A score no position can have: stands for a column where no disc fits.
inline constexpr int no_score = -1000;

// Whether width * (height + 1) <= 128 and all three numbers are at least 1.
bool supported(const Variant& variant);

class Solver {
public:
    // `table_bytes` 0: the table starts small and grows with the work, up to a quarter of the machine's memory.
    explicit Solver(const Variant& variant, std::size_t table_bytes = 0, Path path = Path::automatic);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    Bounds solve(const Board& board, Goal goal = Goal::score, const Limits& limits = {}, Progress* progress = nullptr);

    // Closes the gap only inside [alpha, beta]: a score outside is reported as at most alpha or at least beta.
    Bounds solve_window(const Board& board, int alpha, int beta, const Limits& limits = {},
                        Progress* progress = nullptr);

    // One entry per column, from the side to move: the bounds of dropping there, `no_score` where no disc fits.
    std::vector<Bounds> score_columns(const Board& board, Goal goal = Goal::score, const Limits& limits = {},
                                      Progress* progress = nullptr);

    void forget();  // a fresh table

    const Variant& variant() const;
    std::size_t table_bytes() const;  // bytes in use now

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace connectk
