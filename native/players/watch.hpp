// When a search must end: its time is up, its nodes are spent, or someone said stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace connectk::players {

using Instant = std::chrono::steady_clock::time_point;

struct Limits {
    int depth = 0;            // moves ahead; 0: no limit
    std::uint64_t nodes = 0;  // 0: no limit
    double seconds = 0;       // 0: no limit
    int threads = 1;
    std::function<bool()> stopped;  // asked every few milliseconds by the calling thread; may be empty
};

class Watch {
public:
    explicit Watch(const Limits& limits) : limits_(limits), asked_(now()) {
        if (limits.seconds > 0) {
            const auto time = std::chrono::duration<double>(limits.seconds);
            deadline_ = now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
        }
    }

    // Called often, and cheap: looks at the clock only every so many calls. Only the first thread asks the caller.
    bool is_up(bool first_thread) {
        if (up_.load(std::memory_order_relaxed)) return true;
        if (first_thread && limits_.nodes && ++nodes_ >= limits_.nodes) up_ = true;
        if (first_thread && (++calls_ & 127) == 0) look();
        return up_.load(std::memory_order_relaxed);
    }

    void end() { up_ = true; }

private:
    static Instant now() { return std::chrono::steady_clock::now(); }

    void look() {
        const Instant time = now();
        if (limits_.seconds > 0 && time >= deadline_) up_ = true;
        if (limits_.stopped && time - asked_ > std::chrono::milliseconds(5)) {
            asked_ = time;
            if (limits_.stopped()) up_ = true;
        }
    }

    const Limits& limits_;
    std::atomic<bool> up_{false};
    Instant asked_, deadline_{};
    std::uint64_t nodes_ = 0, calls_ = 0;
};

}  // namespace connectk::players
