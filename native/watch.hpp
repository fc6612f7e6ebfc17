// Limits, cancellation and progress of a search: the same for the solver, the players and the book.
//
//     SearchLimits limits;  limits.stop = &flag;  limits.max_nodes = 1'000'000;  limits.seconds = 0.5;
//     Watch watch(limits, &progress);
//     ...  if (watch.add_and_check(new_nodes)) return;            // by every thread, every thousand nodes or so
//
//     NodeCounter counter(watch);                                 // or one for each thread, which calls it less often
//     ...  if (counter.count_and_check()) return;                 // once for every node
//
// A search does not throw an exception to stop: every level checks the watch and returns.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "board/portable.hpp"
#include "helpers.hpp"

namespace connectk {

struct SearchLimits {
    const std::atomic<bool>* stop = nullptr;  // polled: a search ends within milliseconds after the flag becomes true
    int threads = 1;
    std::uint64_t max_nodes = 0;      // 0: no limit; exceeded by at most what each thread searches between two checks
    double seconds = 0;               // 0: no limit
    std::function<bool()> stopped{};  // polled every few milliseconds, only on the calling thread; may be empty
};

// The progress of a search; any thread may read it while the search runs.
struct Progress {
    std::atomic<int> lower{0};
    std::atomic<int> upper{0};
    std::atomic<int> depth{0};  // how many discs the current question looks ahead
    std::atomic<std::uint64_t> nodes{0};
};

class Watch {
public:
    explicit Watch(const SearchLimits& limits = {}, Progress* progress = nullptr)
        : limits_(limits), progress_(progress), start_(now()) {}

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }

    std::uint64_t add_nodes(std::uint64_t new_nodes) {
        const std::uint64_t total = nodes_.fetch_add(new_nodes, std::memory_order_relaxed) + new_nodes;
        if (progress_) progress_->nodes.store(total, std::memory_order_relaxed);
        return total;
    }

    void report(int lower, int upper, int depth) {
        if (!progress_) return;
        progress_->lower = lower;
        progress_->upper = upper;
        progress_->depth = depth;
    }

    // Changes the limit on nodes between two searches.
    void set_max_nodes(std::uint64_t max_nodes) { limits_.max_nodes = max_nodes; }
    std::uint64_t max_nodes() const { return limits_.max_nodes; }

    // Whether a limit is reached or the caller has stopped the search.
    bool should_stop() const {
        return stop_requested_.load(std::memory_order_relaxed) ||
               (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) ||
               (limits_.max_nodes && nodes() >= limits_.max_nodes) ||
               (limits_.seconds > 0 && seconds() >= limits_.seconds);
    }

    // Adds to the node count; true if the search should stop.
    bool add_and_check(std::uint64_t new_nodes) {
        if (!Helpers::is_helper_thread()) return add_and_poll(new_nodes);
        add_nodes(new_nodes);
        return should_stop();
    }

    // The same as add_and_check, for the calling thread, which also polls `limits.stopped`.
    bool add_and_poll(std::uint64_t new_nodes) {
        add_nodes(new_nodes);
        if (should_stop()) return true;
        if (limits_.stopped && now() - last_poll_ > poll_interval) {
            last_poll_ = now();
            if (limits_.stopped()) request_stop();
        }
        return should_stop();
    }

    // Stops all threads, because the answer is found or nobody waits for it any more.
    void request_stop() { stop_requested_ = true; }

private:
    static constexpr std::chrono::milliseconds poll_interval{5};
    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

    SearchLimits limits_;
    Progress* const progress_;
    const std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point last_poll_ = start_;
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<bool> stop_requested_{false};
};

// Counts one thread's nodes, and checks the watch every `interval` of them and exactly when the node limit is reached.
class NodeCounter {
public:
    explicit NodeCounter(Watch& watch, std::uint64_t interval = 128, bool is_calling_thread = true)
        : watch_(watch), interval_(interval), is_calling_thread_(is_calling_thread), next_check_(nodes_until_check()) {}
    ~NodeCounter() { flush(); }
    NodeCounter(const NodeCounter&) = delete;
    NodeCounter& operator=(const NodeCounter&) = delete;

    std::uint64_t nodes() const { return flushed_ + pending_; }

    // Counts one node; true if the search should stop.
    bool count_and_check() { return ++pending_ >= next_check_ && check(); }

    // Adds the nodes counted since the last check to the total of all threads.
    void flush() {
        watch_.add_nodes(pending_);
        flushed_ += std::exchange(pending_, 0);
    }

private:
    bool check() {
        const std::uint64_t nodes = std::exchange(pending_, 0);
        flushed_ += nodes;
        const bool should_stop = is_calling_thread_ ? watch_.add_and_poll(nodes) : watch_.add_and_check(nodes);
        next_check_ = nodes_until_check();
        return should_stop;
    }

    std::uint64_t nodes_until_check() const {
        const std::uint64_t limit = watch_.max_nodes(), nodes = watch_.nodes();
        return !limit ? interval_ : limit > nodes ? std::min(interval_, limit - nodes) : 1;
    }

    Watch& watch_;
    const std::uint64_t interval_;
    const bool is_calling_thread_;
    std::uint64_t flushed_ = 0, pending_ = 0, next_check_;
};

}  // namespace connectk
