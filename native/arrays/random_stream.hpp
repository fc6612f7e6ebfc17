// A random stream for each game: the n-th number of game g depends only on the seed, g and n, so the same seed plays the same
// games on every machine, in any order and on any number of threads.
#pragma once

#include <cassert>
#include <cstdint>

namespace connectk::arrays {

// The mixing step of SplitMix64 (Steele, Lea and Flood, 2014).
inline std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint64_t game) : state_(mixed(mixed(seed + step) + game * step)) {}

    // A number from 0 to `count` - 1.
    std::int64_t below(std::int64_t count) {
        assert(count > 0);
        const std::uint64_t random = mixed(state_ += step), number = static_cast<std::uint64_t>(count);
        const std::uint64_t high = (random >> 32) * number >> 32;
        return static_cast<std::int64_t>(number >> 32 ? upper_half(random, number) : high);
    }

private:
    static constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio

    // The upper 64 bits of a product, in halves, for compilers that have no wider numbers.
    static std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t low = 0xFFFFFFFFu;
        const std::uint64_t first = (a & low) * (b & low) >> 32, second = (a >> 32) * (b & low) + first;
        const std::uint64_t third = (a & low) * (b >> 32) + (second & low);
        return (a >> 32) * (b >> 32) + (second >> 32) + (third >> 32);
    }

    std::uint64_t state_;
};

}  // namespace connectk::arrays
