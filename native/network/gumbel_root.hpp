// The choice among a root's columns by Gumbel noise and sequential halving (Danihelka et al., "Policy improvement by
// planning with Gumbel", 2022): with few simulations it still improves the policy.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

#include "board/words.hpp"

namespace connectk::network {

// What the root knows of one of its columns.
struct RootChild {
    float logit;
    int visits;   // with those that are under way
    double mean;  // result for the root's side to move, from -1 to 1; without visits the root's own value
};

class GumbelRoot {
public:
    static constexpr double visit_scale = 50, value_scale = 1;  // as in the paper, for values from 0 to 1

    // Draws the noise and keeps the `considered` columns with the highest noise plus logit.
    void begin(const std::vector<RootChild>& children, int considered, int simulations, std::uint64_t seed) {
        noise_.clear();
        for (std::size_t i = 0; i < children.size(); ++i) noise_.push_back(gumbel(seed, i));
        remaining_.resize(children.size());
        for (std::size_t i = 0; i < remaining_.size(); ++i) remaining_[i] = i;
        simulations_ = simulations;
        keep(children, std::size_t(std::max(1, considered)), 0);
        phases_ = std::max(1, int(std::ceil(std::log2(double(remaining_.size())))));
        begin_phase(children);
    }

    // The next column: the remaining one with the fewest visits; -1 if the phase ends once all values are there.
    int next(const std::vector<RootChild>& children, bool is_under_way) {
        int child = least_visited(children);
        if (children[std::size_t(child)].visits < target_) return child;
        if (is_under_way) return -1;
        keep(children, (remaining_.size() + 1) / 2, max_visits(children));
        begin_phase(children);
        child = least_visited(children);
        assert(children[std::size_t(child)].visits < target_);
        return child;
    }

    int best(const std::vector<RootChild>& children) const {
        const int most = max_visits(children);
        return int(*std::max_element(remaining_.begin(), remaining_.end(), [&](std::size_t a, std::size_t b) {
            return score(children, a, most) < score(children, b, most);
        }));
    }

    // How much a mean from -1 to 1 adds to a logit.
    static double boost(double mean, int most_visits) {
        return (visit_scale + most_visits) * value_scale * (mean + 1) / 2;
    }

private:
    static double gumbel(std::uint64_t seed, std::size_t child) {
        const std::uint64_t random = mixed(mixed(seed) + 0x9E3779B97F4A7C15u * (child + 1));
        return -std::log(-std::log((double(random >> 11) + 0.5) / 9007199254740992.0));  // 2^53
    }

    static int max_visits(const std::vector<RootChild>& children) {
        int most = 0;
        for (const RootChild& child : children) most = std::max(most, child.visits);
        return most;
    }

    double score(const std::vector<RootChild>& children, std::size_t i, int most_visits) const {
        const RootChild& child = children[i];
        return noise_[i] + child.logit + (child.visits ? boost(child.mean, most_visits) : 0);
    }

    void keep(const std::vector<RootChild>& children, std::size_t count, int most_visits) {
        std::stable_sort(remaining_.begin(), remaining_.end(), [&](std::size_t a, std::size_t b) {
            return score(children, a, most_visits) > score(children, b, most_visits);
        });
        remaining_.resize(std::min(count, remaining_.size()));
    }

    // Every remaining column gets the same number of visits in each of the phases.
    void begin_phase(const std::vector<RootChild>& children) {
        const int share = simulations_ / (phases_ * int(remaining_.size()));
        target_ = children[std::size_t(least_visited(children))].visits + std::max(1, share);
    }

    int least_visited(const std::vector<RootChild>& children) const {
        return int(*std::min_element(remaining_.begin(), remaining_.end(), [&](std::size_t a, std::size_t b) {
            return children[a].visits < children[b].visits;
        }));
    }

    std::vector<double> noise_;
    std::vector<std::size_t> remaining_;
    int simulations_ = 0, phases_ = 1, target_ = 0;
};

}  // namespace connectk::network
