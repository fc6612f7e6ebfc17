// Decides which claims about a position to try, in which order and for how long.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "explain.hpp"

namespace connectk::why {

// An explanation that the checker has not seen yet.
struct Proposal {
    Claim claim;
    std::vector<Page> pages;

    static constexpr auto fields() {
        return std::tuple{Field{"claim", &Proposal::claim}, Field{"pages", &Proposal::pages}};
    }
};

class ExplanationPlan {
public:
    explicit ExplanationPlan(double seconds) : seconds_(seconds) {}  // the time counts from now on

    // The time limit for solving the position.
    double solver_seconds() const { return seconds_ / 2; }

    // Queues the claims that this result allows, the strongest first; if `keeper` is given, only claims for that side.
    void add_claims(const Bounds& result, Side to_move, std::optional<Side> keeper);

    // The next explanation that the search finds; none after the last claim. If it has more boards than a person reads, the
    // next claim is tried too if it promises the same, and the explanation with fewer boards comes first.
    std::optional<Proposal> next(Solver& solver, const Board& position, const ExplainOptions& options,
                                 SearchLimits limits);

private:
    // A claim with its share of the remaining time.
    struct Attempt {
        Claim claim;
        double seconds = 0;
    };

    std::optional<Attempt> next_attempt();

    const double seconds_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::vector<Claim> claims_;
    std::size_t tried_ = 0;
    std::optional<Proposal> other_;  // an explanation with more boards, in case the checker refuses the first one
};

}  // namespace connectk::why
