// Boards as machine words. A column takes `stride` bits, row 0 lowest; at least one spare bit above each column stops
// a run from wrapping into the next:
//
//      5 12 19 26 33 40 47        stride 7 on the classic board would look like this;
//      4 11 18 25 32 39 46        we give it stride 8, so that a mirror is one byte swap
//      3 10 17 24 31 38 45
//      2  9 16 23 30 37 44
//      1  8 15 22 29 36 43
//      0  7 14 21 28 35 42
//
// A geometry offers the same names whether they are known when compiling (Classic) or when running (General).
#pragma once

#include <bit>
#include <cstdint>

#include "solver.hpp"

namespace connectk::CONNECTK_BUILD {

// `bits` repeated `count` times, `stride` apart.
template <class Word>
constexpr Word repeated(Word bits, int stride, int count) {
    Word word = 0;
    for (int i = 0; i < count; ++i) word |= bits << (i * stride);
    return word;
}

// Rows of one column at an even distance from the top one: the upper cell of each pair when the column is filled by
// pairs from the top.
template <class Word>
constexpr Word upper_of_pairs(int height) {
    Word column = 0;
    for (int row = height - 1; row > 0; row -= 2) column |= Word(1) << row;
    return column;
}

struct Classic {
    using Word = std::uint64_t;
    static constexpr bool is_classic = true;
    static constexpr int width = 7, height = 6, run = 4, stride = 8;
    static constexpr int total = width * height;
    static constexpr int shift_count = 4;
    static constexpr int shifts[4] = {1, stride, stride - 1, stride + 1};
    static constexpr Word bottom = repeated<Word>(1, stride, width);
    static constexpr Word cells = bottom * ((1 << height) - 1);
    static constexpr Word uppers = bottom * upper_of_pairs<Word>(height);

    explicit Classic(const Variant&) {}

    static Word mirrored(Word word) { return __builtin_bswap64(word) >> 8; }
};

template <class WordType>
struct General {
    using Word = WordType;
    static constexpr bool is_classic = false;
    int width, height, run, stride, total;
    int shift_count = 0;
    int shifts[4] = {};
    Word bottom, cells, uppers;

    explicit General(const Variant& v)
        : width(v.width),
          height(v.height),
          run(v.run),
          stride(v.height + 1),
          total(v.cells()),
          bottom(repeated<Word>(1, stride, width)),
          cells(bottom * ((Word(1) << height) - 1)),
          uppers(bottom * upper_of_pairs<Word>(height)) {
        // Only directions in which a line fits: no shift then reaches the width of the word.
        if (height >= run) shifts[shift_count++] = 1;
        if (width >= run) shifts[shift_count++] = stride;
        if (width >= run && height >= run) {
            shifts[shift_count++] = stride - 1;
            shifts[shift_count++] = stride + 1;
        }
    }

    Word mirrored(Word word) const {
        const Word column = (Word(2) << height) - 1;
        Word result = 0;
        for (int i = 0; i < width; ++i) result |= ((word >> (i * stride)) & column) << ((width - 1 - i) * stride);
        return result;
    }
};

inline int count_bits(std::uint64_t word) { return std::popcount(word); }
inline int count_bits(Bits word) {
    return std::popcount(static_cast<std::uint64_t>(word)) + std::popcount(static_cast<std::uint64_t>(word >> 64));
}

inline int lowest_bit(std::uint64_t word) { return std::countr_zero(word); }
inline int lowest_bit(Bits word) {
    const auto low = static_cast<std::uint64_t>(word);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
}

// Compiles to what the geometry allows: a constant for Classic.
template <class G>
int column_of(const G& g, typename G::Word one_bit) {
    return lowest_bit(one_bit) / g.stride;
}

template <class Word>
bool more_than_one(Word word) {
    return (word & (word - 1)) != 0;
}

// Whether these discs hold a line.
template <class G>
bool has_line(const G& g, typename G::Word discs) {
    using Word = typename G::Word;
    Word found = 0;
    for (int i = 0; i < g.shift_count; ++i) {
        const int shift = g.shifts[i];
        if constexpr (G::is_classic) {
            const Word pairs = discs & (discs >> shift);
            found |= pairs & (pairs >> 2 * shift);
        } else {
            Word line = discs;
            for (int step = 1; step < g.run; ++step) line &= discs >> (step * shift);
            found |= line;
        }
    }
    return found != 0;
}

// Cells, taken or not, that would complete a line of these discs. The caller masks out cells that are taken.
template <class G>
typename G::Word completing_cells(const G& g, typename G::Word discs) {
    using Word = typename G::Word;
    if constexpr (G::is_classic) {
        Word found = (discs << 1) & (discs << 2) & (discs << 3);
        for (int i = 1; i < 4; ++i) {
            const int s = g.shifts[i];
            const Word left = (discs << s) & (discs << 2 * s);
            const Word right = (discs >> s) & (discs >> 2 * s);
            found |= left & ((discs << 3 * s) | (discs >> s));
            found |= right & ((discs >> 3 * s) | (discs << s));
        }
        return found & g.cells;
    } else {
        if (g.run == 1) return g.cells;
        Word found = 0;
        for (int i = 0; i < g.shift_count; ++i) {
            for (int place = 0; place < g.run; ++place) found |= others_of_line(g, discs, g.shifts[i], place);
        }
        return found & g.cells;
    }
}

// Cells for which all other cells of the line they would be the `place`-th of are in `discs`.
template <class G>
typename G::Word others_of_line(const G& g, typename G::Word discs, int shift, int place) {
    using Word = typename G::Word;
    Word line = ~Word(0);
    for (int other = 0; other < g.run; ++other) {
        if (other < place) line &= discs << ((place - other) * shift);
        if (other > place) line &= discs >> ((other - place) * shift);
    }
    return line;
}

}  // namespace connectk::CONNECTK_BUILD
