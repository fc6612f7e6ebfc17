// The sizes of a board and its masks. A column takes `stride` bits, row 0 lowest; the spare bit above each column stops
// a run from wrapping into the next:
//
//      5 12 19 26 33 40 47        bit = column * stride + row        stride = height + 1
//      4 11 18 25 32 39 46
//      3 10 17 24 31 38 45        "The next cell of each column" is one addition: all + bottom.
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42
//
//     Sizes<std::uint64_t> g(variant);              // any board that fits in the word
//     Sizes<std::uint64_t, 6, 4> g(variant);        // height and run are constants, the width is not
//     constexpr Sizes<std::uint64_t, 6, 4, 7> g;    // all constants: the classic board (on a GPU too)
//     Sizes<Words<4>> g(variant);                   // 256 bits
//
// All of them have the same members, so the same code works with each; constant sizes cost nothing when running. Lines
// and threats are in lines.hpp, scores in scores.hpp.
#pragma once

#include "variant.hpp"
#include "words.hpp"

namespace connectk::inline CONNECTK_BUILD {

// A number that is known when compiling; if `Known` is 0, a number that is only known when running.
template <int Known>
struct MaybeConstant {
    CONNECTK_HOST_DEVICE MaybeConstant([[maybe_unused]] int number) { assert(number == Known); }
    CONNECTK_HOST_DEVICE operator int() const { return Known; }
};
template <>
struct MaybeConstant<0> {
    int value;
    CONNECTK_HOST_DEVICE MaybeConstant(int number) : value(number) {}
    CONNECTK_HOST_DEVICE operator int() const { return value; }
};

// `count` copies of `bits`, each `stride` bits above the one before.
template <class Word>
CONNECTK_HOST_DEVICE Word repeated(const Word& bits, int stride, int count) {
    Word word{0};
    for (int i = 0; i < count; ++i) word |= bits << (i * stride);
    return word;
}

// The cells of one column at an even distance from its top cell. If the column is divided into pairs from the top down,
// these are the upper cells.
template <class Word>
CONNECTK_HOST_DEVICE Word upper_of_pairs(int height) {
    Word column{0};
    for (int row = height - 1; row > 0; row -= 2) column |= Word{1} << row;
    return column;
}

// The swaps that mirror a board: its halves change places, then the halves of each half. A column in the middle stays.
template <class Word>
struct MirrorSwaps {
    static constexpr int max_swaps = 9;  // 2^9 columns already need 1,024 bits
    int count = 0;
    int shifts[max_swaps] = {};
    Word lows[max_swaps] = {};

    CONNECTK_HOST_DEVICE MirrorSwaps(int width, int stride) {
        int starts[512] = {0}, blocks = 1;  // first columns of the blocks that are still to be mirrored
        for (int columns = width; columns > 1; columns /= 2) {
            const int half = columns / 2, far = columns - half;
            shifts[count] = far * stride;
            for (int i = 0; i < blocks; ++i) {
                lows[count] |= ones<Word>(half * stride) << (starts[i] * stride);
                starts[blocks + i] = starts[i] + far;
            }
            ++count;
            blocks *= 2;
        }
    }
};

// The masks of a board; they are computed when compiling if the width is known.
template <class Word, int Width, int Height, int Stride>
struct Masks {
    static constexpr Word bottom = repeated(Word{1}, Stride, Width);
    static constexpr Word cells = repeated(ones<Word>(Height), Stride, Width);
    static constexpr Word uppers = repeated(upper_of_pairs<Word>(Height), Stride, Width);
    static constexpr MirrorSwaps<Word> swaps{Width, Stride};
    CONNECTK_HOST_DEVICE Masks(int, int, int) {}
};
template <class Word, int Height, int Stride>
struct Masks<Word, 0, Height, Stride> {
    Word bottom, cells, uppers;
    MirrorSwaps<Word> swaps;
    CONNECTK_HOST_DEVICE Masks(int width, int height, int stride)
        : bottom(repeated(Word{1}, stride, width)),
          cells(repeated(ones<Word>(height), stride, width)),
          uppers(repeated(upper_of_pairs<Word>(height), stride, width)),
          swaps(width, stride) {}
};

template <class WordType, int Height = 0, int Run = 0, int Width = 0, int Stride = Height ? Height + 1 : 0>
struct Sizes : Masks<WordType, Width, Height, Stride> {
    using Word = WordType;
    static constexpr int known_width = Width, known_height = Height, known_run = Run, known_stride = Stride;
    MaybeConstant<Width> width;
    MaybeConstant<Height> height;
    MaybeConstant<Run> run;
    MaybeConstant<Stride> stride;
    MaybeConstant<Width * Height> total;  // cells

    CONNECTK_HOST_DEVICE explicit Sizes(const Variant& v = {Width, Height, Run})
        : Masks<Word, Width, Height, Stride>(v.width, v.height, Stride ? Stride : v.height + 1),
          width(v.width),
          height(v.height),
          run(v.run),
          stride(Stride ? Stride : v.height + 1),
          total(v.cells()) {
        assert(width >= 1 && height >= 1 && run >= 1 && width * stride <= bits_in<Word>);
        assert(!Height || width >= run);
    }

    // Whether a line fits. Boards whose height is known when compiling are always at least as wide as the run.
    CONNECTK_HOST_DEVICE bool fits_across() const { return Height ? true : width >= run; }
    CONNECTK_HOST_DEVICE bool fits_upright() const { return height >= run; }

    CONNECTK_HOST_DEVICE int column_of(int bit) const {
        assert(bit >= 0 && bit < width * stride);
        return bit / stride;
    }

    // Whether the board is well formed: `own` is part of `all`, every disc is on the board, and no disc floats.
    CONNECTK_HOST_DEVICE bool can_show(const Word& own, const Word& all) const {
        return !any(own & ~all) && !any(all & ~this->cells) && !any(all & (all + this->bottom));
    }

    CONNECTK_HOST_DEVICE Word mirrored(Word word) const {
        for (int i = 0; i < this->swaps.count; ++i) {
            const int shift = this->swaps.shifts[i];
            const Word differing = (word ^ (word >> shift)) & this->swaps.lows[i];
            word ^= differing ^ (differing << shift);
        }
        return word;
    }
};

}  // namespace connectk::inline CONNECTK_BUILD
