// The door between the solver's driver, compiled once, and the search, compiled once per kind of processor.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "solver.hpp"

namespace connectk {

struct Stopped {};

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
    std::atomic<std::uint64_t>& slot(std::uint64_t hash) { return slots_[hash >> 52]; }
    const std::atomic<std::uint64_t>& slot(std::uint64_t hash) const { return slots_[hash >> 52]; }
    std::array<std::atomic<std::uint64_t>, 4096> slots_{};
};

// What the threads of one search share beside the table.
struct Watch {
    const std::atomic<bool>* stop = nullptr;  // the caller's
    std::uint64_t max_nodes = 0;
    Progress* progress = nullptr;
    std::uint64_t pause_at = ~std::uint64_t(0);  // nodes after which the driver wants to call helpers
    std::atomic<bool> answered{false};           // another thread has the answer to the question under way
    std::atomic<std::uint64_t> nodes{0};
    Busy busy;

    std::uint64_t count(std::uint64_t new_nodes) {
        const std::uint64_t total = nodes.fetch_add(new_nodes, std::memory_order_relaxed) + new_nodes;
        if (progress) progress->nodes.store(total, std::memory_order_relaxed);
        return total;
    }

    // Whether the caller wants no more.
    bool over() const {
        return (stop && stop->load(std::memory_order_relaxed)) ||
               (max_nodes && nodes.load(std::memory_order_relaxed) >= max_nodes);
    }

    // Called by every thread every so many nodes.
    void look(std::uint64_t new_nodes) {
        const std::uint64_t total = count(new_nodes);
        if (over() || total >= pause_at || answered.load(std::memory_order_relaxed)) throw Stopped{};
    }
};

class Engine {
public:
    virtual ~Engine() = default;

    // What is known without any search.
    virtual Bounds glance(const Board& board) = 0;

    // A bound on the score: a lower one if it is at least `target`, else an upper one. Throws Stopped.
    // `together` tells that other threads ask the same question at the same time.
    virtual int ask(const Board& board, int target, Watch& watch, bool together) = 0;
    virtual void forget() = 0;
    virtual std::size_t table_bytes() const = 0;
};

namespace portable {
std::unique_ptr<Engine> make_engine(const Variant& variant, std::size_t table_bytes, Path path);
}
namespace x86_64_v3 {
std::unique_ptr<Engine> make_engine(const Variant& variant, std::size_t table_bytes, Path path);
}

}  // namespace connectk
