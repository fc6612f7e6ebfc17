// What the search has seen before, shared by its threads without locks: an entry whose two halves do not fit together,
// because two threads wrote at once, is passed over.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "board/portable.hpp"
#include "memory.hpp"

namespace connectk::players::CONNECTK_BUILD {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Seen {
    int score = 0;
    int depth = 0;
    int move = -1;  // a bit's index
    Bound bound = Bound::none;
};

class Table {
public:
    explicit Table(std::size_t bytes)
        : memory_(count_for(bytes) * sizeof(Slot)),
          count_(count_for(memory_.bytes())),
          slots_(static_cast<Slot*>(memory_.data())) {
        assert(std::has_single_bit(count_) && count_ * sizeof(Slot) <= memory_.bytes());
        memory_.prefer_huge_pages(memory_.bytes());
    }

    void prefetch(std::uint64_t hash) const { connectk::prefetch(&slots_[index_of(hash)]); }

    Seen find(std::uint64_t hash) const {
        const std::size_t first = index_of(hash);
        for (const std::size_t i : {first, first ^ 1}) {
            const std::uint64_t data = load_shared(slots_[i].data);
            if ((load_shared(slots_[i].check) ^ data) == hash && data) return unpacked(data);
        }
        return {};
    }

    // Of a pair of slots the first keeps the deeper entry, the second the newer one.
    void keep(std::uint64_t hash, const Seen& seen) {
        const std::size_t first = index_of(hash);
        const Seen deep = unpacked(load_shared(slots_[first].data));
        const bool deeper = deep.bound == Bound::none || seen.depth >= deep.depth;
        write(slots_[deeper ? first : first ^ 1], hash, packed(seen));
    }

    void forget() { memory_.clear(memory_.bytes()); }

private:
    struct Slot {
        std::uint64_t check, data;
    };

    static std::size_t count_for(std::size_t bytes) {
        std::size_t count = 2;
        while (2 * count * sizeof(Slot) <= bytes) count *= 2;
        return count;
    }

    std::size_t index_of(std::uint64_t hash) const { return (hash >> 7) & (count_ - 1) & ~std::size_t{1}; }

    static void write(Slot& slot, std::uint64_t hash, std::uint64_t data) {
        store_shared(slot.check, hash ^ data);
        store_shared(slot.data, data);
    }

    static std::uint64_t packed(const Seen& seen) {
        assert(seen.score == std::int16_t(seen.score) && seen.depth == std::int16_t(seen.depth));
        assert(seen.move >= 0 && seen.move == std::int16_t(seen.move) && seen.bound != Bound::none);
        return std::uint64_t(std::uint16_t(seen.score)) | std::uint64_t(std::uint16_t(seen.depth)) << 16 |
               std::uint64_t(std::uint16_t(seen.move)) << 32 | std::uint64_t(seen.bound) << 48;
    }

    static Seen unpacked(std::uint64_t data) {
        return {std::int16_t(data), std::int16_t(data >> 16), std::int16_t(data >> 32), Bound(data >> 48 & 3)};
    }

    Memory memory_;
    std::size_t count_;
    Slot* slots_;
};

}  // namespace connectk::players::CONNECTK_BUILD
