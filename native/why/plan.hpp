// Decides which claims about a position to try, in which order and for how long.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "explain.hpp"

namespace connectk::why {

struct Attempt {
    Claim claim;
    double seconds = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"claim", &Attempt::claim}, Field{"seconds", &Attempt::seconds}};
    }
};

class ExplanationPlan {
public:
    explicit ExplanationPlan(double seconds) : seconds_(seconds) {}  // the time counts from now on

    // The time limit for solving the position.
    double solver_seconds() const { return seconds_ / 2; }

    // Queues the claims that this result allows, the strongest first; if `keeper` is given, only claims for that side.
    void add_claims(const Bounds& result, Side to_move, std::optional<Side> keeper);

    // The next claim with its share of the remaining time; none after the last claim.
    std::optional<Attempt> next();

private:
    const double seconds_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::vector<Claim> claims_;
    std::size_t tried_ = 0;
};

}  // namespace connectk::why
