// The classic board's search for one GPU thread. About a hundred thousand threads run it and share one table.
//
// A thread has no stack for recursion and few registers, so the search is a loop over one position and a list of 32-bit
// frames. The loop makes and undoes drops on the position; a frame holds the drops that are left to try. The same code
// also compiles for the processor, where tests run it, and gives the same answers.
//
// A column takes eight bits here, so that a swap of bytes mirrors the board.
#pragma once

#include "../../../board/lines.hpp"
#include "../../../board/scores.hpp"

// Marks functions that both the GPU and the processor may call, but that are not constexpr.
#ifdef __CUDACC__
#define CONNECTK_EITHER __host__ __device__ __forceinline__
#define CONNECTK_UNROLL _Pragma("unroll")
#else
#define CONNECTK_EITHER inline
#define CONNECTK_UNROLL
#endif

namespace connectk::book::gpu {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Classic = Sizes<u64, 6, 4, 7, 8>;

constexpr int width = Classic::known_width, cells = width * Classic::known_height;
constexpr u64 bottom = Classic::bottom, board = Classic::cells, spare = bottom << Classic::known_height;
constexpr u64 uppers_of_pairs = Classic::uppers;  // the upper cells if the columns are divided into pairs from the top

CONNECTK_EITHER u64 swapped_bytes(u64 x) {
#ifdef __CUDA_ARCH__
    const u32 low = __byte_perm(static_cast<u32>(x), 0, 0x0123),
              high = __byte_perm(static_cast<u32>(x >> 32), 0, 0x0123);
    return static_cast<u64>(low) << 32 | high;
#else
    return __builtin_bswap64(x);
#endif
}

// The score of a win with the n-th disc of the game.
CONNECTK_EITHER int win_with(int n) { return win_with_disc(cells, n); }

CONNECTK_EITHER u64 completing_cells(u64 discs) { return connectk::completing_cells(Classic(), discs); }

CONNECTK_EITHER bool has_line(u64 discs) { return connectk::has_line(Classic(), discs); }

// The functions below find bounds without search; native/solver/bounds.hpp explains the ideas.
CONNECTK_EITHER u64 above(u64 bits) { return (bits ^ (spare - bits)) & board; }

CONNECTK_EITHER int left_at_the_end(u64 traps) { return count_bits(above(traps) | traps | traps >> 1) - 2; }

constexpr int no_bound = 100;

CONNECTK_EITHER int bound_by_following(u64 own, u64 all, u64 uppers, u64 traps) {
    const u64 leaders = own | (board & ~all & ~uppers & ~above(traps));
    if (has_line(leaders)) return no_bound;
    if (traps) return -win_with(cells - left_at_the_end(traps));
    return has_line((all ^ own) | uppers) ? -1 : 0;
}

CONNECTK_EITHER int bound_by_zugzwang(u64 own, u64 all, u64 threats, u64 uppers, u64 traps) {
    const u64 empty = board & ~all, playable = all + bottom;
    for (u64 left = threats & ~uppers_of_pairs; left;) {
        const u64 threat = left & (0 - left), beyond = threat | above(threat), under = threat >> 1;
        left &= ~beyond;
        const u64 foot = u64{1} << (lowest_bit(threat) & ~7);
        const u64 column = beyond | under | (under - foot);
        const u64 followers = (uppers & ~column) | (empty & column & ~uppers_of_pairs & ~playable);
        const u64 other_traps = traps & ~column;
        if (has_line(own | (empty & ~beyond & ~followers & ~above(other_traps)))) continue;
        return -win_with(cells - (count_bits(beyond) - 1 + (other_traps ? 2 + left_at_the_end(other_traps) : 0)));
    }
    return no_bound;
}

// An upper bound for the side to move, in a position without a forced reply.
CONNECTK_EITHER int at_most(u64 own, u64 all, u64 threats, int discs) {
    const u64 uppers = uppers_of_pairs & ~all & ~(all + bottom) & board, traps = threats & uppers;
    if (discs % 2 == 0) return bound_by_following(own, all, uppers, traps);
    return bound_by_zugzwang(own, all, threats, uppers, traps);
}

// A position or its mirror image as a well mixed number of 49 bits. The mapping is one-to-one, so the table can leave
// out the bits that the bucket's number implies and still never takes one position for another.
CONNECTK_EITHER u64 mixed_key(u64 own, u64 all) {
    u64 key = own + all + bottom;
    const u64 mirrored = swapped_bytes(key) >> 8;
    if (mirrored < key) key = mirrored;
    key = (key & 0x007f007f007f007f) | (key & 0x7f007f007f007f00) >> 1;  // seven bits a column
    key = (key & 0x00003fff00003fff) | (key & 0x3fff00003fff0000) >> 2;
    key = (key & 0x000000000fffffff) | (key & 0x0fffffff00000000) >> 4;
    constexpr u64 mask = (u64{1} << 49) - 1;
    key = (key * 0x9E3779B97F4A7C15) & mask;
    key ^= key >> 25;
    key = (key * 0xBF58476D1CE4E5B9) & mask;
    return key ^ key >> 24;
}

// Buckets of eight words. A word is the rest of the key, a class of importance and the two bounds. A word is read and
// written in one step, so threads need no locks. With 2^31 buckets or more at most 18 bits of the key are left.
#ifdef __CUDACC__
using Word = u32;
#else
using Word = u64;  // wider, as the processor's small tables leave more bits of the key
#endif

struct Bounds {
    int lower = -22, upper = 22;
};

struct Table {
    Word* words;
    int bucket_bits;

    CONNECTK_EITHER Word* bucket(u64 key) const { return words + (key & ((u64{1} << bucket_bits) - 1)) * 8; }
    CONNECTK_EITHER Word tag(u64 key) const { return static_cast<Word>(key >> bucket_bits); }
};

CONNECTK_EITHER void read_bucket(const Word* bucket, Word* words) {
#ifdef __CUDACC__
    const uint4 low = reinterpret_cast<const uint4*>(bucket)[0], high = reinterpret_cast<const uint4*>(bucket)[1];
    words[0] = low.x, arguments[1] = low.y, arguments[2] = low.z, words[3] = low.w;
    words[4] = high.x, words[5] = high.y, words[6] = high.z, words[7] = high.w;
#else
    for (int i = 0; i < 8; ++i) words[i] = bucket[i];
#endif
}

CONNECTK_EITHER void tighten(Bounds& bounds, Word word) {
    const int lower = static_cast<int>(word >> 6 & 63) - 22, upper = static_cast<int>(word & 63) - 22;
    if (lower > bounds.lower) bounds.lower = lower;
    if (upper < bounds.upper) bounds.upper = upper;
}

CONNECTK_EITHER Bounds look_up(const Table& table, u64 key) {
    Word words[8];
    read_bucket(table.bucket(key), words);
    Bounds bounds;
    CONNECTK_UNROLL
    for (int i = 0; i < 8; ++i)
        if (words[i] && words[i] >> 14 == table.tag(key)) tighten(bounds, words[i]);
    return bounds;
}

// Stores bounds in place of the same position, of an empty word, or of a position with more discs, which is quicker to
// solve again.
CONNECTK_EITHER void store(const Table& table, u64 key, Bounds bounds, int discs) {
    const int rank = discs <= 17 ? 0 : discs <= 21 ? 1 : discs <= 25 ? 2 : 3;
    const Word tag = table.tag(key);
    Word words[8];
    read_bucket(table.bucket(key), words);
    int same = -1, cheapest = 0, least_valuable = -1;
    CONNECTK_UNROLL
    for (int i = 0; i < 8; ++i) {
        if (words[i] && words[i] >> 14 == tag) {
            same = i;
            tighten(bounds, words[i]);
        }
        const int worthless =
            words[i] ? static_cast<int>(words[i] >> 12 & 3) * 8 + static_cast<int>((i + tag) & 7) : 99;
        if (worthless > least_valuable) least_valuable = worthless, cheapest = i;
    }
    if (same < 0 && least_valuable / 8 < rank) return;
    table.bucket(key)[same < 0 ? cheapest : same] = tag << 14 | static_cast<Word>(rank) << 12 |
                                                    static_cast<Word>(bounds.lower + 22) << 6 |
                                                    static_cast<Word>(bounds.upper + 22);
}

// The drops left to try at one ply: the columns in order (3 bits each), their number, the drop played, whether to
// store.
struct Frame {
    u32 bits;
    CONNECTK_EITHER int next() const { return static_cast<int>(bits & 7); }
    CONNECTK_EITHER int left() const { return static_cast<int>(bits >> 21 & 7); }
    CONNECTK_EITHER int played() const { return static_cast<int>(bits >> 24 & 7); }
    CONNECTK_EITHER bool stored() const { return (bits >> 27 & 1) != 0; }
    CONNECTK_EITHER Frame after_next() const {
        return {(bits & 0x1fffff) >> 3 | static_cast<u32>(left() - 1) << 21 | static_cast<u32>(next()) << 24 |
                (bits & 1u << 27)};
    }
};

enum class Answer { no, yes, open };

CONNECTK_EITHER Answer answer(bool yes) { return yes ? Answer::yes : Answer::no; }

CONNECTK_EITHER void order(u32& a, u32& b) {
    const u32 larger = a > b ? a : b;
    b = a > b ? b : a;
    a = larger;
}

}  // namespace connectk::book::gpu
