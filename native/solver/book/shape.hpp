// Bitboards for any board of at most 64 bits: what the opening book needs to know of the game.
//
// Cells are numbered column by column from the bottom left; one spare bit above each column stops a run from
// wrapping into the next column:
//
//     5 12 19 ..          bit = column * (height + 1) + row        (7x6: 49 bits)
//     .  .  .
//     0  7 14 ..
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace connectk::book {

using Bits = std::uint64_t;

struct Shape {
    int width = 7;
    int height = 6;
    int run = 4;

    int stride() const { return height + 1; }
    int cells() const { return width * height; }
    Bits bottom_of(int column) const { return Bits{1} << (column * stride()); }
    Bits column(int c) const { return ((Bits{1} << height) - 1) << (c * stride()); }

    Bits bottom() const {
        Bits bits = 0;
        for (int c = 0; c < width; ++c) bits |= bottom_of(c);
        return bits;
    }
    Bits board() const { return bottom() * ((Bits{1} << height) - 1); }

    Bits mirror(Bits bits) const {
        const Bits one = (Bits{1} << stride()) - 1;
        Bits out = 0;
        for (int c = 0; c < width; ++c) out |= ((bits >> (c * stride())) & one) << ((width - 1 - c) * stride());
        return out;
    }

    bool operator==(const Shape&) const = default;
};

inline void require_fits(const Shape& shape) {
    if (shape.width < 1 || shape.height < 1 || shape.run < 1) throw std::invalid_argument("impossible board");
    if (shape.height > 62 || shape.width * shape.stride() > 63)
        throw std::invalid_argument("an opening book needs a board of at most 63 bits: width * (height + 1)");
}

// The cells that would complete a run for the owner of `discs`, whether or not a disc can be dropped there yet.
inline Bits completing_cells(const Shape& shape, Bits discs) {
    const int steps[4] = {1, shape.stride(), shape.stride() - 1, shape.stride() + 1};
    const auto shifted = [](Bits bits, int by) { return by < 64 ? bits >> by : 0; };
    Bits found = 0;
    for (int step : steps) {
        Bits led_up = ~Bits{0};  // cells with `before` own discs in a row right before them
        for (int before = 0; before < shape.run; ++before) {
            Bits cells = led_up;
            for (int after = 1; after < shape.run - before; ++after) cells &= shifted(discs, after * step);
            found |= cells;
            led_up &= (before + 1) * step < 64 ? discs << ((before + 1) * step) : 0;
        }
    }
    return found & shape.board() & ~discs;
}

inline bool has_run(const Shape& shape, Bits discs) {
    const int steps[4] = {1, shape.stride(), shape.stride() - 1, shape.stride() + 1};
    for (int step : steps) {
        Bits line = discs;
        for (int i = 1; i < shape.run; ++i) line &= i * step < 64 ? discs >> (i * step) : 0;
        if (line) return true;
    }
    return false;
}

// A position, always seen by the side to move.
struct Discs {
    Bits mover = 0;
    Bits other = 0;

    Bits all() const { return mover | other; }
    int count() const { return std::popcount(all()); }
    Bits playable(const Shape& shape) const { return (all() + shape.bottom()) & shape.board(); }
    Discs drop(Bits cell) const { return {other, mover | cell}; }
    Discs mirrored(const Shape& shape) const { return {shape.mirror(mover), shape.mirror(other)}; }
    bool operator==(const Discs&) const = default;
};

// One number for a position: in each column the mover's discs, under a marker bit one above the topmost disc.
inline Bits key_of(const Shape& shape, const Discs& discs) { return discs.mover + discs.all() + shape.bottom(); }

inline Bits canonical_key(const Shape& shape, const Discs& discs) {
    const Bits key = key_of(shape, discs);
    const Bits mirrored = key_of(shape, discs.mirrored(shape));
    return key < mirrored ? key : mirrored;
}

inline Discs from_key(const Shape& shape, Bits key) {
    Discs discs;
    for (int c = 0; c < shape.width; ++c) {
        const Bits content = (key >> (c * shape.stride())) & ((Bits{1} << shape.stride()) - 1);
        if (content == 0) throw std::invalid_argument("not the key of a position");
        const int filled = std::bit_width(content) - 1;
        const Bits own = content ^ (Bits{1} << filled);
        const Bits all = (Bits{1} << filled) - 1;
        discs.mover |= own << (c * shape.stride());
        discs.other |= (all ^ own) << (c * shape.stride());
    }
    return discs;
}

}  // namespace connectk::book
