// Many games side by side, all of one variant, on any board that the rules accept.
//
// Three ways to keep a game, picked by the size of its board; a caller sees no difference:
//
//     small.hpp    up to 128 bits: two words and the bit logic of board/
//     dense.hpp    up to 65,536 cells: a height for each column and a bit for each cell
//     sparse.hpp   any larger board: memory follows the discs
//
// This code does not depend on Python. It is not thread-safe: only one call may run at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace connectk::arrays {

// The size of a board, which may be larger than any memory. Numbers above `max_dimension` are reduced to it, since no
// game is long enough to tell the difference.
struct Shape {
    std::int64_t width, height, run;
};
inline constexpr std::int64_t max_dimension = std::int64_t(1) << 62;

enum Outcome : std::int8_t { open = -1, first_won = 0, second_won = 1, drawn = 2 };

enum class DropError { none, outside, over, full };

struct Refusal {
    std::size_t game;
    std::int64_t column;
    DropError error;
};

struct Disc {
    std::int64_t column;
    std::uint8_t side;  // 0 first, 1 second
};

// An array for planes, with any strides. An element of any number type is written as its bits: those of zero are zeros,
// those of one are given. A stride counts elements, from one game, plane, row or column to the next.
struct PlanesArray {
    void* data;
    int element_bytes;  // 1, 2, 4 or 8
    std::uint64_t one;
    std::int64_t strides[4];
};

// What an agent sees after a step: each game's outcome, and the open columns and planes of its next position.
struct Observation {
    std::int8_t* outcome;
    bool* legal;
    PlanesArray planes;
};

class Boards {
public:
    virtual ~Boards() = default;

    virtual std::size_t count() const = 0;
    virtual std::size_t bytes() const = 0;  // the memory of all games, without their move histories
    virtual bool keeps_moves() const = 0;

    // Drops one disc in each game, or in each game of `which`. A refused disc leaves every game as it was.
    virtual std::optional<Refusal> drop(const std::int64_t* columns, std::size_t discs, const std::int64_t* which,
                                        int threads) = 0;
    virtual void play_out(std::uint64_t seed, int threads) = 0;
    virtual void reset(const std::int64_t* which, std::size_t games) = 0;
    // Takes back the last disc of each game, or of each game of `which`; needs the move histories. If a game has too
    // few discs, nothing changes and its number is returned.
    virtual std::optional<std::size_t> undo(const std::int64_t* which, std::size_t games) = 0;
    // Writes what an agent sees; with `restart` a game that is over then starts again.
    virtual void observe(const Observation& out, bool restart, int threads) = 0;
    virtual std::unique_ptr<Boards> mirrored() const = 0;
    virtual std::unique_ptr<Boards> select(const std::int64_t* which, std::size_t games) const = 0;

    // Each of these functions writes one row for each game.
    virtual void legal(bool* out, int threads) const = 0;
    virtual void outcome(std::int8_t* out) const = 0;
    virtual void side_to_move(std::int8_t* out) const = 0;
    virtual void ply(std::int64_t* out) const = 0;
    virtual void planes(const PlanesArray& out, int threads) const = 0;
    virtual void random_columns(std::int64_t* out, std::uint64_t seed, int threads) const = 0;  // -1: the game is over
    // The discs of the side to move as bits, then all discs.
    virtual void bits(std::uint64_t* out, std::size_t words) const = 0;

    virtual std::vector<Disc> discs(std::size_t game) const = 0;                // the lowest first
    virtual bool set_up(std::size_t game, const std::vector<Disc>& discs) = 0;  // false: impossible position
    virtual const std::vector<std::int64_t>& moves(std::size_t game) const = 0;
};

std::unique_ptr<Boards> make_boards(const Shape& shape, std::size_t count, bool keep_moves);

}  // namespace connectk::arrays
