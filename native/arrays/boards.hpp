// Many games side by side, all of one variant, on any board that the rules accept.
//
// Three ways to keep a game, picked by the size of its board; a caller sees no difference:
//
//     small.hpp    up to 128 bits: two words and the bit logic of board/
//     dense.hpp    up to 65,536 cells: a height for each column and a bit for each cell
//     sparse.hpp   any larger board: memory follows the discs
//
// Nothing here knows Python. One call at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace connectk::arrays {

// Sizes of a board that may be larger than any memory. Whoever has larger numbers gives `vast`: no game gets so far.
struct Shape {
    std::int64_t width, height, run;
};
inline constexpr std::int64_t vast = std::int64_t(1) << 62;

enum Outcome : std::int8_t { open = -1, first_won = 0, second_won = 1, drawn = 2 };

enum class Fault { none, outside, over, full };

struct Refusal {
    std::size_t game;
    std::int64_t column;
    Fault fault;
};

struct Disc {
    std::int64_t column;
    std::uint8_t side;  // 0 first, 1 second
};

class Boards {
public:
    virtual ~Boards() = default;

    virtual std::size_t count() const = 0;
    virtual std::size_t bytes() const = 0;  // of all games, their histories left out
    virtual bool keeps_moves() const = 0;

    // One disc for each game, or for each of `which`. A refused disc leaves every game as it was.
    virtual std::optional<Refusal> drop(const std::int64_t* columns, std::size_t discs, const std::int64_t* which,
                                        int threads) = 0;
    virtual void play_out(std::uint64_t seed, int threads) = 0;
    virtual void reset(const std::int64_t* which, std::size_t games) = 0;
    virtual std::unique_ptr<Boards> select(const std::int64_t* which, std::size_t games) const = 0;

    // Each writes one row for each game.
    virtual void legal(bool* out, int threads) const = 0;
    virtual void outcome(std::int8_t* out) const = 0;
    virtual void side_to_move(std::int8_t* out) const = 0;
    virtual void ply(std::int64_t* out) const = 0;
    virtual void planes(std::uint8_t* out, int threads) const = 0;
    virtual void planes(float* out, int threads) const = 0;
    virtual void random_columns(std::int64_t* out, std::uint64_t seed, int threads) const = 0;  // -1: the game is over
    virtual void bits(std::uint64_t* out, std::size_t words) const = 0;  // of the side to move, then of all discs

    virtual std::vector<Disc> discs(std::size_t game) const = 0;                // up each column
    virtual bool set_up(std::size_t game, const std::vector<Disc>& discs) = 0;  // false: no game shows that
    virtual const std::vector<std::int64_t>& moves(std::size_t game) const = 0;
};

std::unique_ptr<Boards> make_boards(const Shape& shape, std::size_t count, bool keep_moves);

}  // namespace connectk::arrays
