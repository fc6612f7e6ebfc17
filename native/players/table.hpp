// The players' transposition table, shared by threads without locks. An entry that two threads wrote at the same time
// fails its check and is ignored.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "board/portable.hpp"
#include "memory.hpp"

namespace connectk::players::CONNECTK_BUILD {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct TableEntry {
    int score = 0;
    int depth = 0;
    int move = -1;  // the bit index of the best move's cell
    Bound bound = Bound::none;
};

class Table {
public:
    explicit Table(std::size_t bytes)
        : memory_(slot_count_for(bytes) * sizeof(Slot)),
          count_(slot_count_for(memory_.bytes())),
          slots_(static_cast<Slot*>(memory_.data())) {
        assert(std::has_single_bit(count_) && count_ * sizeof(Slot) <= memory_.bytes());
        memory_.prefer_huge_pages(memory_.bytes());
    }

    void prefetch(std::uint64_t hash) const { connectk::prefetch(&slots_[index_of(hash)]); }

    TableEntry find(std::uint64_t hash) const {
        const std::size_t first = index_of(hash);
        for (const std::size_t i : {first, first ^ 1}) {
            const std::uint64_t data = load_shared(slots_[i].data);
            if ((load_shared(slots_[i].check) ^ data) == hash && data) return unpacked(data);
        }
        return {};
    }

    // Two slots for each hash: the first keeps the deepest entry, the second the newest.
    void store(std::uint64_t hash, const TableEntry& entry) {
        const std::size_t first = index_of(hash);
        const TableEntry deep = unpacked(load_shared(slots_[first].data));
        const bool deeper = deep.bound == Bound::none || entry.depth >= deep.depth;
        write(slots_[deeper ? first : first ^ 1], hash, packed(entry));
    }

    void clear_table() { memory_.clear(memory_.bytes()); }

private:
    struct Slot {
        std::uint64_t check, data;
    };

    static std::size_t slot_count_for(std::size_t bytes) {
        std::size_t count = 2;
        while (2 * count * sizeof(Slot) <= bytes) count *= 2;
        return count;
    }

    std::size_t index_of(std::uint64_t hash) const { return (hash >> 7) & (count_ - 1) & ~std::size_t{1}; }

    static void write(Slot& slot, std::uint64_t hash, std::uint64_t data) {
        store_shared(slot.check, hash ^ data);
        store_shared(slot.data, data);
    }

    static std::uint64_t packed(const TableEntry& entry) {
        assert(entry.score == std::int16_t(entry.score) && entry.depth == std::int16_t(entry.depth));
        assert(entry.move >= 0 && entry.move == std::int16_t(entry.move) && entry.bound != Bound::none);
        return std::uint64_t(std::uint16_t(entry.score)) | std::uint64_t(std::uint16_t(entry.depth)) << 16 |
               std::uint64_t(std::uint16_t(entry.move)) << 32 | std::uint64_t(entry.bound) << 48;
    }

    static TableEntry unpacked(std::uint64_t data) {
        return {std::int16_t(data), std::int16_t(data >> 16), std::int16_t(data >> 32), Bound(data >> 48 & 3)};
    }

    Memory memory_;
    std::size_t count_;
    Slot* slots_;
};

}  // namespace connectk::players::CONNECTK_BUILD
