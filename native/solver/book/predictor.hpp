// Guesses a position's score at little cost, and how far off the guess may be.
//
// The book stores scores as prefix codes; the two guesses choose the code table, so that likely scores have short
// codes. A four is four cells in a row. Each four's contents choose one small weight, and the sums of the weights are
// the guesses. All numbers are whole, so that a book decodes to the same scores on every machine.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shape.hpp"

namespace connectk::book {

constexpr int cells_of_four = 4;
constexpr int states_of_four = 256;  // four cells with four states each: empty, first's, second's, playable
constexpr int class_weights = 2 * states_of_four;  // one set for each side to move

struct FourCells {
    std::array<std::uint8_t, cells_of_four> cells;
    std::uint16_t base;  // the index of the first weight of this four's class; mirror images share a class
};

// All fours of a board.
class FourWindows {
public:
    explicit FourWindows(const Shape& shape) : shape_(shape) {
        constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (const auto& [dc, dr] : directions)
            for (int c = 0; c < shape.width; ++c)
                for (int r = 0; r < shape.height; ++r) add(c, r, dc, dr);
    }

    std::size_t size() const { return fours_.size(); }
    std::size_t weight_count() const { return static_cast<std::size_t>(classes_) * class_weights; }

    // Visits the index of the weight that each four contributes.
    template <typename Visit>
    void visit_weights(const Discs& position, Visit visit) const {
        const bool first_moves = position.count() % 2 == 0;
        const Bits first = first_moves ? position.mover : position.other;
        const Bits second = first_moves ? position.other : position.mover;
        const Bits playable = position.playable(shape_);
        const Bits low = first | playable, high = second | playable;  // two bits for each cell
        const int side = first_moves ? 0 : states_of_four;
        for (const FourCells& four : fours_) {
            int state = 0;
            for (std::uint8_t cell : four.cells)
                state = state * 4 + static_cast<int>((low >> cell) & 1) + 2 * static_cast<int>((high >> cell) & 1);
            assert(state < states_of_four && four.base + side + state < classes_ * class_weights);
            visit(static_cast<std::size_t>(four.base + side + state));
        }
    }

private:
    void add(int column, int row, int dc, int dr) {
        const int reach = cells_of_four - 1;
        if (column + reach * dc >= shape_.width) return;
        if (row + reach * dr >= shape_.height || row + reach * dr < 0) return;
        FourCells four{};
        Bits mask = 0;
        for (int i = 0; i < cells_of_four; ++i) {
            const int cell = (column + i * dc) * shape_.stride + row + i * dr;
            assert(shape_.cells & bit_at<Bits>(cell));
            four.cells[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(cell);
            mask |= Bits{1} << cell;
        }
        four.base = share_class(four, mask);
        fours_.push_back(four);
        masks_.push_back(mask);
    }

    // Returns the first weight of the four's class. If the mirror image was added before, the four takes the order of
    // its cells and its weights.
    std::uint16_t share_class(FourCells& four, Bits mask) {
        const Bits image = shape_.mirrored(mask);
        for (std::size_t i = 0; i < fours_.size(); ++i) {
            if (masks_[i] != image) continue;
            for (std::size_t j = 0; j < cells_of_four; ++j) four.cells[j] = mirrored_cell(fours_[i].cells[j]);
            return fours_[i].base;
        }
        assert(classes_ * class_weights <= std::numeric_limits<std::uint16_t>::max());
        return static_cast<std::uint16_t>(classes_++ * class_weights);
    }

    std::uint8_t mirrored_cell(std::uint8_t cell) const {
        const int column = cell / shape_.stride, row = cell % shape_.stride;
        return static_cast<std::uint8_t>((shape_.width - 1 - column) * shape_.stride + row);
    }

    Shape shape_;
    int classes_ = 0;
    std::vector<FourCells> fours_;
    std::vector<Bits> masks_;
};

// Adds up 8-bit weights, in sixteenths of a score point, and sorts the sum into a bin.
struct Predictor {
    std::int32_t bias = 0;
    std::span<const std::int8_t> weights;
    std::vector<std::int32_t> cuts;  // ascending; n cuts make n + 1 bins

    int bin_of(std::int32_t sum) const {
        int bin = 0;
        for (std::size_t low = 0, high = cuts.size(); low < high;) {
            const std::size_t middle = (low + high) / 2;
            if (sum >= cuts[middle]) low = middle + 1, bin = static_cast<int>(low);
            else high = middle;
        }
        return bin;
    }
};

// Chooses the code table for a position's score.
struct Contexts {
    Predictor score;   // guesses the score for the first player
    Predictor spread;  // guesses how far off the first guess is

    int count() const { return static_cast<int>((score.cuts.size() + 1) * (spread.cuts.size() + 1)); }

    int of(const FourWindows& fours, const Discs& position) const {
        if (count() == 1) return 0;
        std::int32_t guessed = score.bias, off = spread.bias;
        fours.visit_weights(position, [&](std::size_t i) {
            guessed += score.weights[i];
            off += spread.weights[i];
        });
        assert(score.weights.size() == fours.weight_count() && spread.weights.size() == fours.weight_count());
        return score.bin_of(guessed) * static_cast<int>(spread.cuts.size() + 1) + spread.bin_of(off);
    }
};

}  // namespace connectk::book
