// The exact solver: the score of a position under perfect play, for any variant that fits in 128 bits.
//
//     Solver solver(Variant{7, 6, 4});
//     Bounds found = solver.solve(board);                  // found.lower == found.upper == the score
//     Bounds result = solver.solve(board, Goal::result);   // -1, 0 or +1: far cheaper
//
// Scores are seen from the side to move: 0 is a draw, a win whose last disc is the n-th of the game scores
// (cells + 2 - n) / 2, a loss is the negative. A Solver keeps its transposition table between calls, so that solving
// related positions is cheap; `clear_table` empties it. Not thread-safe.
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
    result,  // only who wins: the sign of the score, -1, 0 or +1
};
constexpr auto names_of(Goal) { return std::array{"score", "result"}; }

// The source of an answer: the rules (the game is over), the opening book, or a search.
enum class Source { rules, book, search };
constexpr auto names_of(Source) { return std::array{"rules", "book", "search"}; }

// lower <= score <= upper. Unless the search was stopped, the bounds are equal, or lie outside the requested window.
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

// A list of columns; it is incomplete if a limit was reached first.
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

// What a table knows of a position, so that it can be saved and given to other tables. The key is that of the table's
// entries: any two positions with the same key have the same score.
struct KnownPosition {
    Bits key = 0;
    int lower = 0, upper = 0;  // bounds of the score for the side to move
    int column = 0;            // the best column when it was searched
    int work = 0;              // the logarithm of the nodes that it took
};

// Which implementation a Solver uses. `automatic` is the fastest for the board; the others let tests compare them.
// `one_word` supports boards of up to 64 bits, `wide_word` of up to 128.
enum class Path { automatic, one_word, wide_word };

// Whether width * (height + 1) <= 128 and all three numbers are at least 1.
bool supported(const Variant& variant);

// Whether the board could occur in a game: no floating discs, the right numbers, and no move after a win.
bool possible(const Variant& variant, const Board& board);

// The board after these drops; none if a drop is illegal.
std::optional<Board> board_after(const Variant& variant, const std::vector<int>& columns);

class Solver {
public:
    // `table_bytes` 0: the table starts small and grows with the work, up to a quarter of the machine's memory.
    explicit Solver(const Variant& variant, std::size_t table_bytes = 0, Path path = Path::automatic);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    // The opening book to consult first, or null; it must be for this variant. Not owned.
    void use(const book::Book* book);

    Bounds solve(const Board& board, Goal goal = Goal::score, const SearchLimits& limits = {},
                 Progress* progress = nullptr);

    // Searches without the book in the window [alpha, beta]: a score outside the window is reported as at most alpha or
    // at least beta.
    Bounds solve_window(const Board& board, int alpha, int beta, const SearchLimits& limits = {},
                        Progress* progress = nullptr);

    // The bounds of a drop in each column, for the side to move; none for a full column.
    std::vector<std::optional<Bounds>> score_columns(const Board& board, Goal goal = Goal::score,
                                                     const SearchLimits& limits = {}, Progress* progress = nullptr);

    // The columns that keep this score or result; the position must not be over.
    Drops best_columns(const Board& board, int score, Goal goal = Goal::score, const SearchLimits& limits = {},
                       Progress* progress = nullptr);

    // A line of best play from a position with this score or result: to the end, or `max_drops` drops unless that is 0.
    Drops line(const Board& board, int score, Goal goal = Goal::score, int max_drops = 0,
               const SearchLimits& limits = {}, Progress* progress = nullptr);

    void clear_table();  // empties the table

    // After allow_readers() other threads may call the next three functions while one searches. Searches with one
    // thread become slower on boards whose entries take several words.
    void allow_readers();
    Bounds recorded_bounds(const Board& board);  // the bounds that the rules or the table know, without search
    double table_fill() const;                   // the part of the table that is in use, estimated from a sample
    // At most this many positions of the table: those that took the most work.
    std::vector<KnownPosition> known_positions(std::size_t max_count) const;

    // Puts positions into the table, which must have been known to a solver of the same variant. Returns how many of
    // them this table can hold; others have a key or bounds that no position of this board has.
    std::size_t add_known_positions(const std::vector<KnownPosition>& positions);

    const Variant& variant() const;
    std::size_t table_bytes() const;  // bytes in use now

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace connectk
