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
#include <optional>
#include <vector>

#include "../board/words.hpp"
#include "../board/variant.hpp"
#include "../describe.hpp"
#include "../watch.hpp"

namespace connectk {

namespace book {
class Book;
}

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
constexpr auto names_of(Goal) { return std::array{"score", "result"}; }

// Where an answer is from: the rules alone when the game is over, the opening book, or a search.
enum class Source { rules, book, search };
constexpr auto names_of(Source) { return std::array{"rules", "book", "search"}; }

// lower <= score <= upper. A search that ran to its end and was not stopped has closed the gap it was asked to close.
struct Bounds {
    int lower = 0;
    int upper = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    Source source = Source::search;

    bool exact() const { return lower == upper; }

    static constexpr auto fields() {
        return std::tuple{Field{"lower", &Bounds::lower}, Field{"upper", &Bounds::upper},
                          Field{"nodes", &Bounds::nodes}, Field{"source", &Bounds::source},
                          Field{"seconds", &Bounds::seconds}};
    }
};

// Columns, and whether those are all that were asked for: a limit may have come first.
struct Drops {
    std::vector<int> columns;
    bool complete = true;
    std::uint64_t nodes = 0;
    double seconds = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"columns", &Drops::columns}, Field{"complete", &Drops::complete},
                          Field{"nodes", &Drops::nodes}, Field{"seconds", &Drops::seconds}};
    }
};

// Which code path a Solver takes. `automatic` is the fastest that fits; the others let tests hold the paths to each
// other, and `wide_word` needs any board of up to 128 bits, `one_word` one of up to 64.
enum class Path { automatic, one_word, wide_word };

// Whether width * (height + 1) <= 128 and all three numbers are at least 1.
bool supported(const Variant& variant);

// Whether a game can show this board: discs on discs, in turn, and nobody has played on after a win.
bool possible(const Variant& variant, const Board& board);

// The board after these drops; nothing when one of them is against the rules.
std::optional<Board> board_after(const Variant& variant, const std::vector<int>& columns);

class Solver {
public:
    // `table_bytes` 0: the table starts small and grows with the work, up to a quarter of the machine's memory.
    explicit Solver(const Variant& variant, std::size_t table_bytes = 0, Path path = Path::automatic);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    // The book that questions ask first, or none; it must be of the same variant and outlive its use.
    void use(const book::Book* book);

    Bounds solve(const Board& board, Goal goal = Goal::score, const SearchLimits& limits = {},
                 Progress* progress = nullptr);

    // A search alone, without the book, that closes the gap only inside [alpha, beta]: a score outside is reported as at
    // most alpha or at least beta.
    Bounds solve_window(const Board& board, int alpha, int beta, const SearchLimits& limits = {},
                        Progress* progress = nullptr);

    // One entry per column, from the side to move: the bounds of dropping there, nothing where no disc fits.
    std::vector<std::optional<Bounds>> score_columns(const Board& board, Goal goal = Goal::score,
                                                     const SearchLimits& limits = {}, Progress* progress = nullptr);

    // The columns that keep this score or result of an open position, once it is known.
    Drops best_columns(const Board& board, int score, Goal goal = Goal::score, const SearchLimits& limits = {},
                       Progress* progress = nullptr);

    // Best play for both sides from a position of this score or result: to the end, or for `most` discs if that is not 0.
    Drops line(const Board& board, int score, Goal goal = Goal::score, int most = 0, const SearchLimits& limits = {},
               Progress* progress = nullptr);

    void forget();  // a fresh table

    const Variant& variant() const;
    std::size_t table_bytes() const;  // bytes in use now

    struct Parts;

private:
    std::unique_ptr<Parts> parts_;
};

}  // namespace connectk
