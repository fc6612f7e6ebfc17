#include "boards.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <thread>
#include <type_traits>

#include "dense.hpp"
#include "small.hpp"
#include "sparse.hpp"

namespace connectk::arrays {

namespace {

constexpr std::size_t worth_a_thread = 2'048;  // games; starting one takes as long as some thousand drops

// work(part, begin, end) for each part of 0 to `count`, in threads of their own when there are several.
template <class Work>
void in_parts(std::size_t count, int threads, const Work& work) {
    const std::size_t parts = std::clamp<std::size_t>(count / worth_a_thread, 1, std::size_t(std::max(threads, 1)));
    std::vector<std::thread> others;
    for (std::size_t part = 1; part < parts; ++part) {
        others.emplace_back(work, part, count * part / parts, count * (part + 1) / parts);
    }
    work(std::size_t(0), std::size_t(0), count / parts);
    for (std::thread& other : others) other.join();
}

bool fits(const Shape& shape, std::int64_t bits) {
    return shape.height < bits && shape.width <= bits / (shape.height + 1);
}

template <class Games>
class BoardsOf final : public Boards {
public:
    BoardsOf(const Shape& shape, std::size_t count, bool keep_moves)
        : shape_(shape), games_(shape, count), moves_(keep_moves ? count : 0), keeps_moves_(keep_moves) {}

    std::size_t count() const override { return games_.count(); }
    std::size_t bytes() const override { return games_.bytes(); }
    bool keeps_moves() const override { return keeps_moves_; }

    std::optional<Refusal> drop(const std::int64_t* columns, std::size_t discs, const std::int64_t* which,
                                int threads) override {
        if (which) threads = 1;  // a game may be named twice, and its discs fall in order
        std::vector<Part> parts(std::size_t(std::max(threads, 1)));
        in_parts(discs, threads, [&](std::size_t part, std::size_t begin, std::size_t end) {
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
        in_parts(count(), threads, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) play_out_game(i, Stream(seed, i));
        });
    }

    void reset(const std::int64_t* which, std::size_t games) override {
        for (std::size_t k = 0; k < games; ++k) {
            const std::size_t game = game_of(which, k);
            games_.reset(game);
            if (keeps_moves_) moves_[game].clear();
        }
    }

    std::unique_ptr<Boards> select(const std::int64_t* which, std::size_t games) const override {
        auto chosen = std::make_unique<BoardsOf>(shape_, games, keeps_moves_);
        for (std::size_t k = 0; k < games; ++k) {
            chosen->games_.copy(k, games_, game_of(which, k));
            if (keeps_moves_) chosen->moves_[k] = moves_[game_of(which, k)];
        }
        return chosen;
    }

    void legal(bool* out, int threads) const override {
        each(threads, [&](std::size_t i) { games_.legal(i, out + i * std::size_t(shape_.width)); });
    }
    void outcome(std::int8_t* out) const override {
        each(1, [&](std::size_t i) { out[i] = games_.outcome(i); });
    }
    void side_to_move(std::int8_t* out) const override {
        each(1, [&](std::size_t i) { out[i] = std::int8_t(games_.ply(i) & 1); });
    }
    void ply(std::int64_t* out) const override {
        each(1, [&](std::size_t i) { out[i] = games_.ply(i); });
    }
    void planes(std::uint8_t* out, int threads) const override { planes_of(out, threads); }
    void planes(float* out, int threads) const override { planes_of(out, threads); }

    void random_columns(std::int64_t* out, std::uint64_t seed, int threads) const override {
        each(threads, [&](std::size_t i) {
            out[i] = games_.outcome(i) == open ? games_.random_column(i, Stream(seed, i)) : -1;
        });
    }

    void bits(std::uint64_t* out, std::size_t words) const override {
        assert(fits(shape_, std::int64_t(64 * words)));
        std::fill_n(out, count() * 2 * words, std::uint64_t(0));
        each(1, [&](std::size_t i) {
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
        games_.reset(game);
        if (keeps_moves_) moves_[game].clear();
        if (counts_fit(discs)) {
            for (const Disc& disc : discs) games_.place(game, disc.column, disc.side);
            if (games_.settle(game)) return true;
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
            const Fault fault = games_.drop(game_of(which, k), columns[k]);
            if (fault != Fault::none) return {begin, k, Refusal{game_of(which, k), columns[k], fault}};
        }
        return {begin, end, std::nullopt};
    }

    void undo_part(const std::int64_t* columns, const std::int64_t* which, const Part& part) {
        assert(part.begin <= part.done);
        for (std::size_t k = part.done; k-- > part.begin;) games_.undo(game_of(which, k), columns[k]);
    }

    void play_out_game(std::size_t game, const Stream& stream) {
        if (!keeps_moves_) return games_.play_out(game, stream, [](std::int64_t) {});
        games_.play_out(game, stream, [&](std::int64_t column) { moves_[game].push_back(column); });
    }

    template <class Number>
    void planes_of(Number* out, int threads) const {
        const auto cells = std::size_t(shape_.width * shape_.height);
        each(threads, [&](std::size_t i) { games_.planes(i, out + i * 2 * cells); });
    }

    template <class Work>
    void each(int threads, const Work& work) const {
        in_parts(count(), threads, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) work(i);
        });
    }

    // First has as many discs as second, or one more.
    static bool counts_fit(const std::vector<Disc>& discs) {
        const auto second = std::count_if(discs.begin(), discs.end(), [](const Disc& disc) { return disc.side == 1; });
        return std::size_t(second) == discs.size() / 2;
    }

    Shape shape_;
    Games games_;
    std::vector<std::vector<std::int64_t>> moves_;
    bool keeps_moves_;
};

bool is(const Shape& shape, std::int64_t width, std::int64_t height, std::int64_t run) {
    return shape.width == width && shape.height == height && shape.run == run;
}

}  // namespace

std::unique_ptr<Boards> make_boards(const Shape& shape, std::size_t count, bool keep_moves) {
    assert(shape.width >= 1 && shape.height >= 1 && shape.run >= 1);
    assert(shape.width <= vast && shape.height <= vast && shape.run <= vast);
    const auto made = [&]<class Games>(std::type_identity<Games>) -> std::unique_ptr<Boards> {
        return std::make_unique<BoardsOf<Games>>(shape, count, keep_moves);
    };
    if (is(shape, 7, 6, 4)) return made(std::type_identity<Small<Sizes<std::uint64_t, 6, 4, 7>>>());
    if (fits(shape, 64)) return made(std::type_identity<Small<Sizes<std::uint64_t>>>());
    if (is(shape, 9, 7, 5)) return made(std::type_identity<Small<Sizes<Wide, 7, 5, 9>>>());
    if (fits(shape, 128)) return made(std::type_identity<Small<Sizes<Wide>>>());
    const bool dense = shape.height <= Dense::most_height && shape.width <= Dense::most_cells / shape.height;
    if (dense) return made(std::type_identity<Dense>());
    return made(std::type_identity<Sparse>());
}

}  // namespace connectk::arrays
