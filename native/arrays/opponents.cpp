#include "opponents.hpp"

#include <atomic>
#include <chrono>
#include <type_traits>

#include "parts.hpp"
#include "players/geometry.hpp"

namespace connectk::arrays {

namespace {

using players::Discs;
using players::Evaluation;
using players::Thinker;

constexpr std::int64_t max_width = 64;  // a wider board's players look only near the discs and the centre
constexpr std::size_t level_table_bytes = std::size_t(1) << 18;  // as the level that plays one game has
constexpr std::size_t small_table_bytes = std::size_t(1) << 12;
constexpr int first_level_with_table = 6;  // the levels below it search one disc ahead and store nothing
constexpr double nanoseconds_per_greedy_choice = 60, nanoseconds_per_search = 3'000;
constexpr std::chrono::milliseconds poll_interval{20};

Variant variant_of(const Shape& shape) { return {int(shape.width), int(shape.height), int(shape.run)}; }

// Wins if it can, else blocks, else plays near the centre: all from the bits of the board.
template <class Word>
class Greedy {
public:
    Greedy(const Shape& shape, std::size_t words) : g_(variant_of(shape), {}), words_(int(words)) {}

    int choose(const std::uint64_t* own, const std::uint64_t* all) const {
        const players::CONNECTK_BUILD::Board<Word> board{word_of(own), word_of(all)};
        const Word moves = playable(g_, board);
        const Word wins = moves & completing(g_, board.own, board.all);
        const Word blocks = any(wins) ? Word{} : moves & completing(g_, board.other(), board.all);
        return first_column(any(wins) ? wins : any(blocks) ? blocks : moves);
    }

private:
    Word word_of(const std::uint64_t* parts) const {
        Word word{};
        for (int i = 0; i < words_; ++i) word |= Word{parts[i]} << (64 * i);
        return word;
    }

    int first_column(const Word& cells) const {
        for (const int column : g_.order)
            if (any(cells & g_.columns[std::size_t(column)])) return column;
        return -1;
    }

    players::CONNECTK_BUILD::Geometry<Word> g_;
    int words_;  // of one board's bits
};

// A player of the core with a table of its own, for one thread.
class Searcher {
public:
    Searcher(const Shape& shape, const Opponent& opponent, std::size_t words)
        : opponent_(opponent),
          words_(words),
          thinker_(players::make_thinker(variant_of(shape), {}, table_bytes(opponent))) {}

    int choose(const std::uint64_t* own, const std::uint64_t* all, std::uint64_t seed, const SearchLimits& limits) {
        discs_.own.assign(own, own + words_);
        discs_.all.assign(all, all + words_);
        if (opponent_.kind == OpponentKind::level)
            return thinker_->play(discs_, players::levels[std::size_t(opponent_.number - 1)], seed, limits).column;
        if (opponent_.kind == OpponentKind::mcts)
            return thinker_->simulate(discs_, std::uint64_t(opponent_.number), seed, limits).column;
        return thinker_->minimax(discs_, opponent_.number, opponent_.evaluation, limits).columns.front();
    }

private:
    static std::size_t table_bytes(const Opponent& opponent) {
        const bool uses_table = opponent.kind == OpponentKind::level && opponent.number >= first_level_with_table;
        return uses_table ? level_table_bytes : small_table_bytes;
    }

    Opponent opponent_;
    std::size_t words_;
    std::unique_ptr<Thinker> thinker_;
    Discs discs_;
};

// The boards as bits, and the columns that are chosen.
struct Work {
    std::vector<std::uint64_t> bits;
    std::vector<std::int8_t> outcomes;
    std::size_t words;
    std::int64_t* out;

    Work(const Boards& boards, const Shape& shape, std::int64_t* columns)
        : outcomes(boards.count()), words(std::size_t((shape.width * (shape.height + 1) + 63) / 64)), out(columns) {
        bits.resize(boards.count() * 2 * words);
        boards.bits(bits.data(), words);
        boards.outcome(outcomes.data());
    }

    template <class Choose>
    void choose(std::size_t game, const Choose& choose) {
        const std::uint64_t* own = &bits[game * 2 * words];
        out[game] = outcomes[game] == open ? choose(own, own + words) : -1;
    }
};

template <class Word>
void choose_greedily(Work& work, const Shape& shape, int threads) {
    const Greedy<Word> greedy(shape, work.words);
    run_in_parts(work.outcomes.size(), threads, nanoseconds_per_greedy_choice,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i)
                         work.choose(i, [&](const auto* own, const auto* all) { return greedy.choose(own, all); });
                 });
}

void choose_greedily(Work& work, const Shape& shape, int threads) {
    const std::size_t words = work.words;
    if (words <= 1) return choose_greedily<std::uint64_t>(work, shape, threads);
    if (words <= 2) return choose_greedily<Wide>(work, shape, threads);
    choose_greedily<Words<players::max_board_bits / 64>>(work, shape, threads);
}

// Polls the caller's `stopped` now and then, on the calling thread only.
class StopPoll {
public:
    explicit StopPoll(const std::function<bool()>& stopped) : stopped_(stopped) {}

    const std::atomic<bool>& flag() const { return flag_; }

    void poll() {
        const auto now = std::chrono::steady_clock::now();
        if (!stopped_ || now - last_ < poll_interval) return;
        last_ = now;
        if (stopped_()) flag_ = true;
    }

private:
    const std::function<bool()>& stopped_;
    std::atomic<bool> flag_{false};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool choose_by_search(Work& work, const Shape& shape, const Opponent& opponent, std::uint64_t seed, int threads,
                      const std::function<bool()>& stopped) {
    StopPoll poll(stopped);
    run_in_parts(work.outcomes.size(), threads, nanoseconds_per_search,
                 [&](std::size_t part, std::size_t begin, std::size_t end) {
                     Searcher searcher(shape, opponent, work.words);
                     SearchLimits limits;
                     limits.stop = &poll.flag();
                     if (part == 0) limits.stopped = stopped;
                     for (std::size_t i = begin; i < end && !poll.flag(); ++i) {
                         if (part == 0) poll.poll();
                         work.choose(i, [&](const auto* own, const auto* all) {
                             return searcher.choose(own, all, seed + i, limits);
                         });
                     }
                 });
    return !poll.flag() && !(stopped && stopped());
}

}  // namespace

bool has_opponents(const Shape& shape) {
    return shape.width <= max_width && shape.height < players::max_board_bits &&
           shape.width * (shape.height + 1) <= players::max_board_bits;
}

bool choose_columns(const Boards& boards, const Shape& shape, const Opponent& opponent, std::uint64_t seed,
                    std::int64_t* out, int threads, const std::function<bool()>& stopped) {
    Work work(boards, shape, out);
    if (opponent.kind != OpponentKind::greedy) return choose_by_search(work, shape, opponent, seed, threads, stopped);
    choose_greedily(work, shape, threads);
    return true;
}

}  // namespace connectk::arrays
