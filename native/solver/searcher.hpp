// The interface between the solver's driver, compiled once, and the search, compiled once per instruction set.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver.hpp"

namespace connectk {

// The positions that threads are searching at the moment, by hash. Collisions and lost entries are harmless: a drop is only
// postponed.
class BusyPositions {
public:
    bool holds(std::uint64_t hash) const { return slot(hash).load(std::memory_order_relaxed) == hash; }

    class Visit {
    public:
        Visit(BusyPositions& busy, std::uint64_t hash) : slot_(busy.slot(hash)), hash_(hash) {
            slot_.store(hash, std::memory_order_relaxed);
        }
        ~Visit() {
            if (slot_.load(std::memory_order_relaxed) == hash_) slot_.store(0, std::memory_order_relaxed);
        }

    private:
        std::atomic<std::uint64_t>& slot_;
        std::uint64_t hash_;
    };

private:
    static constexpr int slot_bits = 12;
    std::atomic<std::uint64_t>& slot(std::uint64_t hash) { return slots_[hash >> (64 - slot_bits)]; }
    const std::atomic<std::uint64_t>& slot(std::uint64_t hash) const { return slots_[hash >> (64 - slot_bits)]; }
    std::array<std::atomic<std::uint64_t>, 1 << slot_bits> slots_{};
};

// What the threads of one search share besides the table.
struct SearchContext {
    Watch& watch;
    std::uint64_t max_nodes_before_helpers =
        ~std::uint64_t(0);              // then the search returns so that the driver can call helpers
    std::atomic<bool> answered{false};  // another thread has finished the search
    BusyPositions* busy = nullptr;      // null for a single thread

    // Whether the calling thread must return without an answer; every thread asks at intervals.
    bool should_return(std::uint64_t new_nodes) {
        return watch.add_and_check(new_nodes) || watch.nodes() >= max_nodes_before_helpers ||
               answered.load(std::memory_order_relaxed);
    }
};

class Searcher {
public:
    virtual ~Searcher() = default;

    // The bounds that need no search.
    virtual Bounds known_bounds(const Board& board) = 0;

    // A bound on the score: a lower bound if the score is at least `target`, otherwise an upper bound; `no_answer` if
    // the search was stopped before. Threads that search for the same target share one `BusyPositions`.
    virtual int ask(const Board& board, int target, SearchContext& context) = 0;
    virtual void clear_table() = 0;
    virtual std::size_t table_bytes() const = 0;

    // See the same functions of Solver.
    virtual void allow_readers() = 0;
    virtual Bounds recorded_bounds(const Board& board) = 0;
    virtual double table_fill() const = 0;
    virtual std::vector<KnownPosition> known_positions(std::size_t max_count) const = 0;
    virtual std::size_t add_known_positions(const std::vector<KnownPosition>& positions) = 0;
};

inline constexpr int no_answer = -10000;

namespace searchers::portable {
std::unique_ptr<Searcher> make(const Variant& variant, std::size_t table_bytes, Path path);
}
namespace searchers::x86_64_v3 {
std::unique_ptr<Searcher> make(const Variant& variant, std::size_t table_bytes, Path path);
}

}  // namespace connectk
