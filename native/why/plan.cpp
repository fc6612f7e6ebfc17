#include "plan.hpp"

namespace connectk::why {

// The claim that the winner holds at least a draw is only added if the caller asked for that side.
void ExplanationPlan::add_claims(const Bounds& result, Side to_move, std::optional<Side> keeper) {
    const Side other = other_than(to_move);
    const bool may_be_drawn = result.lower <= 0 && result.upper >= 0;
    const auto add = [&](Side side, Promise promise, bool possible) {
        if (possible && (!keeper || keeper == side)) claims_.push_back({side, promise});
    };
    add(to_move, Promise::wins, result.upper > 0);
    add(other, Promise::wins, result.lower < 0);
    add(other, Promise::holds, may_be_drawn || (keeper && result.upper <= 0));
    add(to_move, Promise::holds, may_be_drawn || (keeper && result.lower >= 0));
}

std::optional<Attempt> ExplanationPlan::next() {
    if (tried_ == claims_.size()) return std::nullopt;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const double share = (seconds_ - elapsed.count()) / double(claims_.size() - tried_);
    return Attempt{claims_[tried_++], share};
}

}  // namespace connectk::why
