// Stores bits for keys without the keys: each bit is the parity of a few positions of a bit string, chosen by a hash of
// the key. The string solves a system of linear equations over two values, shard by shard. Every equation has at most
// 128 neighbouring positions, so elimination stays inside a band (a 'ribbon') and takes linear time. The string is
// about one percent longer than the stored bits; a key that was never stored gives a meaningless bit.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace connectk::book {

constexpr int ribbon_width = 128;

inline std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

inline std::uint64_t scale(std::uint64_t hash, std::uint64_t range) {  // maps a hash evenly to 0 .. range - 1
    assert(range > 0 && range >> 32 == 0);
    const std::uint64_t high = hash >> 32, low = hash & 0xffffffffu;
    return (high * range + ((low * range) >> 32)) >> 32;
}

struct Equation {
    std::uint32_t start;
    std::uint64_t low, high;  // the positions in the equation, out of the 128 from `start` on
};

// The equation of the i-th bit of a key, in a shard of `length` positions.
inline Equation equation_of(std::uint64_t key_hash, int i, std::uint32_t seed, std::uint32_t length) {
    assert(length >= ribbon_width && i >= 0 && i < 256 && seed < 256);
    const std::uint64_t a =
        mix(key_hash + (std::uint64_t{seed} << 8 | static_cast<std::uint64_t>(i)) * 0x9e3779b97f4a7c15ull);
    const std::uint64_t b = mix(a + 0x632be59bd9b4e019ull), c = mix(b + 0xd1342543de82ef95ull);
    return {static_cast<std::uint32_t>(scale(a, length - ribbon_width + 1)), b | 1, c};
}

// The 64 positions from `at` on. Reads up to 8 bytes past the last position, which every shard's padding covers.
inline std::uint64_t bits_at(const std::uint8_t* bytes, std::uint64_t at) {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word |= std::uint64_t{bytes[at / 8 + static_cast<unsigned>(i)]} << (8 * i);
    const unsigned shift = at % 8;
    return shift ? word >> shift | std::uint64_t{bytes[at / 8 + 8]} << (64 - shift) : word;
}

inline bool ribbon_bit(const std::uint8_t* shard, const Equation& e) {
    const std::uint64_t low = e.low & bits_at(shard, e.start), high = e.high & bits_at(shard, e.start + 64);
    return std::popcount(low ^ high) & 1;
}

// Eliminates each equation as it arrives; row i begins at position i.
class RibbonSolver {
public:
    explicit RibbonSolver(std::uint32_t length) : rows_(length) {}

    bool add(Equation e, bool value) {
        while (e.low | e.high) {
            assert(e.low & 1);
            assert(e.start < rows_.size());
            Row& row = rows_[e.start];
            if (row.low == 0) {
                row = {e.low, e.high, value};
                return true;
            }
            e.low ^= row.low;
            e.high ^= row.high;
            value ^= row.value;
            shift_to_first(e);
        }
        return !value;  // the equation repeats what is known, or contradicts it
    }

    // The bit string, lowest bit first, padded so that bits_at never reads past the end.
    std::vector<std::uint8_t> solution() const {
        std::vector<std::uint8_t> bytes((rows_.size() + 7) / 8 + 8 + ribbon_width / 8, 0);
        for (std::size_t i = rows_.size(); i-- > 0;) {
            const Row& row = rows_[i];
            if (row.low == 0) continue;
            const bool rest =
                ribbon_bit(bytes.data(), {static_cast<std::uint32_t>(i), row.low & ~std::uint64_t{1}, row.high});
            if (rest != row.value) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1u << (i % 8));
        }
        bytes.resize((rows_.size() + 7) / 8);
        return bytes;
    }

private:
    struct Row {
        std::uint64_t low = 0, high = 0;
        bool value = false;
    };

    static void shift_to_first(Equation& e) {
        if (e.low == 0) {
            e.low = e.high;
            e.high = 0;
            e.start += 64;
        }
        if (e.low == 0) return;
        const int by = std::countr_zero(e.low);
        if (by == 0) return;
        e.low = e.low >> by | e.high << (64 - by);
        e.high >>= by;
        e.start += static_cast<std::uint32_t>(by);
    }

    std::vector<Row> rows_;
};

}  // namespace connectk::book
