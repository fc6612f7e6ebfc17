// The solver's transposition table: bounds of positions already searched. Shared by all threads without locks, and never
// wrong: an entry is found only if every bit of the position's key matches.
//
//   PackedTable   one 64-bit word an entry. A key goes through a bijection, so that what the word keeps of it and the
//                 lowest bits of the bucket's number are the whole key: 49 bits on the classic board, 56 at most.
//   FullTable     longer keys: the whole key beside the data. Among threads a busy bit covers the words of one entry;
//                 a thread that finds it set treats the entry as absent.
//   AdaptiveTable packed if the board allows it.
//
// Buckets of two. A new entry replaces the one that took less work to find.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>

#include "board/sizes.hpp"
#include "memory.hpp"

namespace connectk::inline CONNECTK_BUILD {

struct TableEntry {
    int lower;
    int upper;
    int column;  // the best column when it was searched
};

// An entry as it is saved: its position as a board key, and the logarithm of the work that it took.
template <class BoardKey>
struct SavedEntry {
    BoardKey key;
    TableEntry known;
    int work;
};

inline constexpr int max_work = 31;  // the largest logarithm of work that an entry stores

inline constexpr std::size_t min_table_bytes = std::size_t(16) << 10;     // the smallest allowed
inline constexpr std::size_t initial_table_bytes = std::size_t(8) << 10;  // of a growing table: quick to clear

// The largest power of two that is at most `bytes`: table sizes are powers of two.
inline std::size_t table_size_for(std::size_t bytes) { return std::bit_floor(std::max(bytes, min_table_bytes)); }

inline constexpr std::size_t entries_per_bucket = 2;

// Buckets are chosen by the lowest bits of a well mixed key, so when a table doubles, what lay in bucket i belongs to
// bucket i or i + old size. Entries are moved while others read and write: lost entries only cost time.
class GrowingStorage {
public:
    GrowingStorage(std::size_t fixed_bytes, std::size_t entry_bytes, std::size_t min_buckets = 1)
        : grows_(fixed_bytes == 0),
          memory_(table_size_for(grows_ ? default_table_limit() : fixed_bytes)),
          bucket_bytes_(2 * entry_bytes),
          first_bytes_(std::min(std::max(initial_table_bytes, min_buckets * bucket_bytes_), memory_.bytes())) {
        start();
    }

    void start() {
        set_bytes(grows_ ? first_bytes_ : memory_.bytes());
        max_bytes_.store(memory_.bytes(), std::memory_order_relaxed);
        stores_.store(0, std::memory_order_relaxed);
    }

    std::size_t mask() const { return mask_.load(std::memory_order_relaxed); }
    std::size_t bytes() const { return (mask() + 1) * bucket_bytes_; }
    void* data() const { return memory_.data(); }

    void clear_table() {
        memory_.clear(bytes());
        start();
    }

    void count_stores(std::uint64_t n) { stores_.fetch_add(n, std::memory_order_relaxed); }
    bool wants_to_grow() const {
        return grows_ && stores_.load(std::memory_order_relaxed) > stores_before_growth() &&
               2 * bytes() <= max_bytes_.load(std::memory_order_relaxed);
    }

    template <class Move>
    void grow(Move move_bucket) {
        if (growing_.exchange(true, std::memory_order_acquire)) return;
        if (wants_to_grow() && has_room_to_double()) {
            const std::size_t buckets = mask() + 1;
            assert(2 * bytes() <= memory_.bytes());
            memory_.prefer_huge_pages(2 * bytes());
            for (std::size_t i = 0; i < buckets; ++i) move_bucket(i, buckets);
            mask_.store(2 * buckets - 1, std::memory_order_relaxed);
            stores_.store(0, std::memory_order_relaxed);
        }
        growing_.store(false, std::memory_order_release);
    }

private:
    // How many stores the table takes before it doubles, as a multiple of its entries. A small table grows sooner; a
    // table that would outgrow the processor's caches grows later:
    //
    //      8 KB .. 512 KB  1 MB .. 4 MB  8 and 16 MB  32 MB ..
    //                 1/4             1           12         1
    std::size_t stores_before_growth() const {
        constexpr std::size_t MB = std::size_t(1) << 20;
        const std::size_t room = 2 * (mask() + 1);
        if (bytes() < MB) return room / 4;
        return bytes() >= 8 * MB && bytes() < 32 * MB ? 12 * room : room;
    }

    // Other processes or threads may have used the memory meanwhile.
    bool has_room_to_double() {
        constexpr std::size_t unchecked_bytes = std::size_t(32) << 20;
        if (bytes() <= unchecked_bytes || bytes() <= available_memory() / 4) return true;
        max_bytes_.store(bytes(), std::memory_order_relaxed);
        return false;
    }

    void set_bytes(std::size_t bytes) {
        if (!grows_) memory_.prefer_huge_pages(bytes);
        assert(bytes >= bucket_bytes_ && bytes <= memory_.bytes());
        mask_.store(std::bit_floor(bytes / bucket_bytes_) - 1, std::memory_order_relaxed);
    }

    bool grows_;
    Memory memory_;
    std::size_t bucket_bytes_;
    std::size_t first_bytes_;
    std::atomic<std::size_t> mask_{0};
    std::atomic<std::size_t> max_bytes_{0};
    std::atomic<std::uint64_t> stores_{0};
    std::atomic<bool> growing_{false};
};

// How an entry fits in one word:
//
//      [ key bits that the bucket lacks    | lower+32 (6) | upper+32 (6) | column | work (5) ]
//
// upper+32 is never 0, so a zero word is empty.
template <int KeyBits, int Width>
struct Packing {
    static constexpr int work_bits = 5, bound_bits = 6;
    static constexpr int bits_for(int width) { return std::bit_width(unsigned(width - 1)); }

    MaybeConstant<KeyBits> key_bits;
    MaybeConstant<Width ? bits_for(Width) : 0> column_bits;

    template <class G>
    explicit Packing(const G& g) : key_bits(g.width * g.stride), column_bits(bits_for(g.width)) {}

    int upper_at() const { return work_bits + column_bits; }
    int lower_at() const { return upper_at() + bound_bits; }
    int key_at() const { return lower_at() + bound_bits; }
    int bits_implied_by_bucket() const { return std::max(0, key_bits + key_at() - 64); }

    std::uint64_t packed(std::uint64_t tag, const TableEntry& known, int work) const {
        assert(tag >> (64 - key_at()) == 0 && work >= 0 && work >> work_bits == 0);
        assert(known.lower >= -32 && known.lower <= known.upper && known.upper > -32 && known.upper < 32);
        assert(known.column >= 0 && known.column >> column_bits == 0);
        return tag << key_at() | std::uint64_t(known.lower + 32) << lower_at() |
               std::uint64_t(known.upper + 32) << upper_at() | std::uint64_t(known.column) << work_bits |
               std::uint64_t(work);
    }
    TableEntry unpacked(std::uint64_t word) const {
        return {int(word >> lower_at() & 63) - 32, int(word >> upper_at() & 63) - 32,
                int(word >> work_bits & ((1u << column_bits) - 1))};
    }
    bool is_empty(std::uint64_t word) const { return (word >> upper_at() & 63) == 0; }
    static int work_of(std::uint64_t word) { return int(word & ((1u << work_bits) - 1)); }
};

template <class G>
class PackedTable {
public:
    using Key = std::uint64_t;  // well mixed bits

    PackedTable(const G& g, std::size_t fixed_bytes)
        : packing_(g), storage_(fixed_bytes, sizeof(Word), std::size_t(1) << packing_.bits_implied_by_bucket()) {}

    // Whether keys are unique in a table of this size.
    static bool fits(const G& g, std::size_t fixed_bytes) {
        const std::size_t buckets =
            (fixed_bytes ? table_size_for(fixed_bytes) : max_initial_bytes) / (2 * sizeof(Word));
        return (buckets >> Packing(g).bits_implied_by_bucket()) > 0;
    }

    Key key_of(std::uint64_t board_key) const {
        const int bits = packing_.key_bits, half = (bits + 1) / 2;
        assert((board_key & ~ones<std::uint64_t>(bits)) == 0);
        board_key ^= board_key >> half;
        board_key = (board_key * multiplier) & ones<std::uint64_t>(bits);
        return board_key ^ (board_key >> half);
    }

    // The inverse of key_of. Shifting by half of the bits and by more undoes itself.
    std::uint64_t board_key_of(Key key) const {
        const int bits = packing_.key_bits, half = (bits + 1) / 2;
        key ^= key >> half;
        key = (key * inverse_of_multiplier) & ones<std::uint64_t>(bits);
        return key ^ (key >> half);
    }

    void prefetch_bucket(Key key) const { prefetch(bucket(key)); }

    // Calls `visit` with every entry of these buckets. Other threads may search meanwhile.
    template <class Visit>
    void visit_entries(std::size_t first, std::size_t last, Visit visit) const {
        const int implied_bits = packing_.bits_implied_by_bucket();
        for (std::size_t i = first; i < last; ++i) {
            for (int k = 0; k < 2; ++k) {
                const Word word = load_shared(words()[2 * i + k]);
                if (packing_.is_empty(word)) continue;
                const Key key = (word >> packing_.key_at() << implied_bits) | (i & ones<std::uint64_t>(implied_bits));
                visit(SavedEntry<std::uint64_t>{board_key_of(key), packing_.unpacked(word), packing_.work_of(word)});
            }
        }
    }
    std::size_t buckets() const { return storage_.mask() + 1; }

    bool find(Key key, TableEntry& known) const {
        Word* slot = bucket(key);
        for (int i = 0; i < 2; ++i) {
            const Word word = load_shared(slot[i]);
            if (word >> packing_.key_at() == tag_of(key) && !packing_.is_empty(word)) {
                known = packing_.unpacked(word);
                return true;
            }
        }
        return false;
    }

    void store(Key key, const TableEntry& known, int work) {
        Word* slot = bucket(key);
        const Word first = load_shared(slot[0]), second = load_shared(slot[1]);
        const std::uint64_t tag = tag_of(key);
        int place = packing_.work_of(second) < packing_.work_of(first);
        if (first >> packing_.key_at() == tag) place = 0;
        else if (second >> packing_.key_at() == tag) place = 1;
        store_shared(slot[place], packing_.packed(tag, known, work));
    }

    void count_stores(std::uint64_t n) { storage_.count_stores(n); }
    bool wants_to_grow() const { return storage_.wants_to_grow(); }
    void grow() {
        storage_.grow([this](std::size_t from, std::size_t by) {
            const int implied_bits = packing_.bits_implied_by_bucket();
            for (int i = 0; i < 2; ++i) {
                Word* slot = words() + 2 * from + i;
                const Word word = load_shared(*slot);
                const std::size_t home =
                    (word >> packing_.key_at() << implied_bits) | (from & ones<std::uint64_t>(implied_bits));
                assert(packing_.is_empty(word) || (home & (by - 1)) == from);
                const Word moved =
                    word & (0 - std::uint64_t((home & by) != 0));  // no branch, as it could not be predicted
                store_shared(slot[2 * by], moved);
                store_shared(*slot, word ^ moved);
            }
        });
    }
    void set_shared(bool) {}
    void clear_table() { storage_.clear_table(); }
    std::size_t bytes() const { return storage_.bytes(); }

private:
    using Word = std::uint64_t;
    using Packing = connectk::Packing<G::known_width * G::known_stride, G::known_width>;
    static constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15u, inverse_of_multiplier = 0xF1DE83E19937733Du;
    static_assert(multiplier * inverse_of_multiplier == 1);
    static constexpr std::size_t max_initial_bytes = std::size_t(64) << 10;

    std::uint64_t tag_of(Key key) const { return key >> packing_.bits_implied_by_bucket(); }
    Word* words() const { return static_cast<Word*>(storage_.data()); }
    Word* bucket(Key key) const { return words() + 2 * (key & storage_.mask()); }

    [[no_unique_address]] Packing packing_;
    GrowingStorage storage_;
};

template <class G>
class FullTable {
public:
    using Key = typename G::Word;

    FullTable(const G&, std::size_t fixed_bytes) : storage_(fixed_bytes, sizeof(Entry)) {}

    Key key_of(Key board_key) const { return board_key; }

    void prefetch_bucket(Key key) const { prefetch(bucket(key)); }

    bool find(Key key, TableEntry& known) const {
        Entry* entry = bucket(key);
        for (int i = 0; i < 2; ++i, ++entry) {
            const std::uint32_t data = acquire(*entry);
            if (data == busy) continue;
            const bool same = data != 0 && entry->key() == key;
            if (shared_) entry->release(data);
            if (same) {
                known = unpacked(data);
                return true;
            }
        }
        return false;
    }

    void store(Key key, const TableEntry& known, int work) {
        Entry* entry = bucket(key);
        const std::uint32_t first = acquire(entry[0]), second = acquire(entry[1]);
        if (first != busy && second != busy) {
            bool replace_second = (second & work_mask) < (first & work_mask);
            if (first != 0 && entry[0].key() == key) replace_second = false;
            else if (second != 0 && entry[1].key() == key) replace_second = true;
            entry[replace_second].put(key);
            entry[0].release(replace_second ? first : packed(known, work));
            entry[1].release(replace_second ? packed(known, work) : second);
            return;
        }
        if (first != busy) entry[0].release(first);
        if (second != busy) entry[1].release(second);
    }

    void count_stores(std::uint64_t n) { storage_.count_stores(n); }
    bool wants_to_grow() const { return storage_.wants_to_grow(); }
    void grow() {
        storage_.grow([this](std::size_t from, std::size_t by) {
            for (int i = 0; i < 2; ++i) {
                Entry* entry = entries() + 2 * from + i;
                const std::uint32_t data = entry->acquire();
                if (data == busy) continue;
                const Key key = entry->key();
                const bool stays = data == 0 || (mixed(key) & (2 * by - 1)) == from;
                if (!stays && entry[2 * by].acquire() != busy) {
                    entry[2 * by].put(key);
                    entry[2 * by].release(data);
                }
                entry->release(stays ? data : 0);
            }
        });
    }
    // Calls `visit` with every entry of these buckets. If other threads search meanwhile, the table must be shared.
    template <class Visit>
    void visit_entries(std::size_t first, std::size_t last, Visit visit) const {
        for (Entry* entry = entries() + 2 * first; entry != entries() + 2 * last; ++entry) {
            const std::uint32_t data = acquire(*entry);
            if (data == busy) continue;
            const Key key = entry->key();
            if (shared_) entry->release(data);
            if (data != 0) visit(SavedEntry<Key>{key, unpacked(data), int(data & work_mask)});
        }
    }
    std::size_t buckets() const { return storage_.mask() + 1; }

    // Sets whether several threads use the table from now on; a single thread need not mark entries as busy.
    void set_shared(bool shared) { shared_ = shared; }
    void clear_table() { storage_.clear_table(); }
    std::size_t bytes() const { return storage_.bytes(); }

private:
    static constexpr std::uint32_t busy = ~std::uint32_t(0);
    static constexpr std::uint32_t work_mask = 31;
    static constexpr int halves = sizeof(Key) / 8;

    // An entry whose data is 0 is empty; with `busy` set, a thread is using it.
    struct Entry {
        std::uint64_t parts[halves];
        std::uint32_t data;
        std::uint32_t unused;

        std::uint32_t acquire() { return std::atomic_ref(data).exchange(busy, std::memory_order_acquire); }
        void release(std::uint32_t value) {
            assert(value != busy);
            std::atomic_ref(data).store(value, std::memory_order_release);
        }

        Key key() {
            Key whole = 0;
            for (int i = halves; i-- > 0;) whole = (whole << (64 % (8 * sizeof(Key)))) | load_shared(parts[i]);
            return whole;
        }
        void put(Key value) {
            for (int i = 0; i < halves; ++i) {
                store_shared(parts[i], static_cast<std::uint64_t>(value));
                value >>= 64 % (8 * sizeof(Key));
            }
        }
    };

    //  [ lower+128 | upper+128 | column (6) | work (5) ]      upper+128 is never 0
    static std::uint32_t packed(const TableEntry& known, int work) {
        assert(known.lower >= -128 && known.lower <= known.upper && known.upper > -128 && known.upper < 128);
        assert(known.column >= 0 && known.column < 64 && work >= 0 && work <= int(work_mask));
        return std::uint32_t(known.lower + 128) << 19 | std::uint32_t(known.upper + 128) << 11 |
               std::uint32_t(known.column) << 5 | std::uint32_t(work);
    }

    static TableEntry unpacked(std::uint32_t data) {
        return {int(data >> 19 & 255) - 128, int(data >> 11 & 255) - 128, int(data >> 5 & 63)};
    }

    std::uint32_t acquire(Entry& entry) const { return shared_ ? entry.acquire() : load_shared(entry.data); }

    static std::size_t mixed(Key key) {
        std::uint64_t h = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u;
        if constexpr (halves == 2) h ^= static_cast<std::uint64_t>(key >> 64) * 0xC2B2AE3D27D4EB4Fu;
        return h ^ (h >> 32);
    }

    Entry* entries() const { return static_cast<Entry*>(storage_.data()); }
    Entry* bucket(Key key) const { return entries() + 2 * (mixed(key) & storage_.mask()); }

    GrowingStorage storage_;
    std::atomic<bool> shared_{false};
};

template <class G>
class AdaptiveTable {
public:
    using Key = std::uint64_t;

    AdaptiveTable(const G& g, std::size_t fixed_bytes) {
        if (PackedTable<G>::fits(g, fixed_bytes)) packed_.emplace(g, fixed_bytes);
        else full_.emplace(g, fixed_bytes);
        assert(packed_.has_value() != full_.has_value());
    }

    Key key_of(std::uint64_t board_key) const { return packed_ ? packed_->key_of(board_key) : board_key; }
    void prefetch_bucket(Key key) const { packed_ ? packed_->prefetch_bucket(key) : full_->prefetch_bucket(key); }
    bool find(Key key, TableEntry& known) const {
        return packed_ ? packed_->find(key, known) : full_->find(key, known);
    }
    void store(Key key, const TableEntry& known, int work) {
        packed_ ? packed_->store(key, known, work) : full_->store(key, known, work);
    }
    void count_stores(std::uint64_t n) { packed_ ? packed_->count_stores(n) : full_->count_stores(n); }
    bool wants_to_grow() const { return packed_ ? packed_->wants_to_grow() : full_->wants_to_grow(); }
    void grow() { packed_ ? packed_->grow() : full_->grow(); }
    void set_shared(bool shared) {
        if (full_) full_->set_shared(shared);
    }
    template <class Visit>
    void visit_entries(std::size_t first, std::size_t last, Visit visit) const {
        packed_ ? packed_->visit_entries(first, last, visit) : full_->visit_entries(first, last, visit);
    }
    std::size_t buckets() const { return packed_ ? packed_->buckets() : full_->buckets(); }
    void clear_table() { packed_ ? packed_->clear_table() : full_->clear_table(); }
    std::size_t bytes() const { return packed_ ? packed_->bytes() : full_->bytes(); }

private:
    std::optional<PackedTable<G>> packed_;
    std::optional<FullTable<G>> full_;
};

}  // namespace connectk::inline CONNECTK_BUILD
