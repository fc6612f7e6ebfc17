// The search for a force: every drop of the keeper threatens to win, so that the rival has only one reply, until one
// drop makes two threats at once.
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

    // Finds the keeper's drops of a force, with the keeper to move; empty if there is no force of up to `max_drops`
    // drops.
    std::vector<int> find(const KeeperBoard<Word>& start, int max_drops, Watch& watch) {
        for (int drops = 1; drops <= max_drops; ++drops) {
            failed_.clear();
            is_depth_limited_ = false;
            std::vector<int> line;
            if (wins(start, drops, line, watch)) return line;
            if (!is_depth_limited_ || watch.should_stop()) break;
        }
        return {};
    }

private:
    bool wins(const KeeperBoard<Word>& now, int drops, std::vector<int>& line, Watch& watch) {
        const Word free = playable(g_, now.all());
        if (const Word wins = completing_cells(g_, now.keeper) & free; any(wins)) {
            line.push_back(lowest_bit(wins) / g_.stride);
            return true;
        }
        const auto key = std::pair(low_high(now.keeper), low_high(now.rival));
        if (drops <= 1) return is_depth_limited_ = true, false;
        if (failed_.contains(key) || watch.add_and_check(1)) return false;
        Word rivals = completing_cells(g_, now.rival) & free;
        if (more_than_one(rivals)) return false;
        for (Word left = any(rivals) ? rivals : free; any(left);) {
            if (threatens(now, bit_at<Word>(take_lowest(left)), drops, line, watch)) return true;
        }
        failed_.insert(key);
        return false;
    }

    // Whether the force succeeds with this drop, which must leave only one reply.
    bool threatens(const KeeperBoard<Word>& now, Word drop, int drops, std::vector<int>& line, Watch& watch) {
        const KeeperBoard<Word> after{now.keeper | drop, now.rival};
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
    bool is_depth_limited_ = false;  // whether more drops might help
    // The number of discs fixes how many drops are left, so a failed position need not be tried again.
    std::set<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>> failed_;
};

}  // namespace connectk::why
