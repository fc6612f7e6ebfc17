#include "lines_of_play.hpp"

#include <algorithm>
#include <unordered_set>

namespace connectk::why {
namespace {

struct KeeperBoardHash {
    std::size_t operator()(const KeeperBoard<Bits>& moment) const {
        return hash_of(moment.keeper) * 3 + hash_of(moment.rival);
    }
};

class PlayOut {
public:
    PlayOut(const Sizes<Bits>& g, const Page& page, const Answers& answers)
        : g_(g), page_(page), answers_(g.width * g.stride) {
        for (const auto& [cell, some] : answers) answers_[std::size_t(cell)] = some;
    }

    LinesOfPlay answers(const KeeperBoard<Bits>& start) {
        visit(start);
        while (!left_.empty()) {
            const KeeperBoard<Bits> now = left_.back();
            left_.pop_back();
            for (Bits room = playable(g_, now.all()); any(room);) reply(now, take_lowest(room), now == start);
        }
        return std::move(lines_);
    }

    LinesOfPlay force(KeeperBoard<Bits> now) {
        for (const int column : page_.force) {
            const Bits drop = playable(g_, now.all()) & (ones<Bits>(g_.stride) << (column * g_.stride));
            if (any(wins_now(g_, now.keeper, now.all()) & drop)) {
                end(-1, drop);
                break;
            }
            now.keeper |= drop;
            lines_.keeper |= drop;
            Bits safe{0};
            for (Bits room = playable(g_, now.all()); any(room);) {
                const int cell = take_lowest(room);
                if (!loses({now.keeper, now.rival | bit_at<Bits>(cell)}, cell)) safe |= bit_at<Bits>(cell);
            }
            if (!any(safe)) break;
            now.rival |= safe;
        }
        return std::move(lines_);
    }

private:
    void visit(const KeeperBoard<Bits>& now) {
        if (seen_.insert(now).second) left_.push_back(now);
    }

    void reply(const KeeperBoard<Bits>& now, int cell, bool is_first) {
        const KeeperBoard<Bits> after{now.keeper, now.rival | bit_at<Bits>(cell)};
        if (loses(after, cell)) return;
        if (const int page = is_first ? page_for(cell / g_.stride) : -1; page >= 0) {
            lines_.continued.push_back({page, after});
            return;
        }
        const Bits free = playable(g_, after.all()), blocks = completing_cells(g_, after.rival) & free;
        const Bits answer = any(blocks) ? bit_at<Bits>(lowest_bit(blocks)) : answer_to(cell, free);
        if (!any(answer)) return;  // the board is full
        lines_.keeper |= answer;
        visit({after.keeper | answer, after.rival});
    }

    // Records a disc of the rival; returns whether the keeper completes a line next.
    bool loses(const KeeperBoard<Bits>& after, int cell) {
        lines_.rival |= bit_at<Bits>(cell);
        const Bits wins = wins_now(g_, after.keeper, after.all());
        if (!any(wins)) return false;
        end(cell, wins);
        lines_.lost.push_back(after.rival);
        return true;
    }

    void end(int last, const Bits& wins) {
        lines_.wins |= wins;
        if (std::find(lines_.endings.begin(), lines_.endings.end(), Ending{last, wins}) == lines_.endings.end())
            lines_.endings.push_back({last, wins});
    }

    int page_for(int column) const {
        for (const auto& [reply, page] : page_.replies)
            if (reply == column) return page;
        return -1;
    }

    Bits answer_to(int cell, const Bits& free) const {
        for (const int answer : answers_[std::size_t(cell)])
            if (any(free & bit_at<Bits>(answer))) return bit_at<Bits>(answer);
        return Bits{0};
    }

    const Sizes<Bits>& g_;
    const Page& page_;
    std::vector<std::vector<int>> answers_;  // indexed by the rival's cell
    LinesOfPlay lines_;
    std::vector<KeeperBoard<Bits>> left_;
    std::unordered_set<KeeperBoard<Bits>, KeeperBoardHash> seen_;
};

}  // namespace

void LinesOfPlay::add(const LinesOfPlay& other) {
    keeper |= other.keeper, rival |= other.rival, wins |= other.wins;
    for (const Ending& one : other.endings)
        if (std::find(endings.begin(), endings.end(), one) == endings.end()) endings.push_back(one);
}

bool LinesOfPlay::ends_beneath(int threat) const {
    const Bits at = bit_at<Bits>(threat), beneath = bit_at<Bits>(threat - 1);
    return !any(keeper & beneath) && !any(rival & at) && can_end_beneath(threat);
}

bool LinesOfPlay::can_end_beneath(int threat) const {
    const Bits at = bit_at<Bits>(threat);
    return std::any_of(endings.begin(), endings.end(),
                       [&](const Ending& one) { return one.last == threat - 1 && any(one.wins & at); });
}

LinesOfPlay play_out(const Sizes<Bits>& g, const Page& page, const Answers& answers, const KeeperBoard<Bits>& start) {
    PlayOut played(g, page, answers);
    return page.force.empty() ? played.answers(start) : played.force(start);
}

}  // namespace connectk::why
