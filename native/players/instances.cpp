// This file is compiled once as `portable` and, on x86-64, once more as `x86_64_v3` with that level's instructions. All
// code that it includes is in the namespace CONNECTK_BUILD, so that the two builds never share a function.

#include "level_play.hpp"
#include "minimax.hpp"
#include "search.hpp"
#include "simulation.hpp"

namespace connectk::players::CONNECTK_BUILD {
namespace {

template <class Word>
Word word_of(const std::vector<std::uint64_t>& parts) {
    Word word{};
    for (std::size_t i = 0; i < parts.size() && 64 * i < std::size_t(bits_in<Word>); ++i)
        word |= Word{parts[i]} << (64 * int(i));
    return word;
}

// A seed for this position, the same for every word size.
std::uint64_t seed_for(const Discs& discs, std::uint64_t seed) {
    for (const auto* parts : {&discs.own, &discs.all})
        for (std::size_t i = 0; i < parts->size(); ++i)
            if ((*parts)[i]) seed = mixed(seed ^ mixed((*parts)[i] + i));
    return seed;
}

template <class Word>
class ThinkerOf final : public Thinker {
public:
    ThinkerOf(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes)
        : g_(variant, closed), table_(table_bytes) {}

    std::int64_t evaluate(const Discs& discs, Evaluation evaluation) override {
        return CONNECTK_BUILD::evaluate(g_, board_of(discs), evaluation);
    }

    MinimaxResult minimax(const Discs& discs, int depth, Evaluation evaluation, const SearchLimits& limits) override {
        Watch watch(limits);
        return Minimax<Word>(g_, evaluation, watch).run(board_of(discs), depth);
    }

    Decision play(const Discs& discs, const Level& level, std::uint64_t seed, const SearchLimits& limits) override {
        SearchLimits own = limits;
        own.max_nodes = level.nodes;
        return LevelPlay<Word>(g_, level, seed_for(discs, seed)).choose(table_, board_of(discs), own);
    }

    Decision think(const Discs& discs, int depth, const SearchLimits& limits) override {
        return CONNECTK_BUILD::think(g_, table_, board_of(discs), depth, limits);
    }

    SimulationResult simulate(const Discs& discs, std::uint64_t simulations, std::uint64_t seed,
                              const SearchLimits& limits) override {
        Watch watch(limits);
        return Simulation<Word>(g_, seed).run(board_of(discs), simulations, watch);
    }

    void clear_table() override { table_.clear_table(); }

private:
    Board<Word> board_of(const Discs& discs) const {
        return {word_of<Word>(discs.own) & g_.cells, word_of<Word>(discs.all) & g_.cells};
    }

    Geometry<Word> g_;
    Table table_;
};

}  // namespace

std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes) {
    const int bits = variant.width * (variant.height + 1);
    if (bits <= 64) return std::make_unique<ThinkerOf<std::uint64_t>>(variant, closed, table_bytes);
    if (bits <= 128) return std::make_unique<ThinkerOf<Wide>>(variant, closed, table_bytes);
#ifndef __wasm__  // keeps the page's download small: one word size serves all larger boards
    if (bits <= 256) return std::make_unique<ThinkerOf<Words<4>>>(variant, closed, table_bytes);
    if (bits <= 384) return std::make_unique<ThinkerOf<Words<6>>>(variant, closed, table_bytes);
    if (bits <= 512) return std::make_unique<ThinkerOf<Words<8>>>(variant, closed, table_bytes);
    if (bits <= 768) return std::make_unique<ThinkerOf<Words<12>>>(variant, closed, table_bytes);
#endif
    return std::make_unique<ThinkerOf<Words<max_board_bits / 64>>>(variant, closed, table_bytes);
}

}  // namespace connectk::players::CONNECTK_BUILD
