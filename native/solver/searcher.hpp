// The door between the solver's driver, compiled once, and the search, compiled once per kind of processor.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "solver.hpp"

namespace connectk {

// What other threads are searching at this moment, by a hash of the position. It may forget and it may mistake one
// position for another: whoever asks only puts a drop off.
class Busy {
public:
    bool holds(std::uint64_t hash) const { return slot(hash).load(std::memory_order_relaxed) == hash; }

    class Visit {
    public:
        Visit(Busy& busy, std::uint64_t hash) : slot_(busy.slot(hash)), hash_(hash) {
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

// What the threads of one search share beside the table.
struct Shared {
    Watch& watch;
    std::uint64_t pause_at = ~std::uint64_t(0);  // nodes after which the driver wants to call helpers
    std::atomic<bool> answered{false};           // another thread has the answer to the question under way
    Busy* busy = nullptr;                        // where several threads ask together

    // Called by every thread every so many nodes: whether it must come back without an answer.
    bool look(std::uint64_t new_nodes) {
        return watch.look(new_nodes) || watch.nodes() >= pause_at || answered.load(std::memory_order_relaxed);
    }
};

class Searcher {
public:
    virtual ~Searcher() = default;

    // What is known without any search.
    virtual Bounds glance(const Board& board) = 0;

    // A bound on the score: a lower one if it is at least `target`, else an upper one; `no_answer` where it was told
    // to end first. Threads that ask the same question at the same time share one `Busy`.
    virtual int ask(const Board& board, int target, Shared& shared) = 0;
    virtual void forget() = 0;
    virtual std::size_t table_bytes() const = 0;
};

inline constexpr int no_answer = -10000;

namespace searchers::portable {
std::unique_ptr<Searcher> make(const Variant& variant, std::size_t table_bytes, Path path);
}
namespace searchers::x86_64_v3 {
std::unique_ptr<Searcher> make(const Variant& variant, std::size_t table_bytes, Path path);
}

}  // namespace connectk
