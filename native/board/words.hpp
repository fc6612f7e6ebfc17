// Boards as words of 64 bits, 128 bits (`Wide`) or N times 64 bits for larger boards. All have the same operations.
#pragma once

#include "portable.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <int N>
struct Words {
    std::uint64_t part[N] = {};

    Words() = default;
    CONNECTK_HOST_DEVICE Words(std::uint64_t low) : part{low} {}

    CONNECTK_HOST_DEVICE explicit operator bool() const {
        std::uint64_t all = 0;
        for (int i = 0; i < N; ++i) all |= part[i];
        return all != 0;
    }
    CONNECTK_HOST_DEVICE explicit operator std::uint64_t() const { return part[0]; }

    CONNECTK_HOST_DEVICE bool operator==(const Words& b) const {
        std::uint64_t differing = 0;
        for (int i = 0; i < N; ++i) differing |= part[i] ^ b.part[i];
        return differing == 0;
    }
    CONNECTK_HOST_DEVICE bool operator<(const Words& b) const {
        for (int i = N; i-- > 0;)
            if (part[i] != b.part[i]) return part[i] < b.part[i];
        return false;
    }

    CONNECTK_HOST_DEVICE Words operator~() const {
        Words result;
        for (int i = 0; i < N; ++i) result.part[i] = ~part[i];
        return result;
    }
    CONNECTK_HOST_DEVICE Words& operator&=(const Words& b) {
        for (int i = 0; i < N; ++i) part[i] &= b.part[i];
        return *this;
    }
    CONNECTK_HOST_DEVICE Words& operator|=(const Words& b) {
        for (int i = 0; i < N; ++i) part[i] |= b.part[i];
        return *this;
    }
    CONNECTK_HOST_DEVICE Words& operator^=(const Words& b) {
        for (int i = 0; i < N; ++i) part[i] ^= b.part[i];
        return *this;
    }
    CONNECTK_HOST_DEVICE Words operator&(const Words& b) const { return Words(*this) &= b; }
    CONNECTK_HOST_DEVICE Words operator|(const Words& b) const { return Words(*this) |= b; }
    CONNECTK_HOST_DEVICE Words operator^(const Words& b) const { return Words(*this) ^= b; }

    // With few parts the compiler unrolls the loop. With many it does so only if the number of whole parts to shift by
    // is constant, so the common shifts by less than two parts have code of their own.
    CONNECTK_HOST_DEVICE Words operator<<(int by) const {
        assert(by >= 0);
        if (N <= 8 || by >= 128) return up(by / 64, by % 64);
        return by < 64 ? up(0, by) : up(1, by - 64);
    }
    CONNECTK_HOST_DEVICE Words operator>>(int by) const {
        assert(by >= 0);
        if (N <= 8 || by >= 128) return down(by / 64, by % 64);
        return by < 64 ? down(0, by) : down(1, by - 64);
    }
    CONNECTK_HOST_DEVICE Words& operator<<=(int by) { return *this = *this << by; }
    CONNECTK_HOST_DEVICE Words& operator>>=(int by) { return *this = *this >> by; }

    CONNECTK_HOST_DEVICE Words operator+(const Words& b) const {
        Words result;
        std::uint64_t carry = 0;
        for (int i = 0; i < N; ++i) {
            const std::uint64_t sum = part[i] + b.part[i];
            result.part[i] = sum + carry;
            carry = (sum < part[i]) | (result.part[i] < sum);
        }
        return result;
    }
    CONNECTK_HOST_DEVICE Words operator-() const { return ~*this + Words(1); }
    CONNECTK_HOST_DEVICE Words operator-(const Words& b) const { return *this + -b; }

private:
    CONNECTK_HOST_DEVICE Words up(int whole, int rest) const {
        Words result;
        for (int i = N - 1; i >= whole; --i) {
            result.part[i] = part[i - whole] << rest;
            if (rest && i > whole) result.part[i] |= part[i - whole - 1] >> (64 - rest);
        }
        return result;
    }
    CONNECTK_HOST_DEVICE Words down(int whole, int rest) const {
        Words result;
        for (int i = 0; i + whole < N; ++i) {
            result.part[i] = part[i + whole] >> rest;
            if (rest && i + whole + 1 < N) result.part[i] |= part[i + whole + 1] << (64 - rest);
        }
        return result;
    }
};

#ifdef CONNECTK_HAS_INT128
__extension__ typedef unsigned __int128 Wide;
#else
using Wide = Words<2>;
#endif

template <class Word>
inline constexpr int bits_in = 8 * sizeof(Word);

template <class Word>
CONNECTK_HOST_DEVICE bool any(const Word& word) {
    return static_cast<bool>(word);
}

template <class Word>
CONNECTK_HOST_DEVICE int count_bits(const Word& word) {
    constexpr int parts = sizeof(Word) / 8;
    int count = 0;
    for (int i = 0; i < parts; ++i) count += count_bits(static_cast<std::uint64_t>(word >> (64 * i)));
    return count;
}
template <int N>
CONNECTK_HOST_DEVICE int count_bits(const Words<N>& word) {
    int count = 0;
    for (int i = 0; i < N; ++i) count += count_bits(word.part[i]);
    return count;
}

#ifdef CONNECTK_HAS_INT128
CONNECTK_HOST_DEVICE int lowest_bit(Wide word) {
    const auto low = static_cast<std::uint64_t>(word);
    return low ? lowest_bit(low) : 64 + lowest_bit(static_cast<std::uint64_t>(word >> 64));
}
#endif
template <int N>
CONNECTK_HOST_DEVICE int lowest_bit(const Words<N>& word) {
    assert(any(word));
    int i = 0;
    while (!word.part[i]) ++i;
    return 64 * i + lowest_bit(word.part[i]);
}

template <class Word>
CONNECTK_HOST_DEVICE Word bit_at(int index) {
    assert(index >= 0 && index < bits_in<Word>);
    return Word{1} << index;
}

// Removes the lowest bit of a word that is not 0, and returns its index.
template <class Word>
CONNECTK_HOST_DEVICE int take_lowest(Word& word) {
    const int index = lowest_bit(word);
    word ^= bit_at<Word>(index);
    return index;
}

template <class Word>
CONNECTK_HOST_DEVICE bool more_than_one(const Word& word) {
    return any(word & (word - Word{1}));
}

// A word with ones in its lowest `count` bits.
template <class Word>
CONNECTK_HOST_DEVICE Word ones(int count) {
    assert(count >= 0);
    return count >= bits_in<Word> ? ~Word{0} : (Word{1} << count) - Word{1};
}

CONNECTK_HOST_DEVICE std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 32) * 0x9E3779B97F4A7C15u;
    return (value ^ value >> 29) * 0xBF58476D1CE4E5B9u;
}
CONNECTK_HOST_DEVICE std::uint64_t hash_of(std::uint64_t word) { return mixed(word); }
// The hash is the same for both types of 128 bits. A level's mistakes depend on it, so they are the same everywhere.
CONNECTK_HOST_DEVICE std::uint64_t hash_of(Wide word) {
    return mixed(static_cast<std::uint64_t>(word) + mixed(static_cast<std::uint64_t>(word >> 64) + 1));
}
// Zero parts at the top do not change the hash. The page uses one word size for all boards beyond 128 bits, Python
// several.
template <int N>
CONNECTK_HOST_DEVICE std::uint64_t hash_of(const Words<N>& word) {
    std::uint64_t hash = 0;
    for (int i = 0; i < N; ++i) hash += mixed(word.part[i]) * (0x9E3779B97F4A7C15u + 2 * i);
    return mixed(hash);
}

}  // namespace connectk::inline CONNECTK_BUILD
