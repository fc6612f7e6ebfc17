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
// The names are the same for all of them, so what is written against one works with each; what is constant costs
// nothing. Lines and threats are in lines.hpp, scores in scores.hpp.
#pragma once

#include "variant.hpp"
#include "words.hpp"

namespace connectk::inline CONNECTK_BUILD {

// A number known when compiling, or only when running where `Known` is 0.
template <int Known>
struct Number {
    CONNECTK_ANYWHERE Number([[maybe_unused]] int number) { assert(number == Known); }
    CONNECTK_ANYWHERE operator int() const { return Known; }
};
template <>
struct Number<0> {
    int value;
    CONNECTK_ANYWHERE Number(int number) : value(number) {}
    CONNECTK_ANYWHERE operator int() const { return value; }
};

// `bits` repeated `count` times, `stride` apart.
template <class Word>
CONNECTK_ANYWHERE Word repeated(const Word& bits, int stride, int count) {
    Word word{0};
    for (int i = 0; i < count; ++i) word |= bits << (i * stride);
    return word;
}

// Rows of one column at an even distance from the top one: the upper cell of each pair when the column is filled by
// pairs from the top.
template <class Word>
CONNECTK_ANYWHERE Word upper_of_pairs(int height) {
    Word column{0};
    for (int row = height - 1; row > 0; row -= 2) column |= Word{1} << row;
    return column;
}

// How a board is mirrored: its halves change places, then the halves of the halves. A column in the middle stays.
template <class Word>
struct Swaps {
    static constexpr int most = 9;  // 2^9 columns and more are 1,024 bits and more
    int count = 0;
    int shifts[most] = {};
    Word lows[most] = {};

    CONNECTK_ANYWHERE Swaps(int width, int stride) {
        int starts[512] = {0}, blocks = 1;  // of the blocks of `columns` columns that are left to mirror
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

// The masks, computed when compiling where the width is known.
template <class Word, int Width, int Height, int Stride>
struct Masks {
    static constexpr Word bottom = repeated(Word{1}, Stride, Width);
    static constexpr Word cells = repeated(ones<Word>(Height), Stride, Width);
    static constexpr Word uppers = repeated(upper_of_pairs<Word>(Height), Stride, Width);
    static constexpr Swaps<Word> swaps{Width, Stride};
    CONNECTK_ANYWHERE Masks(int, int, int) {}
};
template <class Word, int Height, int Stride>
struct Masks<Word, 0, Height, Stride> {
    Word bottom, cells, uppers;
    Swaps<Word> swaps;
    CONNECTK_ANYWHERE Masks(int width, int height, int stride)
        : bottom(repeated(Word{1}, stride, width)),
          cells(repeated(ones<Word>(height), stride, width)),
          uppers(repeated(upper_of_pairs<Word>(height), stride, width)),
          swaps(width, stride) {}
};

template <class WordType, int Height = 0, int Run = 0, int Width = 0, int Stride = Height ? Height + 1 : 0>
struct Sizes : Masks<WordType, Width, Height, Stride> {
    using Word = WordType;
    static constexpr int known_width = Width, known_height = Height, known_run = Run, known_stride = Stride;
    Number<Width> width;
    Number<Height> height;
    Number<Run> run;
    Number<Stride> stride;
    Number<Width * Height> total;  // cells

    CONNECTK_ANYWHERE explicit Sizes(const Variant& v = {Width, Height, Run})
        : Masks<Word, Width, Height, Stride>(v.width, v.height, Stride ? Stride : v.height + 1),
          width(v.width),
          height(v.height),
          run(v.run),
          stride(Stride ? Stride : v.height + 1),
          total(v.cells()) {
        assert(width >= 1 && height >= 1 && run >= 1 && width * stride <= bits_in<Word>);
        assert(!Height || width >= run);
    }

    // Whether a line fits. A height known when compiling goes with a board at least as wide as the run.
    CONNECTK_ANYWHERE bool fits_across() const { return Height ? true : width >= run; }
    CONNECTK_ANYWHERE bool fits_upright() const { return height >= run; }

    CONNECTK_ANYWHERE int column_of(int bit) const {
        assert(bit >= 0 && bit < width * stride);
        return bit / stride;
    }

    // Whether discs can lie so: one side's among those of both, all on the board, and none in the air.
    CONNECTK_ANYWHERE bool can_show(const Word& own, const Word& all) const {
        return !any(own & ~all) && !any(all & ~this->cells) && !any(all & (all + this->bottom));
    }

    CONNECTK_ANYWHERE Word mirrored(Word word) const {
        for (int i = 0; i < this->swaps.count; ++i) {
            const int shift = this->swaps.shifts[i];
            const Word differing = (word ^ (word >> shift)) & this->swaps.lows[i];
            word ^= differing ^ (differing << shift);
        }
        return word;
    }
};

}  // namespace connectk::inline CONNECTK_BUILD
