// Games on boards of any size. A hash table holds the columns with discs, so a game takes memory for its discs only.
#pragma once

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <vector>

#include "boards.hpp"
#include "lines_through.hpp"
#include "random_stream.hpp"

namespace connectk::arrays {

class SparseBoards {
public:
    static constexpr double nanoseconds_per_drop = 200;  // about; it decides whether threads are worth it

    SparseBoards(const Shape& shape, std::size_t count) : shape_(shape), games_(count) {}

    std::size_t count() const { return games_.size(); }
    std::size_t bytes() const {
        std::size_t bytes = count() * sizeof(Game);
        for (const Game& game : games_) {
            bytes += game.columns.bucket_count() * sizeof(void*);
            for (const auto& [column, discs] : game.columns)
                bytes += sizeof(column) + sizeof(discs) + discs.capacity() / 8;
        }
        return bytes;
    }

    DropError drop(std::size_t game, std::int64_t column) {
        if (column < 0 || column >= shape_.width) return DropError::outside;
        if (games_[game].outcome != open) return DropError::over;
        if (height(games_[game], column) == shape_.height) return DropError::full;
        put(games_[game], column);
        return DropError::none;
    }

    void undo(std::size_t game, std::int64_t column) {
        Game& one = games_[game];
        const auto found = one.columns.find(column);
        assert(found != one.columns.end() && !found->second.empty());
        found->second.pop_back();
        if (found->second.empty()) one.columns.erase(found);
        --one.ply;
        one.outcome = open;
    }

    template <class OnDrop>
    void play_out(std::size_t game, RandomStream random, OnDrop on_drop) {
        Game& one = games_[game];
        while (one.outcome == open) {
            const std::int64_t column = open_column(one, random);
            on_drop(column);
            put(one, column);
        }
    }

    std::int64_t random_column(std::size_t game, RandomStream random) const {
        return open_column(games_[game], random);
    }

    void reset(std::size_t game) { games_[game] = {}; }
    void copy(std::size_t game, const SparseBoards& from, std::size_t source) { games_[game] = from.games_[source]; }

    Outcome outcome(std::size_t game) const { return games_[game].outcome; }
    std::int64_t ply(std::size_t game) const { return games_[game].ply; }

    void legal(std::size_t game, bool* out) const {
        const Game& one = games_[game];
        std::fill_n(out, shape_.width, one.outcome == open);
        for (const auto& [column, discs] : one.columns) {
            if (std::int64_t(discs.size()) == shape_.height) out[column] = false;
        }
    }

    template <class Element>
    void planes(std::size_t game, Element* out, Element one) const {
        const std::int64_t cells = shape_.width * shape_.height;
        std::fill_n(out, 2 * cells, Element(0));
        visit(game, [&](std::int64_t column, std::int64_t row, int side) {
            out[(side == (games_[game].ply & 1) ? 0 : cells) + row * shape_.width + column] = one;
        });
    }

    template <class Visit>
    void visit(std::size_t game, Visit visit) const {
        std::vector<std::int64_t> columns;
        for (const auto& column : games_[game].columns) columns.push_back(column.first);
        std::sort(columns.begin(), columns.end());
        for (const std::int64_t c : columns) {
            const std::vector<bool>& discs = games_[game].columns.at(c);
            for (std::size_t r = 0; r < discs.size(); ++r) visit(c, std::int64_t(r), int(discs[r]));
        }
    }

    void place(std::size_t game, std::int64_t column, int side) {
        assert(column >= 0 && column < shape_.width && height(games_[game], column) < shape_.height);
        games_[game].columns[column].push_back(side == 1);
        ++games_[game].ply;
    }

    bool finish_set_up(std::size_t game) {
        Game& one = games_[game];
        bool won[2] = {false, false};
        visit(game, [&](std::int64_t c, std::int64_t r, int side) { won[side] |= wins_at(one, c, r, side); });
        const int mover = int(one.ply & 1);
        one.outcome = won[1 - mover] ? Outcome(1 - mover) : draw_if_full(one);
        return !won[mover];
    }

private:
    struct Game {
        std::unordered_map<std::int64_t, std::vector<bool>> columns;  // from the bottom up; true is a disc of second
        std::int64_t ply = 0;
        Outcome outcome = open;
    };

    static std::int64_t height(const Game& game, std::int64_t column) {
        const auto found = game.columns.find(column);
        return found == game.columns.end() ? 0 : std::int64_t(found->second.size());
    }

    void put(Game& game, std::int64_t column) {
        assert(game.outcome == open && height(game, column) < shape_.height);
        const int side = int(game.ply & 1);
        std::vector<bool>& discs = game.columns[column];
        discs.push_back(side == 1);
        ++game.ply;
        const bool won = wins_at(game, column, std::int64_t(discs.size()) - 1, side);
        game.outcome = won ? Outcome(side) : draw_if_full(game);
    }

    bool wins_at(const Game& game, std::int64_t column, std::int64_t row, int side) const {
        const auto side_at = [&](std::int64_t c, std::int64_t r) {
            const auto found = game.columns.find(c);
            const bool lies = found != game.columns.end() && r >= 0 && r < std::int64_t(found->second.size());
            return lies ? int(found->second[std::size_t(r)]) : -1;
        };
        return has_line_through<std::int64_t>(side_at, side, column, row, shape_.run);
    }

    // Divides instead of multiplying, since the product of two large sizes may overflow.
    Outcome draw_if_full(const Game& game) const {
        const bool full = game.ply % shape_.height == 0 && game.ply / shape_.height == shape_.width;
        return full ? drawn : open;
    }

    std::int64_t open_column(const Game& game, RandomStream& random) const {
        std::int64_t column;
        do column = random.below(shape_.width);
        while (height(game, column) == shape_.height);
        return column;
    }

    Shape shape_;
    std::vector<Game> games_;
};

}  // namespace connectk::arrays
