// One choice of a level: what is at hand first, then a search with the level's eyes.
#pragma once

#include "dice.hpp"
#include "level.hpp"
#include "search.hpp"

namespace connectk::players::CONNECTK_BUILD {

// Which cells a level notices is drawn anew for each choice, and so is how it misjudges: whoever overlooked a diagonal
// may see it a move later.
template <class Word>
class LevelPlay {
public:
    LevelPlay(const Geometry<Word>& g, const Level& level, std::uint64_t seed)
        : g_(g), level_(level), mood_(mixed(seed)), dice_(seed) {}

    Decision choose(Table& table, const Board<Word>& board, const SearchLimits& limits) {
        const Word moves = playable(g_, board);
        if (!any(moves)) return {};
        if (chance(level_.careless)) return any_of(moves);
        const Word wins = moves & completing(g_, board.own, board.all);
        if (any(wins)) return any_of(wins);
        const Word blocks = moves & completing(g_, board.other(), board.all);
        if (any(blocks)) return any_of(blocks);
        return searched(table, board, limits);
    }

private:
    bool chance(int thousandths) { return dice_.below(1000) < thousandths; }

    Decision any_of(Word moves) {
        for (int skip = dice_.below(count_bits(moves)); skip > 0; --skip) take_lowest(moves);
        Decision decision;
        decision.column = g_.column_of(lowest_bit(moves));
        decision.line = {decision.column};
        return decision;
    }

    Decision searched(Table& table, const Board<Word>& board, const SearchLimits& limits) {
        table.forget();
        Watch watch(limits);
        Search<Word> search(g_, table, watch, 0, eyes());
        Decision decision = search.run(board, level_.depth);
        decision.proven &= level_.sees_all();
        decision.line = {decision.column};
        return decision;
    }

    Eyes<Word> eyes() {
        Eyes<Word> eyes;
        if (!level_.parity) eyes.weights.zugzwang = 0;
        eyes.looks_on = level_.looks_on;
        for (const int step : g_.steps) eyes.seen.push_back(noticed_along(step));
        eyes.misjudgement = level_.misjudgement;
        eyes.mood = mood_;
        return eyes;
    }

    // A line that stands upright is plain to everyone.
    Word noticed_along(int step) {
        const int often = step == 1 ? 1000 : step == g_.stride ? level_.straight : level_.slanting;
        Word seen{};
        for (int bit = 0; bit < g_.width * g_.stride; ++bit)
            if (chance(often)) seen |= bit_at<Word>(bit);
        return seen;
    }

    const Geometry<Word>& g_;
    const Level& level_;
    std::uint64_t mood_;
    Dice dice_;
};

}  // namespace connectk::players::CONNECTK_BUILD
