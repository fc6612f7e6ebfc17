// The search for a table of answers: 'if the rival drops here, drop there', regardless of all other discs.
//
// The side that uses the table is the keeper, the other side the rival, who is to move. On each turn the keeper wins if
// possible, blocks if necessary, and otherwise plays the first answer to the rival's last disc that is a legal drop. The
// search looks for a table that works against every play of the rival: it visits all reachable positions breadth first and
// decides on an answer when an answer is missing. If the rival succeeds, the decisions used on the way there are in
// conflict, and the search changes the latest of them (conflict-directed backjumping).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "../board/lines.hpp"
#include "../watch.hpp"

namespace connectk::why {

// A board as the discs of the keeper and of the rival.
template <class Word>
struct KeeperBoard {
    Word keeper{0}, rival{0};

    Word all() const { return keeper | rival; }
    bool operator==(const KeeperBoard&) const = default;
};

template <class G>
typename G::Word playable(const G& g, const typename G::Word& all) {
    return (all + g.bottom) & g.cells;
}

// The playable cells where a disc would complete a line of `discs`.
template <class G>
typename G::Word wins_now(const G& g, const typename G::Word& discs, const typename G::Word& all) {
    return completing_cells(g, discs) & playable(g, all);
}

// The decisions used on the way to a position.
struct DecisionSet {
    static constexpr int capacity = 256;
    std::array<std::uint64_t, capacity / 64> words{};

    void add(int decision) { words[decision / 64] |= std::uint64_t{1} << decision % 64; }
    void remove(int decision) { words[decision / 64] &= ~(std::uint64_t{1} << decision % 64); }
    void add(const DecisionSet& other) {
        for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    }
    int latest() const {
        for (int i = static_cast<int>(words.size()); i-- > 0;) {
            if (words[i]) return 64 * i + 63 - std::countl_zero(words[i]);
        }
        return -1;
    }
};

// The visited positions in order, also as a hash set; backtracking removes the last positions.
template <class Word>
class VisitedPositions {
public:
    struct Entry {
        KeeperBoard<Word> moment;
        DecisionSet used;
        int first;  // the column of the rival's first drop
    };

    bool add(const Entry& one) {
        if (2 * (inserted_ + 1) > slots_.size()) rebuild();
        std::size_t slot = start_of(one.moment), free = slots_.size();
        for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const bool stale = slots_[slot] >= static_cast<int>(list_.size());
            if (stale) free = std::min(free, slot);
            else if (list_[slots_[slot]].moment == one.moment) return false;
        }
        if (free == slots_.size()) free = slot, ++inserted_;
        slots_[free] = static_cast<int>(list_.size());
        list_.push_back(one);
        return true;
    }
    void truncate(std::size_t count) { list_.resize(count); }
    std::size_t size() const { return list_.size(); }
    const Entry& operator[](std::size_t i) const { return list_[i]; }

private:
    std::size_t start_of(const KeeperBoard<Word>& moment) const {
        return (hash_of(moment.keeper) * 3 + hash_of(moment.rival)) & (slots_.size() - 1);
    }
    void rebuild() {
        std::size_t size = 64;
        while (size < 4 * (list_.size() + 1)) size *= 2;
        slots_.assign(size, -1);
        for (std::size_t i = 0; i < list_.size(); ++i) {
            std::size_t slot = start_of(list_[i].moment);
            while (slots_[slot] >= 0) slot = (slot + 1) & (size - 1);
            slots_[slot] = static_cast<int>(i);
        }
        inserted_ = list_.size();
    }

    std::vector<Entry> list_;
    std::vector<int> slots_;
    std::size_t inserted_ = 0;
};

template <class G>
class AnswerSearch {
public:
    using Word = typename G::Word;

    // The table must answer every play from each of the `starts`. `win`: the keeper must win, so a full board is no
    // success. `forbidden`: cells that the keeper must not take. `split_off`: columns of the rival's next drop that have a
    // board of their own.
    AnswerSearch(const G& g, const std::vector<KeeperBoard<Word>>& starts, bool win, Word forbidden,
                 const std::vector<bool>& split_off)
        : g_(g),
          win_(win),
          shut_(forbidden),
          elsewhere_(split_off),
          answers_(g.width * g.stride),
          failures_(g.width, 0) {
        for (const KeeperBoard<Word>& start : starts) found_.add({start, {}, -1});
        start_count_ = found_.size();
    }

    bool run(std::uint64_t max_work, Watch& watch) {
        while (head_ < found_.size()) {
            if (++work_ % 1024 == 0 && watch.add_and_check(1024)) return false;
            if (work_ > max_work) return false;
            if (column_ == g_.width) ++head_, column_ = 0;
            else if (head_ < start_count_ && elsewhere_[column_]) ++column_;
            else if (step(head_, column_)) ++column_;
            else if (!backtrack()) return false;
        }
        return true;
    }

    const std::vector<std::vector<int>>& answers() const { return answers_; }  // indexed by the rival's cell

    // For each column of the rival's first drop, how often the rival succeeded after it.
    const std::vector<std::uint64_t>& failures() const { return failures_; }
    std::uint64_t work() const { return work_; }

private:
    struct Decision {
        int cell;  // the cell of the rival's disc that is answered
        std::vector<int> others;
        DecisionSet conflicts;
        std::size_t found, head;
        int column;
    };

    // Plays one drop of the rival and the answer. Returns false if the rival succeeds; `failed_` then has the decisions
    // used.
    bool step(std::size_t at, int column) {
        const auto here = found_[at];
        const Word room = playable(g_, here.moment.all()) & (ones<Word>(g_.stride) << (column * g_.stride));
        if (!any(room)) return true;
        const KeeperBoard<Word> now{here.moment.keeper, here.moment.rival | room};
        failed_ = here.used;
        first_ = at < start_count_ ? column : here.first;
        if (has_line(g_, now.rival)) return false;
        const Word free = playable(g_, now.all());
        if (!any(free)) return !win_;
        if (any(completing_cells(g_, now.keeper) & free)) return true;
        const Word blocks = completing_cells(g_, now.rival) & free;
        if (more_than_one(blocks)) return false;
        DecisionSet used = here.used;
        const int cell = lowest_bit(room);
        const int answer = any(blocks) ? lowest_bit(blocks) : answer_to(cell, now, free, used);
        if (answer < 0) return false;
        const KeeperBoard<Word> after{now.keeper | bit_at<Word>(answer), now.rival};
        if (!any(playable(g_, after.all()))) return !win_;
        found_.add({after, used, first_});
        return true;
    }

    int answer_to(int cell, const KeeperBoard<Word>& now, const Word& free, DecisionSet& used) {
        for (std::size_t i = 0; i < answers_[cell].size(); ++i) {
            used.add(numbers_of(cell)[i]);
            if (any(free & bit_at<Word>(answers_[cell][i]))) return answers_[cell][i];
        }
        failed_ = used;
        if (decisions_.size() == DecisionSet::capacity) return -1;
        std::vector<int> choices = choices_for(cell, now, free);
        if (choices.empty()) return -1;
        decisions_.push_back({cell, {}, used, found_.size(), head_, column_});
        const int answer = choices.back();
        choices.pop_back();
        decisions_.back().others = std::move(choices);
        numbers_of(cell).push_back(static_cast<int>(decisions_.size()) - 1);
        answers_[cell].push_back(answer);
        used.add(static_cast<int>(decisions_.size()) - 1);
        return answer;
    }

    // Candidate answers, the worst first. The cell right above is best, then the cell that shares most lines with the
    // rival's disc.
    std::vector<int> choices_for(int cell, const KeeperBoard<Word>& now, const Word& free) const {
        std::vector<std::pair<int, int>> ranked;
        const Word rivals = completing_cells(g_, now.rival);
        Word left = free & ~shut_ & ~((rivals & ~now.all()) >> 1);
        while (any(left)) {
            const int choice = take_lowest(left);
            ranked.push_back({rank(cell, choice, now), choice});
        }
        std::sort(ranked.begin(), ranked.end());
        std::vector<int> choices;
        for (const auto& [_, choice] : ranked) choices.push_back(choice);
        return choices;
    }

    int rank(int cell, int choice, const KeeperBoard<Word>& now) const {
        const int column = choice / g_.stride;
        const int left = g_.height - choice % g_.stride;
        const bool above = choice == cell + 1;
        const bool under_own = any(completing_cells(g_, now.keeper) & bit_at<Word>(choice + 1) & g_.cells);
        return (above ? 100 : 0) + (left % 2 ? 40 : 0) + 4 * shared_lines(cell, choice, now) -
               std::abs(column - cell / g_.stride) - (under_own ? 200 : 0);
    }

    // The number of lines through both cells that the rival can still complete.
    int shared_lines(int a, int b, const KeeperBoard<Word>& now) const {
        const int ca = a / g_.stride, ra = a % g_.stride, cb = b / g_.stride, rb = b % g_.stride;
        const int dc = cb - ca, dr = rb - ra;
        if (dc != 0 && dr != 0 && dc != dr && dc != -dr) return 0;
        const int length = std::max(std::abs(dc), std::abs(dr));
        if (length == 0 || length >= g_.run) return 0;
        const int sc = dc / length, sr = dr / length;
        int count = 0;
        for (int back = 0; back <= g_.run - 1 - length; ++back) {
            count += open_line(ca - back * sc, ra - back * sr, sc, sr, now);
        }
        return count;
    }

    int open_line(int column, int row, int sc, int sr, const KeeperBoard<Word>& now) const {
        for (int i = 0; i < g_.run; ++i, column += sc, row += sr) {
            if (column < 0 || column >= g_.width || row < 0 || row >= g_.height) return 0;
            if (any(now.keeper & bit_at<Word>(column * g_.stride + row))) return 0;
        }
        return 1;
    }

    // Changes the latest decision in conflict; returns false if no decision is in conflict.
    bool backtrack() {
        ++failures_[first_];
        for (int last = failed_.latest(); last >= 0; last = failed_.latest()) {
            failed_.remove(last);
            while (static_cast<int>(decisions_.size()) > last + 1) undo();
            Decision& decision = decisions_.back();
            decision.conflicts.add(failed_);
            found_.truncate(decision.found);
            head_ = decision.head, column_ = decision.column;
            if (!decision.others.empty()) {
                answers_[decision.cell].back() = decision.others.back();
                decision.others.pop_back();
                return true;
            }
            failed_ = decision.conflicts;
            undo();
        }
        return false;
    }

    void undo() {
        const Decision& decision = decisions_.back();
        found_.truncate(decision.found);
        head_ = decision.head, column_ = decision.column;
        answers_[decision.cell].pop_back();
        numbers_of(decision.cell).pop_back();
        decisions_.pop_back();
    }

    std::vector<int>& numbers_of(int cell) {
        if (numbers_.empty()) numbers_.resize(answers_.size());
        return numbers_[cell];
    }

    const G& g_;
    const bool win_;
    const Word shut_;
    const std::vector<bool> elsewhere_;
    VisitedPositions<Word> found_;
    std::vector<Decision> decisions_;
    std::vector<std::vector<int>> answers_, numbers_;
    std::vector<std::uint64_t> failures_;
    std::size_t start_count_ = 0, head_ = 0;
    int column_ = 0, first_ = 0;
    DecisionSet failed_;
    std::uint64_t work_ = 0;
};

}  // namespace connectk::why
