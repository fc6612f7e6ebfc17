// Games on boards of more than 128 bits: a height for each column, and for each cell whether the disc is second's.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "boards.hpp"
#include "lines_through.hpp"
#include "random_stream.hpp"

namespace connectk::arrays {

class DenseBoards {
public:
    static constexpr double nanoseconds_per_drop = 60;  // about; it decides whether threads are worth it
    static constexpr std::int64_t max_cells = 65'536, max_height = 255;

    DenseBoards(const Shape& shape, std::size_t count)
        : shape_(shape),
          words_(std::size_t((shape.width * shape.height + 63) / 64)),
          heights_(count * std::size_t(shape.width)),
          second_discs_(count * words_),
          plies_(count),
          outcomes_(count, open) {
        assert(shape.height <= max_height && shape.width <= max_cells / shape.height);
    }

    std::size_t count() const { return outcomes_.size(); }
    std::size_t bytes() const {
        return heights_.size() + 8 * second_discs_.size() + count() * (sizeof(plies_[0]) + sizeof(Outcome));
    }

    DropError drop(std::size_t game, std::int64_t column) {
        if (std::uint64_t(column) >= std::uint64_t(shape_.width)) return DropError::outside;
        if (outcomes_[game] != open) return DropError::over;
        if (heights(game)[column] == shape_.height) return DropError::full;
        put(game, column);
        return DropError::none;
    }

    void undo(std::size_t game, std::int64_t column) {
        assert(heights(game)[column] > 0 && plies_[game] > 0);
        set_side(game, column, --heights(game)[column], 0);
        --plies_[game];
        outcomes_[game] = open;
    }

    template <class OnDrop>
    void play_out(std::size_t game, RandomStream random, OnDrop on_drop) {
        while (outcomes_[game] == open) {
            const std::int64_t column = open_column(game, random);
            on_drop(column);
            put(game, column);
        }
    }

    std::int64_t random_column(std::size_t game, RandomStream random) const { return open_column(game, random); }

    void reset(std::size_t game) {
        std::fill_n(heights(game), shape_.width, std::uint8_t(0));
        std::fill_n(&second_discs_[game * words_], words_, std::uint64_t(0));
        plies_[game] = 0;
        outcomes_[game] = open;
    }

    void copy(std::size_t game, const DenseBoards& from, std::size_t source) {
        std::copy_n(from.heights(source), shape_.width, heights(game));
        std::copy_n(&from.second_discs_[source * words_], words_, &second_discs_[game * words_]);
        plies_[game] = from.plies_[source];
        outcomes_[game] = from.outcomes_[source];
    }

    Outcome outcome(std::size_t game) const { return outcomes_[game]; }
    std::int64_t ply(std::size_t game) const { return plies_[game]; }

    void legal(std::size_t game, bool* out) const {
        for (std::int64_t c = 0; c < shape_.width; ++c) {
            out[c] = outcomes_[game] == open && heights(game)[c] < shape_.height;
        }
    }

    template <class Element>
    void planes(std::size_t game, Element* out, Element one) const {
        const int mover = plies_[game] & 1;
        const std::int64_t cells = shape_.width * shape_.height;
        std::fill_n(out, 2 * cells, Element(0));
        visit(game, [&](std::int64_t column, std::int64_t row, int side) {
            out[(side == mover ? 0 : cells) + row * shape_.width + column] = one;
        });
    }

    template <class Visit>
    void visit(std::size_t game, Visit visit) const {
        for (std::int64_t c = 0; c < shape_.width; ++c) {
            for (std::int64_t r = 0; r < heights(game)[c]; ++r) visit(c, r, side_of(game, c, r));
        }
    }

    void place(std::size_t game, std::int64_t column, int side) {
        assert(column >= 0 && column < shape_.width && heights(game)[column] < shape_.height);
        set_side(game, column, heights(game)[column]++, side);
        ++plies_[game];
    }

    bool finish_set_up(std::size_t game) {
        bool won[2] = {false, false};
        visit(game, [&](std::int64_t c, std::int64_t r, int side) { won[side] |= wins_at(game, c, r, side); });
        const int mover = plies_[game] & 1;
        outcomes_[game] = won[1 - mover] ? Outcome(1 - mover) : draw_if_full(game);
        return !won[mover];
    }

private:
    std::uint8_t* heights(std::size_t game) { return &heights_[game * std::size_t(shape_.width)]; }
    const std::uint8_t* heights(std::size_t game) const { return &heights_[game * std::size_t(shape_.width)]; }

    int side_of(std::size_t game, std::int64_t column, std::int64_t row) const {
        const auto cell = std::size_t(column * shape_.height + row);
        return int(second_discs_[game * words_ + cell / 64] >> cell % 64 & 1);
    }

    void set_side(std::size_t game, std::int64_t column, std::int64_t row, int side) {
        const auto cell = std::size_t(column * shape_.height + row);
        assert(cell / 64 < words_ && (side == 0 || side == 1));
        std::uint64_t& word = second_discs_[game * words_ + cell / 64];
        word = (word & ~(std::uint64_t(1) << cell % 64)) | std::uint64_t(side) << cell % 64;
    }

    void put(std::size_t game, std::int64_t column) {
        const int side = plies_[game] & 1;
        const std::int64_t row = heights(game)[column];
        place(game, column, side);
        outcomes_[game] = wins_at(game, column, row, side) ? Outcome(side) : draw_if_full(game);
    }

    bool wins_at(std::size_t game, std::int64_t column, std::int64_t row, int side) const {
        const std::uint8_t* tops = heights(game);
        const std::uint64_t* seconds = &second_discs_[game * words_];
        const auto width = unsigned(shape_.width), height = unsigned(shape_.height);
        const auto side_at = [=](int c, int r) {
            if (unsigned(c) >= width || unsigned(r) >= tops[c]) return -1;
            const unsigned cell = unsigned(c) * height + unsigned(r);
            return int(seconds[cell / 64] >> cell % 64 & 1);
        };
        return has_line_through<int>(side_at, side, int(column), int(row), int(shape_.run));
    }

    Outcome draw_if_full(std::size_t game) const { return plies_[game] == shape_.width * shape_.height ? drawn : open; }

    std::int64_t open_column(std::size_t game, RandomStream& random) const {
        assert(plies_[game] < shape_.width * shape_.height);
        std::int64_t column;
        do column = random.below(shape_.width);
        while (heights(game)[column] == shape_.height);
        return column;
    }

    Shape shape_;
    std::size_t words_;  // the number of words for one game's cells
    std::vector<std::uint8_t> heights_;
    std::vector<std::uint64_t> second_discs_;
    std::vector<std::int32_t> plies_;
    std::vector<Outcome> outcomes_;
};

}  // namespace connectk::arrays
