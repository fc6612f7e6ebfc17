// A force: each drop of the keeper threatens to win at once, so that the rival has one reply, until there are two
// threats.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "answers.hpp"

namespace connectk::why {

template <class G>
class ForceSearch {
public:
    using Word = typename G::Word;

    explicit ForceSearch(const G& g) : g_(g) {}

    // The keeper's drops, she to move; empty when there is no such sequence of up to `most` drops.
    std::vector<int> find(const Moment<Word>& start, int most, Watch& watch) {
        for (int drops = 1; drops <= most; ++drops) {
            failed_.clear();
            cut_ = false;
            std::vector<int> line;
            if (wins(start, drops, line, watch)) return line;
            if (!cut_ || watch.over()) break;
        }
        return {};
    }

private:
    bool wins(const Moment<Word>& now, int drops, std::vector<int>& line, Watch& watch) {
        const Word free = playable(g_, now.all());
        if (const Word wins = completing_cells(g_, now.keeper) & free; any(wins)) {
            line.push_back(lowest_bit(wins) / g_.stride);
            return true;
        }
        const auto key = std::pair(low_high(now.keeper), low_high(now.rival));
        if (drops <= 1) return cut_ = true, false;
        if (failed_.contains(key) || watch.look(1)) return false;
        Word rivals = completing_cells(g_, now.rival) & free;
        if (more_than_one(rivals)) return false;
        for (Word left = any(rivals) ? rivals : free; any(left);) {
            if (threatens(now, bit_at<Word>(take_lowest(left)), drops, line, watch)) return true;
        }
        failed_.insert(key);
        return false;
    }

    // Whether this drop leaves one reply, after which the force goes on.
    bool threatens(const Moment<Word>& now, Word drop, int drops, std::vector<int>& line, Watch& watch) {
        const Moment<Word> after{now.keeper | drop, now.rival};
        const Word free = playable(g_, after.all());
        const Word threats = completing_cells(g_, after.keeper) & free;
        if (!any(threats) || any(completing_cells(g_, after.rival) & free)) return false;
        line.push_back(lowest_bit(drop) / g_.stride);
        const Word reply = bit_at<Word>(lowest_bit(threats));
        if (wins({after.keeper, after.rival | reply}, drops - 1, line, watch)) return true;
        line.pop_back();
        return false;
    }

    static std::pair<std::uint64_t, std::uint64_t> low_high(const Word& word) {
        if constexpr (bits_in<Word> > 64)
            return {static_cast<std::uint64_t>(word), static_cast<std::uint64_t>(word >> 64)};
        else return {static_cast<std::uint64_t>(word), 0};
    }

    const G& g_;
    bool cut_ = false;  // whether more drops might help
    // A position says how many drops are left, so it fails for good.
    std::set<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>> failed_;
};

}  // namespace connectk::why
