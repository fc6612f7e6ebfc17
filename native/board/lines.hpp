// Lines and threats. Shifts and bitwise ands find the lines of a direction.
#pragma once

#include <type_traits>

#include "sizes.hpp"

// Vectors of four words, each shifted by its own number of bits.
#if defined(__AVX2__) && defined(__GNUC__) && !defined(__CUDACC__)
#define CONNECTK_HAS_LANES 1
#include <immintrin.h>
#endif

namespace connectk::inline CONNECTK_BUILD {

#ifdef CONNECTK_HAS_LANES
// One word for each direction of a line: upright, falling, across, rising. All four are searched at once if the run is
// known when compiling. (Upright, the search also finds cells below discs; such cells are taken.)
using Lanes = std::uint64_t __attribute__((vector_size(32)));

template <class G>
inline constexpr bool fits_in_lanes = requires {
    requires std::is_same_v<typename G::Word, std::uint64_t>;
    requires G::known_run >= 4 && G::known_height >= G::known_run;
};

inline Lanes in_lanes(std::uint64_t word) { return Lanes{word, word, word, word}; }
template <class G>
Lanes steps_of_lanes(const G&) {
    return Lanes{1, G::known_stride - 1, G::known_stride, G::known_stride + 1};
}
inline bool any(const Lanes& lanes) { return !_mm256_testz_si256(__m256i(lanes), __m256i(lanes)); }
inline std::uint64_t or_of_lanes(const Lanes& lanes) {
    const __m256i all = __m256i(lanes);
    const __m128i two = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    return std::uint64_t(_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))));
}
#else
template <class G>
inline constexpr bool fits_in_lanes = false;
#endif

// The first cells of all lines of `run` discs along `step`.
template <class Word, class Step>
CONNECTK_HOST_DEVICE Word lines_along(const Word& discs, const Step& step, int run) {
    assert(run >= 1);
    Word starts = discs;
    int length = 1;  // the length of the runs that start in `starts`
    for (; 2 * length <= run; length *= 2) starts &= starts >> (length * step);
    if (length < run) starts &= starts >> ((run - length) * step);
    return starts;
}

// All cells of the windows of `run` cells that start in `starts`, and where the windows that hold one of `cells` start.
template <class Word>
Word windows_from(Word starts, int step, int run) {
    int length = 1;  // of the part of each window that is covered
    for (; 2 * length <= run; length *= 2) starts |= starts << (length * step);
    if (length < run) starts |= starts << ((run - length) * step);
    return starts;
}
template <class Word>
Word windows_to(Word cells, int step, int run) {
    int length = 1;
    for (; 2 * length <= run; length *= 2) cells |= cells >> (length * step);
    if (length < run) cells |= cells >> ((run - length) * step);
    return cells;
}

// Whether these discs hold a line.
template <class G>
CONNECTK_HOST_DEVICE bool has_line(const G& g, const typename G::Word& discs) {
    if constexpr (fits_in_lanes<G>) return any(lines_along(in_lanes(discs), steps_of_lanes(g), G::known_run));
    typename G::Word found{0};
    if (g.fits_upright()) found |= lines_along(discs, 1, g.run);
    if (g.fits_across()) found |= lines_along(discs, g.stride, g.run);
    if (g.fits_upright() && g.fits_across()) {
        found |= lines_along(discs, g.stride - 1, g.run) | lines_along(discs, g.stride + 1, g.run);
    }
    return any(found);
}

// All cells of the windows of `run` cells along `step` that lack only one of these discs, the missing cell included.
template <class Word, class Step>
CONNECTK_HOST_DEVICE Word almost_lines_along(const Word& discs, const Step& step, int run) {
    Word whole = ~Word{0}, lacks_one{0};  // the first cells of windows; each round looks one cell further
    for (int i = 0; i < run; ++i) {
        const Word held = discs >> (i * step);
        lacks_one = (lacks_one & held) | (whole & ~held);
        whole &= held;
    }
    Word found{0};
    for (int i = 0; i < run; ++i) found |= lacks_one << (i * step);
    return found & ~discs;
}

// The same for a run of four, with fewer steps.
template <class Word, class Step>
CONNECTK_HOST_DEVICE Word almost_fours_along(const Word& discs, const Step& step) {
    const Word before = discs << step, after = discs >> step;
    const Word two_before = before & (discs << 2 * step), two_after = after & (discs >> 2 * step);
    return (two_before & ((discs << 3 * step) | after)) | (two_after & ((discs >> 3 * step) | before));
}

template <class G, class Word, class Step>
CONNECTK_HOST_DEVICE Word completing_along(const G& g, const Word& discs, const Step& step) {
    if constexpr (G::known_run == 4) return almost_fours_along(discs, step);
    else return almost_lines_along(discs, step, g.run);
}

// The cells right above `run` - 1 discs: an upright line is completed only at its top.
template <class Word>
CONNECTK_HOST_DEVICE Word completing_upright(const Word& discs, int run) {
    Word cells = ~Word{0};
    for (int i = 1; i < run; ++i) cells &= discs << i;
    return cells;
}

// Cells, taken or not, that would complete a line of these discs. The caller masks out cells that are taken.
template <class G>
CONNECTK_HOST_DEVICE typename G::Word completing_cells(const G& g, const typename G::Word& discs) {
    if constexpr (fits_in_lanes<G>)
        return or_of_lanes(completing_along(g, in_lanes(discs), steps_of_lanes(g))) & g.cells;
    typename G::Word found{0};
    if (g.fits_upright()) found |= completing_upright(discs, g.run);
    if (g.fits_across()) found |= completing_along(g, discs, g.stride);
    if (g.fits_upright() && g.fits_across()) {
        found |= completing_along(g, discs, g.stride - 1) | completing_along(g, discs, g.stride + 1);
    }
    return found & g.cells;
}

}  // namespace connectk::inline CONNECTK_BUILD
