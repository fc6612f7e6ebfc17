// Boards as words: 64 bits, 128 bits, or N times 64 for larger boards, all under the same few names.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace connectk::engine::CONNECTK_BUILD {

__extension__ typedef unsigned __int128 Wide;

template <int N>
struct Words {
    std::array<std::uint64_t, N> part{};

    bool operator==(const Words&) const = default;

    Words operator~() const {
        return each([](std::uint64_t a, std::uint64_t) { return ~a; }, *this);
    }
    Words operator&(const Words& b) const {
        return each([](std::uint64_t x, std::uint64_t y) { return x & y; }, b);
    }
    Words operator|(const Words& b) const {
        return each([](std::uint64_t x, std::uint64_t y) { return x | y; }, b);
    }
    Words operator^(const Words& b) const {
        return each([](std::uint64_t x, std::uint64_t y) { return x ^ y; }, b);
    }
    Words& operator&=(const Words& b) { return *this = *this & b; }
    Words& operator|=(const Words& b) { return *this = *this | b; }
    Words& operator^=(const Words& b) { return *this = *this ^ b; }

    Words operator<<(int by) const {
        const int whole = by / 64, rest = by % 64;
        Words result;
        for (int i = N - 1; i >= whole; --i) {
            result.part[i] = part[i - whole] << rest;
            if (rest && i > whole) result.part[i] |= part[i - whole - 1] >> (64 - rest);
        }
        return result;
    }

    Words operator>>(int by) const {
        const int whole = by / 64, rest = by % 64;
        Words result;
        for (int i = 0; i + whole < N; ++i) {
            result.part[i] = part[i + whole] >> rest;
            if (rest && i + whole + 1 < N) result.part[i] |= part[i + whole + 1] << (64 - rest);
        }
        return result;
    }

private:
    template <class Operation>
    Words each(Operation operation, const Words& other) const {
        Words result;
        for (int i = 0; i < N; ++i) result.part[i] = operation(part[i], other.part[i]);
        return result;
    }
};

template <class Word>
inline constexpr int bits_in = 8 * sizeof(Word);

inline bool any(std::uint64_t word) { return word != 0; }
inline bool any(Wide word) { return word != 0; }
template <int N>
bool any(const Words<N>& word) {
    std::uint64_t all = 0;
    for (const std::uint64_t part : word.part) all |= part;
    return all != 0;
}

inline int count_bits(std::uint64_t word) { return std::popcount(word); }
inline int count_bits(Wide word) {
    return std::popcount(static_cast<std::uint64_t>(word)) + std::popcount(static_cast<std::uint64_t>(word >> 64));
}
template <int N>
int count_bits(const Words<N>& word) {
    int count = 0;
    for (const std::uint64_t part : word.part) count += std::popcount(part);
    return count;
}

inline int lowest_bit(std::uint64_t word) { return std::countr_zero(word); }
inline int lowest_bit(Wide word) {
    const auto low = static_cast<std::uint64_t>(word);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
}
template <int N>
int lowest_bit(const Words<N>& word) {
    int i = 0;
    while (!word.part[i]) ++i;
    return 64 * i + std::countr_zero(word.part[i]);
}

template <class Word>
Word bit_at(int index) {
    return Word{1} << index;
}

// Takes the lowest bit out of a word that has one, and returns its index.
template <class Word>
int take_lowest(Word& word) {
    const int index = lowest_bit(word);
    word ^= bit_at<Word>(index);
    return index;
}

template <class Word>
bool more_than_one(Word word) {
    take_lowest(word);
    return any(word);
}

inline std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 32) * 0x9E3779B97F4A7C15u;
    return (value ^ value >> 29) * 0xBF58476D1CE4E5B9u;
}
inline std::uint64_t hash_of(std::uint64_t word) { return mixed(word); }
inline std::uint64_t hash_of(Wide word) {
    return mixed(static_cast<std::uint64_t>(word) + mixed(static_cast<std::uint64_t>(word >> 64) + 1));
}
template <int N>
std::uint64_t hash_of(const Words<N>& word) {
    std::uint64_t hash = 0;
    for (const std::uint64_t part : word.part) hash = mixed(part + hash + 1);
    return hash;
}

}  // namespace connectk::engine::CONNECTK_BUILD
