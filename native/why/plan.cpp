#include "plan.hpp"

#include <utility>

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

std::optional<Proposal> ExplanationPlan::next(Solver& solver, const Board& position, const ExplainOptions& options,
                                              SearchLimits limits) {
    std::optional<Proposal> best = std::exchange(other_, std::nullopt);
    while (!best || int(best->pages.size()) > max_readable_boards) {
        if (best && (tried_ == claims_.size() || claims_[tried_].result != best->claim.result)) break;
        const auto attempt = next_attempt();
        if (!attempt) break;
        limits.seconds = attempt->seconds;
        auto pages = explain(solver, position, attempt->claim, options, limits);
        if (!pages) continue;
        Proposal found{attempt->claim, std::move(*pages)};
        if (best && found.pages.size() >= best->pages.size()) other_ = std::move(found);
        else other_ = std::exchange(best, std::move(found));
    }
    return best;
}

std::optional<ExplanationPlan::Attempt> ExplanationPlan::next_attempt() {
    if (tried_ == claims_.size()) return std::nullopt;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const double share = (seconds_ - elapsed.count()) / double(claims_.size() - tried_);
    return Attempt{claims_[tried_++], share};
}

}  // namespace connectk::why
