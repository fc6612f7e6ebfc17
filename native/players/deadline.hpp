// When a choice must be made: at a moment, or whenever the caller says so.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "../watch.hpp"

namespace connectk::players {

class Deadline {
public:
    // `seconds` 0: no limit. `stopped` is asked every few milliseconds. With a time limit so many threads help; without
    // one the answer is the same each time.
    explicit Deadline(double seconds = 0, std::function<bool()> stopped = {}, int threads = 1)
        : seconds_(seconds), stopped_(std::move(stopped)), threads_(threads) {}

    double left() const {
        const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
        return std::max(0.0, seconds_ - gone.count());
    }

    bool is_up() const { return (seconds_ > 0 && left() <= 0) || (stopped_ && stopped_()); }

    // A part of the time that is left, from now on.
    Deadline share(double part) const {
        return Deadline(seconds_ > 0 ? std::max(part * left(), least_seconds) : 0.0, stopped_, threads_);
    }

    SearchLimits limits() const {
        SearchLimits limits;
        limits.seconds = seconds_ > 0 ? std::max(left(), least_seconds) : 0;
        limits.stopped = stopped_;
        limits.threads = seconds_ > 0 ? threads_ : 1;
        return limits;
    }

private:
    static constexpr double least_seconds = 0.001;

    double seconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::function<bool()> stopped_;
    int threads_;
};

}  // namespace connectk::players
