// Canonical prefix codes (Huffman) of at most 15 bits, one table for each context.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace connectk::book {

constexpr int max_code_bits = 15;

// The code lengths for symbols with these counts. A symbol that never occurs gets 0. A single symbol gets 1 but takes
// no bits.
inline std::vector<std::uint8_t> code_lengths(std::vector<std::uint64_t> counts) {
    struct Node {
        std::uint64_t weight;
        std::vector<std::size_t> symbols;
    };
    for (;;) {
        std::vector<std::uint8_t> lengths(counts.size(), 0);
        std::vector<Node> nodes;
        for (std::size_t s = 0; s < counts.size(); ++s)
            if (counts[s]) nodes.push_back({counts[s], {s}});
        if (nodes.size() == 1) lengths[nodes[0].symbols[0]] = 1;  // marks the symbol as used; no bit is read for it
        const auto lighter = [](const Node& a, const Node& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.symbols > b.symbols;  // the lightest comes last
        };
        while (nodes.size() > 1) {
            std::sort(nodes.begin(), nodes.end(), lighter);
            Node a = std::move(nodes.back());
            nodes.pop_back();
            Node& b = nodes.back();
            b.weight += a.weight;
            b.symbols.insert(b.symbols.end(), a.symbols.begin(), a.symbols.end());
            for (std::size_t s : b.symbols) ++lengths[s];
        }
        if (*std::max_element(lengths.begin(), lengths.end()) <= max_code_bits) return lengths;
        for (auto& count : counts) count = (count + 1) / 2;  // halve the counts until the longest code fits
    }
}

// Encodes and decodes with one canonical code.
class PrefixCode {
public:
    explicit PrefixCode(const std::uint8_t* lengths, int symbols) {
        assert(symbols >= 0 && symbols <= 256);  // a symbol is a byte
        for (int s = 0; s < symbols; ++s) {
            assert(lengths[s] <= max_code_bits);
            ++count_[lengths[s]];
        }
        count_[0] = 0;
        for (int bits = 1; bits <= max_code_bits; ++bits)
            for (int s = 0; s < symbols; ++s)
                if (lengths[s] == bits) by_code_.push_back(static_cast<std::uint8_t>(s));
        check_complete();
    }

    bool has_single_symbol() const { return by_code_.size() == 1; }

    // Reads bits from `next_bit(i)`; returns the symbol, or -1 for a code that no symbol has.
    template <typename NextBit>
    int decode(NextBit next_bit) const {
        if (has_single_symbol()) return by_code_[0];
        int code = 0, first = 0, index = 0;
        for (int bits = 1; bits <= max_code_bits; ++bits) {
            code = code * 2 + (next_bit(bits - 1) ? 1 : 0);
            const int here = count_[static_cast<std::size_t>(bits)];
            assert(code >= first);
            if (code - first < here) return by_code_[static_cast<std::size_t>(index + code - first)];
            index += here;
            first = (first + here) * 2;
        }
        return -1;
    }

    struct Word {
        int bits = 0;
        std::uint32_t code = 0;
        bool bit(int i) const { return (code >> (bits - 1 - i)) & 1; }
    };

    Word encode(int symbol) const {
        if (has_single_symbol()) return {};
        std::uint32_t code = 0;
        std::size_t index = 0;
        for (int bits = 1; bits <= max_code_bits; ++bits) {
            for (int i = 0; i < count_[static_cast<std::size_t>(bits)]; ++i, ++code, ++index)
                if (by_code_[index] == symbol) return {bits, code};
            code *= 2;
        }
        throw_or_abort<std::logic_error>("symbol without a code");
    }

private:
    void check_complete() const {
        int room = 1;
        for (int bits = 1; bits <= max_code_bits; ++bits) {
            room = room * 2 - count_[static_cast<std::size_t>(bits)];
            if (room < 0) throw_or_abort<std::runtime_error>("code lengths that no code has");
        }
    }

    std::array<int, max_code_bits + 1> count_{};
    std::vector<std::uint8_t> by_code_;
};

}  // namespace connectk::book
