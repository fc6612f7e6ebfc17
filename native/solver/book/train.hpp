// Fits the guesses to the scores of a book. All numbers are whole, so that every machine gets the same weights.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "predictor.hpp"
#include "ribbon.hpp"

namespace connectk::book {

struct Entry {
    Bits key;           // the canonical key of a quiet position
    std::int8_t score;  // the score for the side to move
};

constexpr std::size_t min_entries_for_contexts = 100'000;  // with fewer, weights take more room than they save
constexpr std::size_t max_samples = std::size_t{1} << 21;
constexpr int score_bins = 64, spread_bins = 8;

// The weights of one guess while they are fitted, with 16 bits after the point.
struct Fit {
    static constexpr int point = 16;
    static constexpr int stored_point = 4;  // the file has 4 bits after the point: sixteenths
    std::int64_t bias = 0;
    std::vector<std::int32_t> weights;

    std::vector<std::int8_t> stored_weights() const {
        std::vector<std::int8_t> out;
        for (std::int32_t w : weights) out.push_back(static_cast<std::int8_t>(std::clamp(rounded(w), -127, 127)));
        return out;
    }
    std::int32_t stored_bias() const { return rounded(bias); }

    static int rounded(std::int64_t w) {
        constexpr int drop = point - stored_point;
        return static_cast<int>((w + (1 << (drop - 1))) >> drop);
    }
};

// A sample of the book's positions in an order that is unrelated to the board, with the weights that each position
// uses.
class Samples {
public:
    Samples(const Shape& shape, const FourWindows& fours, const std::vector<Entry>& entries) : touched_(fours.size()) {
        std::vector<Entry> order(entries);
        std::sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) { return mix(a.key) < mix(b.key); });
        order.resize(std::min(order.size(), max_samples));
        for (const Entry& entry : order) {
            const Discs position = from_key(shape, entry.key);
            fours.visit_weights(position, [&](std::size_t i) { indices_.push_back(static_cast<std::uint16_t>(i)); });
            scores_.push_back(position.count() % 2 ? static_cast<std::int8_t>(-entry.score) : entry.score);
        }
    }

    std::size_t size() const { return scores_.size(); }
    int score_for_first(std::size_t i) const { return scores_[i]; }

    std::int64_t guess(const Fit& fit, std::size_t sample) const {
        std::int64_t sum = fit.bias;
        for (std::size_t i = sample * touched_; i < (sample + 1) * touched_; ++i) sum += fit.weights[indices_[i]];
        return sum;
    }
    void adjust(Fit& fit, std::size_t sample, std::int32_t by) const {
        fit.bias += by;
        for (std::size_t i = sample * touched_; i < (sample + 1) * touched_; ++i) fit.weights[indices_[i]] += by;
    }
    std::int32_t stored_guess(const std::vector<std::int8_t>& weights, std::int32_t bias, std::size_t sample) const {
        for (std::size_t i = sample * touched_; i < (sample + 1) * touched_; ++i) bias += weights[indices_[i]];
        return bias;
    }

private:
    std::size_t touched_;
    std::vector<std::uint16_t> indices_;
    std::vector<std::int8_t> scores_;
};

// Stochastic gradient descent on the squared error. The step of each pass is half the step of the pass before, or the
// same.
template <typename Target>
Fit fit_predictor(const Samples& samples, std::size_t weight_count, Target target) {
    Fit fit{0, std::vector<std::int32_t>(weight_count, 0)};
    for (int rate : {9, 9, 9, 10, 10, 11, 11, 12})
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const std::int64_t error = target(i) - samples.guess(fit, i);
            samples.adjust(fit, i, static_cast<std::int32_t>(error >> rate));
        }
    return fit;
}

// Cuts that put about equally many samples into each bin.
inline std::vector<std::int32_t> even_cuts(std::vector<std::int32_t> sums, int bins) {
    std::sort(sums.begin(), sums.end());
    std::vector<std::int32_t> cuts;
    for (int b = 1; b < bins; ++b)
        cuts.push_back(sums[sums.size() * static_cast<std::size_t>(b) / static_cast<std::size_t>(bins)]);
    return cuts;
}

// Contexts with the weights they point to.
struct FittedContexts {
    std::vector<std::int8_t> score_weights, spread_weights;
    Contexts contexts;
};

inline std::vector<std::int32_t> all_sums(const Samples& samples, const std::vector<std::int8_t>& weights,
                                          std::int32_t bias) {
    std::vector<std::int32_t> sums;
    for (std::size_t i = 0; i < samples.size(); ++i) sums.push_back(samples.stored_guess(weights, bias, i));
    return sums;
}

inline void fit_contexts(const Shape& shape, const FourWindows& fours, const std::vector<Entry>& entries,
                         FittedContexts& out) {
    if (entries.size() < min_entries_for_contexts || fours.size() == 0) return;
    const Samples samples(shape, fours, entries);
    const auto scaled = [&](std::size_t i) { return std::int64_t{samples.score_for_first(i)} << Fit::point; };
    const Fit score = fit_predictor(samples, fours.weight_count(), scaled);
    constexpr std::int64_t max_error = std::int64_t{8} << Fit::point;  // limits the weight of rare large errors
    const Fit spread = fit_predictor(samples, fours.weight_count(), [&](std::size_t i) {
        return std::min<std::int64_t>(std::abs(scaled(i) - samples.guess(score, i)), max_error);
    });
    out.score_weights = score.stored_weights();
    out.spread_weights = spread.stored_weights();
    const std::int32_t score_bias = score.stored_bias(), spread_bias = spread.stored_bias();
    out.contexts.score = {score_bias, out.score_weights,
                          even_cuts(all_sums(samples, out.score_weights, score_bias), score_bins)};
    out.contexts.spread = {spread_bias, out.spread_weights,
                           even_cuts(all_sums(samples, out.spread_weights, spread_bias), spread_bins)};
}

}  // namespace connectk::book
