// Which claims about a position to try to explain, in which order, and for how long each.
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
    explicit ExplanationPlan(double seconds) : seconds_(seconds) {}  // from now on

    // The time in which the solver may find out who wins.
    double solver_seconds() const { return seconds_ / 2; }

    // Takes up what may be true as far as the solver knows, the strongest first: of one side where that is given.
    void consider(const Bounds& result, Side to_move, std::optional<Side> keeper);

    // The next claim, with its share of the time that is left; nothing when all were tried.
    std::optional<Attempt> next();

private:
    const double seconds_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::vector<Claim> claims_;
    std::size_t tried_ = 0;
};

}  // namespace connectk::why
