// Expands bits to bytes, eight at a time.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace connectk::arrays {

// For each number from 0 to 255, its eight bits as eight bytes, the lowest first.
inline constexpr auto bytes_of_bits = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (int number = 0; number < 256; ++number) {
        for (int bit = 0; bit < 8; ++bit) table[number][bit] = std::uint8_t(number >> bit & 1);
    }
    return table;
}();

// Transposes an 8x8 bit matrix by swapping blocks of one, two and four across the diagonal.
inline std::uint64_t transposed(std::uint64_t square) {
    const auto swap = [&square](std::uint64_t above, int by) {
        const std::uint64_t differing = (square ^ square >> by) & above;
        square ^= differing ^ differing << by;
    };
    swap(0x00AA00AA00AA00AAu, 7);
    swap(0x0000CCCC0000CCCCu, 14);
    swap(0x00000000F0F0F0F0u, 28);
    return square;
}

}  // namespace connectk::arrays
