// Checks whether a table of answers that was found for one position also holds in another, by playing every reply
// against it.
#pragma once

#include <memory>
#include <vector>

#include "why/tables.hpp"

namespace connectk::why {

template <class G>
class Trial {
public:
    using Word = typename G::Word;
    using Here = KeeperBoard<Word>;

    Trial(const G& g, bool win) : g_(g), win_(win), answers_(g.width * g.stride) {}

    // Whether the table holds, with the rival to move. Each visited position takes one of `steps`; the table does not
    // hold if the steps run out.
    bool holds(const Here& start, const Answers& table, std::int64_t& steps) {
        for (auto& list : answers_) list = nullptr;
        for (const auto& [cell, list] : table) answers_[cell] = &list;
        VisitedPositions<Word> found;
        found.add({start, {}, 0});
        for (std::size_t head = 0; head < found.size(); ++head) {
            if (--steps < 0) return false;
            const Here now = found[head].moment;
            for (Word free = playable(g_, now.all()); any(free);) {
                const int cell = take_lowest(free);
                if (!answer({now.keeper, now.rival | bit_at<Word>(cell)}, cell, found)) return false;
            }
        }
        return true;
    }

private:
    bool answer(const Here& now, int cell, VisitedPositions<Word>& found) const {
        const Word free = playable(g_, now.all());
        if (has_line(g_, now.rival)) return false;
        if (!any(free)) return !win_;
        if (any(completing_cells(g_, now.keeper) & free)) return true;
        const Word blocks = completing_cells(g_, now.rival) & free;
        if (more_than_one(blocks)) return false;
        const int chosen = any(blocks) ? lowest_bit(blocks) : first_free(cell, free);
        if (chosen < 0) return false;
        const Here after{now.keeper | bit_at<Word>(chosen), now.rival};
        if (!any(playable(g_, after.all()))) return !win_;
        found.add({after, {}, 0});
        return true;
    }

    int first_free(int cell, const Word& free) const {
        if (!answers_[cell]) return -1;
        for (const int one : *answers_[cell]) {
            if (any(free & bit_at<Word>(one))) return one;
        }
        return -1;
    }

    const G& g_;
    const bool win_;
    std::vector<const std::vector<int>*> answers_;
};

// Tables that answered every reply in some position; the one that was useful most recently comes first.
class Library {
public:
    using Book = std::shared_ptr<const Answers>;
    static constexpr std::size_t most = 2'000;

    std::vector<Book> all() const { return {books_.rbegin(), books_.rend()}; }

    void used(const Book& book) {
        const auto same = [&](const Book& other) { return other == book || *other == *book; };
        const auto at = std::find_if(books_.begin(), books_.end(), same);
        if (at != books_.end()) books_.erase(at);
        else if (books_.size() == most) books_.erase(books_.begin());
        books_.push_back(book);
    }

private:
    std::vector<Book> books_;
};

}  // namespace connectk::why
