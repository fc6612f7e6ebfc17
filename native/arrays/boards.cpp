#include "boards.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <type_traits>

#include "dense.hpp"
#include "parts.hpp"
#include "planes_writer.hpp"
#include "small.hpp"
#include "sparse.hpp"

namespace connectk::arrays {

namespace {

bool fits(const Shape& shape, std::int64_t bits) {
    return shape.height < bits && shape.width <= bits / (shape.height + 1);
}

template <class Games>
class BoardsImpl final : public Boards {
public:
    BoardsImpl(const Shape& shape, std::size_t count, bool keep_moves)
        : shape_(shape), games_(shape, count), moves_(keep_moves ? count : 0), keeps_moves_(keep_moves) {}

    std::size_t count() const override { return games_.count(); }
    std::size_t bytes() const override { return games_.bytes(); }
    bool keeps_moves() const override { return keeps_moves_; }

    std::optional<Refusal> drop(const std::int64_t* columns, std::size_t discs, const std::int64_t* which,
                                int threads) override {
        if (which) threads = 1;  // a game may be named twice, and its discs fall in order
        std::vector<Part> parts(std::size_t(std::max(threads, 1)));
        run_in_parts(discs, threads, Games::nanoseconds_per_drop,
                     [&](std::size_t part, std::size_t begin, std::size_t end) {
                         parts[part] = drop_part(columns, which, begin, end);
                     });
        const auto refused = std::find_if(parts.begin(), parts.end(), [](const Part& p) { return p.refusal; });
        if (refused != parts.end()) {
            for (const Part& part : parts) undo_part(columns, which, part);
            return refused->refusal;
        }
        if (keeps_moves_) {
            for (std::size_t k = 0; k < discs; ++k) moves_[game_of(which, k)].push_back(columns[k]);
        }
        return std::nullopt;
    }

    void play_out(std::uint64_t seed, int threads) override {
        const double nanoseconds = Games::nanoseconds_per_drop * cells();
        run_in_parts(count(), threads, nanoseconds, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) play_out_game(i, RandomStream(seed, i));
        });
    }

    void reset(const std::int64_t* which, std::size_t games) override {
        for (std::size_t k = 0; k < games; ++k) reset_game(game_of(which, k));
    }

    std::optional<std::size_t> undo(const std::int64_t* which, std::size_t games) override {
        assert(keeps_moves_);
        for (std::size_t k = 0; k < games; ++k) {
            if (moves_[game_of(which, k)].empty()) {
                redo(which, k);
                return game_of(which, k);
            }
            undo_last(game_of(which, k));
        }
        undone_.clear();
        return std::nullopt;
    }

    void observe(const Observation& out, bool restart, int threads) override {
        with_planes_writer(out.planes, threads, [&](auto& writer, std::size_t i) {
            out.outcome[i] = games_.outcome(i);
            if (restart && games_.outcome(i) != open) reset_game(i);
            games_.legal(i, out.legal + i * std::size_t(shape_.width));
            writer.write(games_, i);
        });
    }

    std::unique_ptr<Boards> mirrored() const override {
        auto mirror = std::make_unique<BoardsImpl>(shape_, count(), keeps_moves_);
        for (std::size_t i = 0; i < count(); ++i) {
            std::vector<Disc> turned = discs(i);
            for (Disc& disc : turned) disc.column = shape_.width - 1 - disc.column;
            [[maybe_unused]] const bool possible = mirror->set_up(i, turned);
            assert(possible);
            if (!keeps_moves_) continue;
            for (const std::int64_t column : moves_[i]) mirror->moves_[i].push_back(shape_.width - 1 - column);
        }
        return mirror;
    }

    std::unique_ptr<Boards> select(const std::int64_t* which, std::size_t games) const override {
        auto chosen = std::make_unique<BoardsImpl>(shape_, games, keeps_moves_);
        for (std::size_t k = 0; k < games; ++k) {
            chosen->games_.copy(k, games_, game_of(which, k));
            if (keeps_moves_) chosen->moves_[k] = moves_[game_of(which, k)];
        }
        return chosen;
    }

    void legal(bool* out, int threads) const override {
        for_each_game(threads, [&](std::size_t i) { games_.legal(i, out + i * std::size_t(shape_.width)); });
    }
    void outcome(std::int8_t* out) const override {
        for_each_game(1, [&](std::size_t i) { out[i] = games_.outcome(i); });
    }
    void side_to_move(std::int8_t* out) const override {
        for_each_game(1, [&](std::size_t i) { out[i] = std::int8_t(games_.ply(i) & 1); });
    }
    void ply(std::int64_t* out) const override {
        for_each_game(1, [&](std::size_t i) { out[i] = games_.ply(i); });
    }
    void planes(const PlanesArray& out, int threads) const override {
        with_planes_writer(out, threads, [&](auto& writer, std::size_t i) { writer.write(games_, i); });
    }

    void random_columns(std::int64_t* out, std::uint64_t seed, int threads) const override {
        for_each_game(threads, [&](std::size_t i) {
            const RandomStream random(seed ^ mixed(std::uint64_t(games_.ply(i))), i);
            out[i] = games_.outcome(i) == open ? games_.random_column(i, random) : -1;
        });
    }

    void bits(std::uint64_t* out, std::size_t words) const override {
        assert(fits(shape_, std::int64_t(64 * words)));
        std::fill_n(out, count() * 2 * words, std::uint64_t(0));
        for_each_game(1, [&](std::size_t i) {
            std::uint64_t *own = out + i * 2 * words, *all = own + words;
            const int mover = int(games_.ply(i) & 1);
            games_.visit(i, [&](std::int64_t c, std::int64_t r, int side) {
                const auto bit = std::size_t(c * (shape_.height + 1) + r);
                all[bit / 64] |= std::uint64_t(1) << bit % 64;
                if (side == mover) own[bit / 64] |= std::uint64_t(1) << bit % 64;
            });
        });
    }

    std::vector<Disc> discs(std::size_t game) const override {
        std::vector<Disc> discs;
        games_.visit(
            game, [&](std::int64_t column, std::int64_t, int side) { discs.push_back({column, std::uint8_t(side)}); });
        return discs;
    }

    bool set_up(std::size_t game, const std::vector<Disc>& discs) override {
        assert(game < count());
        reset_game(game);
        if (counts_fit(discs)) {
            for (const Disc& disc : discs) games_.place(game, disc.column, disc.side);
            if (games_.finish_set_up(game)) return true;
        }
        games_.reset(game);
        return false;
    }

    const std::vector<std::int64_t>& moves(std::size_t game) const override {
        assert(keeps_moves_ && game < count());
        return moves_[game];
    }

private:
    struct Part {
        std::size_t begin = 0, done = 0;
        std::optional<Refusal> refusal;
    };

    std::size_t game_of(const std::int64_t* which, std::size_t k) const {
        const std::size_t game = which ? std::size_t(which[k]) : k;
        assert(game < count());
        return game;
    }

    Part drop_part(const std::int64_t* columns, const std::int64_t* which, std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const DropError error = games_.drop(game_of(which, k), columns[k]);
            if (error != DropError::none) return {begin, k, Refusal{game_of(which, k), columns[k], error}};
        }
        return {begin, end, std::nullopt};
    }

    void undo_part(const std::int64_t* columns, const std::int64_t* which, const Part& part) {
        assert(part.begin <= part.done);
        for (std::size_t k = part.done; k-- > part.begin;) games_.undo(game_of(which, k), columns[k]);
    }

    void play_out_game(std::size_t game, const RandomStream& random) {
        if (!keeps_moves_) return games_.play_out(game, random, [](std::int64_t) {});
        games_.play_out(game, random, [&](std::int64_t column) { moves_[game].push_back(column); });
    }

    double cells() const { return double(shape_.width) * double(shape_.height); }

    void reset_game(std::size_t game) {
        games_.reset(game);
        if (keeps_moves_) moves_[game].clear();
    }

    void undo_last(std::size_t game) {
        undone_.push_back(moves_[game].back());
        games_.undo(game, moves_[game].back());
        moves_[game].pop_back();
    }

    // Drops the discs again that `undo` has taken back from the first `done` games of `which`.
    void redo(const std::int64_t* which, std::size_t done) {
        for (std::size_t k = done; k-- > 0; undone_.pop_back()) {
            games_.drop(game_of(which, k), undone_.back());
            moves_[game_of(which, k)].push_back(undone_.back());
        }
    }

    // Calls work(writer, game) for every game; the writer fits the type of the planes' elements.
    template <class Work>
    void with_planes_writer(const PlanesArray& out, int threads, const Work& work) const {
        const auto run = [&]<class Element>(std::type_identity<Element>) {
            run_in_parts(count(), threads, cells() / 4, [&](std::size_t, std::size_t begin, std::size_t end) {
                PlanesWriter<Element> writer(shape_, out);
                for (std::size_t i = begin; i < end; ++i) work(writer, i);
            });
        };
        if (out.element_bytes == 1) return run(std::type_identity<std::uint8_t>());
        if (out.element_bytes == 2) return run(std::type_identity<std::uint16_t>());
        if (out.element_bytes == 4) return run(std::type_identity<std::uint32_t>());
        assert(out.element_bytes == 8);
        run(std::type_identity<std::uint64_t>());
    }

    template <class Work>
    void for_each_game(int threads, const Work& work) const {
        const double nanoseconds = double(shape_.width);
        run_in_parts(count(), threads, nanoseconds, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) work(i);
        });
    }

    // Whether first has as many discs as second, or one more.
    static bool counts_fit(const std::vector<Disc>& discs) {
        const auto second = std::count_if(discs.begin(), discs.end(), [](const Disc& disc) { return disc.side == 1; });
        return std::size_t(second) == discs.size() / 2;
    }

    Shape shape_;
    Games games_;
    std::vector<std::vector<std::int64_t>> moves_;
    std::vector<std::int64_t> undone_;  // the columns that an `undo` in progress has taken discs from
    bool keeps_moves_;
};

bool is(const Shape& shape, std::int64_t width, std::int64_t height, std::int64_t run) {
    return shape.width == width && shape.height == height && shape.run == run;
}

}  // namespace

std::unique_ptr<Boards> make_boards(const Shape& shape, std::size_t count, bool keep_moves) {
    assert(shape.width >= 1 && shape.height >= 1 && shape.run >= 1);
    assert(shape.width <= max_dimension && shape.height <= max_dimension && shape.run <= max_dimension);
    const auto make = [&]<class Games>(std::type_identity<Games>) -> std::unique_ptr<Boards> {
        return std::make_unique<BoardsImpl<Games>>(shape, count, keep_moves);
    };
    if (is(shape, 7, 6, 4)) return make(std::type_identity<SmallBoards<Sizes<std::uint64_t, 6, 4, 7>>>());
    if (fits(shape, 64)) return make(std::type_identity<SmallBoards<Sizes<std::uint64_t>>>());
    if (is(shape, 9, 7, 5)) return make(std::type_identity<SmallBoards<Sizes<Wide, 7, 5, 9>>>());
    if (fits(shape, 128)) return make(std::type_identity<SmallBoards<Sizes<Wide>>>());
    const bool dense = shape.height <= DenseBoards::max_height && shape.width <= DenseBoards::max_cells / shape.height;
    if (dense) return make(std::type_identity<DenseBoards>());
    return make(std::type_identity<SparseBoards>());
}

}  // namespace connectk::arrays
