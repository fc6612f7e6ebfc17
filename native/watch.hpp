// When a search must end, and what it tells meanwhile: the same for the solver, the players and the book.
//
//     SearchLimits limits;  limits.stop = &flag;  limits.max_nodes = 1'000'000;  limits.seconds = 0.5;
//     Watch watch(limits, &progress);
//     ...  if (watch.look(nodes_since_the_last_look)) return;     // by every thread, every thousand nodes or so
//
//     Pace pace(watch);                                           // or of each thread, which then counts for it
//     ...  if (pace.is_over()) return;                            // once for every node
//
// No search throws to get out: it looks, and returns all the way up.
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
    const std::atomic<bool>* stop = nullptr;  // polled: a search ends within milliseconds of its turning true
    int threads = 1;
    std::uint64_t max_nodes = 0;      // 0: no limit; kept to within what is searched between two looks of each thread
    double seconds = 0;               // 0: no limit
    std::function<bool()> stopped{};  // asked every few milliseconds, only by the thread that was called; may be empty
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
    explicit Watch(const SearchLimits& limits = {}, Progress* progress = nullptr)
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
        return ended_.load(std::memory_order_relaxed) ||
               (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) ||
               (limits_.max_nodes && nodes() >= limits_.max_nodes) ||
               (limits_.seconds > 0 && seconds() >= limits_.seconds);
    }

    // Counts, and tells whether to end now.
    bool look(std::uint64_t new_nodes) {
        if (!Helpers::is_one()) return look_and_ask(new_nodes);
        count(new_nodes);
        return over();
    }

    // The same by the thread that was called, which asks its caller now and then.
    bool look_and_ask(std::uint64_t new_nodes) {
        count(new_nodes);
        if (over()) return true;
        if (limits_.stopped && now() - asked_ > std::chrono::milliseconds(5)) {
            asked_ = now();
            if (limits_.stopped()) end();
        }
        return over();
    }

    // The work is done, or no more of it is wanted: all threads end.
    void end() { ended_ = true; }

private:
    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

    SearchLimits limits_;
    Progress* const progress_;
    const std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point asked_ = start_;
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<bool> ended_{false};
};

// One thread's count of its nodes: it looks every so many of them, and just where the nodes run out.
class Pace {
public:
    explicit Pace(Watch& watch, std::uint64_t every = 128, bool was_called = true)
        : watch_(watch), every_(every), was_called_(was_called), next_look_(nodes_until_next_look()) {}
    ~Pace() { tell(); }
    Pace(const Pace&) = delete;
    Pace& operator=(const Pace&) = delete;

    std::uint64_t nodes() const { return told_ + since_look_; }

    // Counts one node, and tells whether to end now.
    bool is_over() { return ++since_look_ >= next_look_ && look(); }

    // Adds what it has counted to what all threads have.
    void tell() {
        watch_.count(since_look_);
        told_ += std::exchange(since_look_, 0);
    }

private:
    bool look() {
        const std::uint64_t nodes = std::exchange(since_look_, 0);
        told_ += nodes;
        const bool over = was_called_ ? watch_.look_and_ask(nodes) : watch_.look(nodes);
        next_look_ = nodes_until_next_look();
        return over;
    }

    std::uint64_t nodes_until_next_look() const {
        const std::uint64_t allowed = watch_.allowed(), nodes = watch_.nodes();
        return !allowed ? every_ : allowed > nodes ? std::min(every_, allowed - nodes) : 1;
    }

    Watch& watch_;
    const std::uint64_t every_;
    const bool was_called_;
    std::uint64_t told_ = 0, since_look_ = 0, next_look_;
};

}  // namespace connectk
