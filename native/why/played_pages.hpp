// What happens on the pages of an explanation in every line of play. Each result is computed once and kept.
#pragma once

#include <map>
#include <tuple>

#include "boards.hpp"
#include "lines_of_play.hpp"
#include "steps.hpp"

namespace connectk::why {

class PlayedPages {
public:
    PlayedPages(const BoardRules& boards, const std::vector<Page>& pages) : boards_(boards), pages_(pages) {}

    // The lines of play on this page alone. The rival is to move, but on a page with a force the keeper is.
    const LinesOfPlay& alone(int number, const KeeperBoard<Bits>& discs) {
        const Key key{number, discs.keeper, discs.rival};
        if (const auto known = alone_.find(key); known != alone_.end()) return known->second;
        const Page& page = pages_[std::size_t(number)];
        return alone_[key] = play_out(boards_.sizes(), page, boards_.answers_of(page), discs);
    }

    // The lines of play on this page and on the pages that it goes on to.
    const LinesOfPlay& whole(int number, const KeeperBoard<Bits>& discs) {
        const Key key{number, discs.keeper, discs.rival};
        if (const auto known = whole_.find(key); known != whole_.end()) return known->second;
        LinesOfPlay all;
        const LinesOfPlay& own = alone(number, discs);
        all.add(own);
        for (const auto& [page, board] : own.continued) all.add(after_reply(page, board));
        return whole_[key] = std::move(all);
    }

private:
    using Key = std::tuple<int, Bits, Bits>;

    // The lines of play from this page on when the keeper is to move.
    LinesOfPlay after_reply(int number, const KeeperBoard<Bits>& discs) {
        const Page& page = pages_[std::size_t(number)];
        if (!page.force.empty() || !page.drop) return whole(number, discs);
        const Sizes<Bits>& g = boards_.sizes();
        const Bits drop = playable(g, discs.all()) & (ones<Bits>(g.stride) << (*page.drop * g.stride));
        LinesOfPlay all;
        all.keeper = drop;
        if (any(wins_now(g, discs.keeper, discs.all()) & drop)) {
            all.wins = drop, all.endings.push_back({-1, drop});
            return all;
        }
        all.add(whole(number, {discs.keeper | drop, discs.rival}));
        return all;
    }

    const BoardRules& boards_;
    const std::vector<Page>& pages_;
    std::map<Key, LinesOfPlay> alone_, whole_;
};

}  // namespace connectk::why
