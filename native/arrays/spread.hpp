// Bits spread out to bytes, eight at a time.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace connectk::arrays {

// The eight bits of a number, the lowest first.
inline constexpr auto bytes_of_bits = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (int number = 0; number < 256; ++number) {
        for (int bit = 0; bit < 8; ++bit) table[number][bit] = std::uint8_t(number >> bit & 1);
    }
    return table;
}();

// Eight by eight bits, rows for columns: halves change places across the diagonal, in blocks of one, two and four.
inline std::uint64_t turned_over(std::uint64_t square) {
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
