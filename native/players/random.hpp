// Random numbers that are the same on every machine.
#pragma once

#include "board/words.hpp"

namespace connectk::players::CONNECTK_BUILD {

// xorshift64*: small and fast.
class RandomGenerator {
public:
    explicit RandomGenerator(std::uint64_t seed) : state_(mixed(seed + 0x9E3779B97F4A7C15u) | 1) {}

    int below(int count) {
        assert(count > 0);
        state_ ^= state_ >> 12, state_ ^= state_ << 25, state_ ^= state_ >> 27;
        return int((state_ * 0x2545F4914F6CDD1Du >> 32) * std::uint64_t(count) >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace connectk::players::CONNECTK_BUILD
