// What the opening book needs to know of the game: positions and their keys, on any board of at most 63 bits.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <stdexcept>

#include "../../board/lines.hpp"
#include "../../board/scores.hpp"
#include "../../throw_or_abort.hpp"

namespace connectk::book {

using Bits = std::uint64_t;

inline bool fits(const Variant& v) {
    return v.width >= 1 && v.height >= 1 && v.run >= 1 && v.height <= 62 && v.width * (v.height + 1) <= 63;
}

inline const Variant& checked(const Variant& v) {
    if (!fits(v))
        throw_or_abort<std::invalid_argument>("a book needs a board of at most 63 bits: width * (height + 1)");
    return v;
}

// The board of a book: the sizes and masks of native/board, for one that fits.
struct Shape : Sizes<Bits> {
    explicit Shape(const Variant& variant = {}) : Sizes<Bits>(checked(variant)) {}
    Shape(int width, int height, int run) : Shape(Variant{width, height, run}) {}

    Bits column(int c) const { return ones<Bits>(height) << (c * stride); }
};

// A position, always seen by the side to move.
struct Discs {
    Bits mover = 0;
    Bits other = 0;

    Bits all() const { return mover | other; }
    int count() const { return count_bits(all()); }
    Bits playable(const Shape& shape) const { return (all() + shape.bottom) & shape.cells; }
    Discs drop(Bits cell) const {
        assert(std::has_single_bit(cell) && (cell & all()) == 0);
        return {other, mover | cell};
    }
    Discs mirrored(const Shape& shape) const { return {shape.mirrored(mover), shape.mirrored(other)}; }
    bool operator==(const Discs&) const = default;
};

// One number for a position: in each column the mover's discs, under a marker bit one above the topmost disc.
inline Bits key_of(const Shape& shape, const Discs& discs) {
    assert(shape.can_show(discs.mover, discs.all()) && (discs.mover & discs.other) == 0);
    return discs.mover + discs.all() + shape.bottom;
}

inline Bits canonical_key(const Shape& shape, const Discs& discs) {
    const Bits key = key_of(shape, discs);
    const Bits mirrored = key_of(shape, discs.mirrored(shape));
    return key < mirrored ? key : mirrored;
}

inline Discs from_key(const Shape& shape, Bits key) {
    Discs discs;
    for (int c = 0; c < shape.width; ++c) {
        const Bits content = (key >> (c * shape.stride)) & ones<Bits>(shape.stride);
        if (content == 0) throw_or_abort<std::invalid_argument>("not the key of a position");
        const int filled = std::bit_width(content) - 1;
        const Bits own = content ^ (Bits{1} << filled);
        discs.mover |= own << (c * shape.stride);
        discs.other |= (ones<Bits>(filled) ^ own) << (c * shape.stride);
    }
    return discs;
}

}  // namespace connectk::book
