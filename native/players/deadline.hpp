// When a player must choose: at a fixed time, or as soon as the caller stops it.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "../watch.hpp"

namespace connectk::players {

class Deadline {
public:
    // `seconds` 0: no limit. `stopped` is polled every few milliseconds. `threads` is used only with a time limit;
    // without a limit a single thread searches, so that the answer is reproducible.
    explicit Deadline(double seconds = 0, std::function<bool()> stopped = {}, int threads = 1)
        : seconds_(seconds), stopped_(std::move(stopped)), threads_(threads) {}

    double seconds_left() const {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        return std::max(0.0, seconds_ - elapsed.count());
    }

    bool has_passed() const { return (seconds_ > 0 && seconds_left() <= 0) || (stopped_ && stopped_()); }

    // A deadline after this fraction of the remaining time.
    Deadline share(double fraction) const {
        return Deadline(seconds_ > 0 ? std::max(fraction * seconds_left(), min_share_seconds) : 0.0, stopped_,
                        threads_);
    }

    SearchLimits limits() const {
        SearchLimits limits;
        limits.seconds = seconds_ > 0 ? std::max(seconds_left(), min_share_seconds) : 0;
        limits.stopped = stopped_;
        limits.threads = seconds_ > 0 ? threads_ : 1;
        return limits;
    }

private:
    static constexpr double min_share_seconds = 0.001;

    double seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::function<bool()> stopped_;
    int threads_;
};

}  // namespace connectk::players
