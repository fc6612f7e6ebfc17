// One choice of a level: an immediate win or block first, then a search with the level's handicap.
#pragma once

#include "random.hpp"
#include "level.hpp"
#include "search.hpp"

namespace connectk::players::CONNECTK_BUILD {

// The cells that a level overlooks and the noise of its evaluation are drawn anew for each choice: a level that overlooked
// a diagonal may see it a move later.
template <class Word>
class LevelPlay {
public:
    LevelPlay(const Geometry<Word>& g, const Level& level, std::uint64_t seed)
        : g_(g), level_(level), noise_seed_(mixed(seed)), random_(seed) {}

    Decision choose(Table& table, const Board<Word>& board, const SearchLimits& limits) {
        const Word moves = playable(g_, board);
        if (!any(moves)) return {};
        if (chance(level_.random_move_chance)) return any_of(moves);
        const Word wins = moves & completing(g_, board.own, board.all);
        if (any(wins)) return any_of(wins);
        const Word blocks = moves & completing(g_, board.other(), board.all);
        if (any(blocks)) return any_of(blocks);
        return search(table, board, limits);
    }

private:
    bool chance(int thousandths) { return random_.below(1000) < thousandths; }

    Decision any_of(Word moves) {
        for (int skip = random_.below(count_bits(moves)); skip > 0; --skip) take_lowest(moves);
        Decision decision;
        decision.column = g_.column_of(lowest_bit(moves));
        decision.line = {decision.column};
        return decision;
    }

    Decision search(Table& table, const Board<Word>& board, const SearchLimits& limits) {
        table.clear_table();
        Watch watch(limits);
        Search<Word> search(g_, table, watch, 0, handicap());
        Decision decision = search.run(board, level_.depth);
        decision.proven &= level_.sees_everything();
        decision.line = {decision.column};
        return decision;
    }

    Handicap<Word> handicap() {
        Handicap<Word> handicap;
        if (!level_.parity) handicap.weights.zugzwang = 0;
        handicap.quiescence = level_.quiescence;
        for (const int step : g_.steps) handicap.visible.push_back(visible_along(step));
        handicap.max_noise = level_.max_noise;
        handicap.noise_seed = noise_seed_;
        return handicap;
    }

    // The cells that the level sees along a step; vertical lines are always seen.
    Word visible_along(int step) {
        const int sight_chance = step == 1           ? 1000
                                 : step == g_.stride ? level_.horizontal_sight_chance
                                                     : level_.diagonal_sight_chance;
        Word visible{};
        for (int bit = 0; bit < g_.width * g_.stride; ++bit)
            if (chance(sight_chance)) visible |= bit_at<Word>(bit);
        return visible;
    }

    const Geometry<Word>& g_;
    const Level& level_;
    std::uint64_t noise_seed_;
    RandomGenerator random_;
};

}  // namespace connectk::players::CONNECTK_BUILD
