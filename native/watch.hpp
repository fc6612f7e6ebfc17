// When a search must end, and what it tells meanwhile: the same for the solver, the players and the book.
//
//     Limits limits;  limits.stop = &flag;  limits.max_nodes = 1'000'000;  limits.seconds = 0.5;
//     Watch watch(limits, &progress);
//     ...  if (watch.look(nodes_since_the_last_look)) return;     // by every thread, every thousand nodes or so
//
// No search throws to get out: it looks, and returns all the way up.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace connectk {

struct Limits {
    const std::atomic<bool>* stop = nullptr;  // polled: a search ends within milliseconds of its turning true
    int threads = 1;
    std::uint64_t max_nodes = 0;  // 0: no limit; kept to within what is searched between two looks of each thread
    double seconds = 0;           // 0: no limit
};

// Read by any thread while a search runs.
struct Progress {
    std::atomic<int> lower{0};
    std::atomic<int> upper{0};
    std::atomic<int> depth{0};  // discs that the question under way looks ahead
    std::atomic<std::uint64_t> nodes{0};
};

class Watch {
public:
    explicit Watch(const Limits& limits = {}, Progress* progress = nullptr)
        : limits_(limits), progress_(progress), start_(now()) {}

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }

    std::uint64_t count(std::uint64_t new_nodes) {
        const std::uint64_t total = nodes_.fetch_add(new_nodes, std::memory_order_relaxed) + new_nodes;
        if (progress_) progress_->nodes.store(total, std::memory_order_relaxed);
        return total;
    }

    void tell(int lower, int upper, int depth) {
        if (!progress_) return;
        progress_->lower = lower;
        progress_->upper = upper;
        progress_->depth = depth;
    }

    // Changes the limit on nodes between two searches.
    void allow(std::uint64_t max_nodes) { limits_.max_nodes = max_nodes; }
    std::uint64_t allowed() const { return limits_.max_nodes; }

    // Whether the caller wants no more.
    bool over() const {
        return (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) ||
               (limits_.max_nodes && nodes() >= limits_.max_nodes) ||
               (limits_.seconds > 0 && seconds() >= limits_.seconds);
    }

    // Counts, and tells whether to end now.
    bool look(std::uint64_t new_nodes) {
        count(new_nodes);
        return over();
    }

private:
    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

    Limits limits_;
    Progress* const progress_;
    const std::chrono::steady_clock::time_point start_;
    std::atomic<std::uint64_t> nodes_{0};
};

}  // namespace connectk
