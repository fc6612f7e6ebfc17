// A table of answers for one side: 'when he drops here, drop there', the same whatever else has happened.
//
// The side that has the table is the keeper, the other the rival, who is to move. On each turn the keeper wins if she
// can, blocks if she must, and else takes the first answer to the rival's last disc that a disc can reach now. The
// search below looks for a table that holds against everything: it plays all that the rival can do, nearest positions
// first, and decides on an answer when one is missing. Where the rival gets through, the decisions on the way there are
// to blame, and the latest of them changes (conflict-directed backjumping).
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

template <class Word>
struct Moment {
    Word keeper{0}, rival{0};

    Word all() const { return keeper | rival; }
    bool operator==(const Moment&) const = default;
};

template <class G>
typename G::Word playable(const G& g, const typename G::Word& all) {
    return (all + g.bottom) & g.cells;
}

// The cells where these discs would complete a line right now.
template <class G>
typename G::Word wins_now(const G& g, const typename G::Word& discs, const typename G::Word& all) {
    return completing_cells(g, discs) & playable(g, all);
}

// Which decisions were used on the way to a position.
struct Used {
    static constexpr int most = 256;
    std::array<std::uint64_t, most / 64> words{};

    void add(int decision) { words[decision / 64] |= std::uint64_t{1} << decision % 64; }
    void remove(int decision) { words[decision / 64] &= ~(std::uint64_t{1} << decision % 64); }
    void add(const Used& other) {
        for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
    }
    int latest() const {
        for (int i = static_cast<int>(words.size()); i-- > 0;) {
            if (words[i]) return 64 * i + 63 - std::countl_zero(words[i]);
        }
        return -1;
    }
};

// Positions in the order they were found; the last ones can be forgotten again.
template <class Word>
class Found {
public:
    struct One {
        Moment<Word> moment;
        Used used;
        int first;  // the column of the rival's first disc
    };

    bool add(const One& one) {
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
    void keep(std::size_t count) { list_.resize(count); }
    std::size_t size() const { return list_.size(); }
    const One& operator[](std::size_t i) const { return list_[i]; }

private:
    std::size_t start_of(const Moment<Word>& moment) const {
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

    std::vector<One> list_;
    std::vector<int> slots_;
    std::size_t inserted_ = 0;
};

template <class G>
class AnswerSearch {
public:
    using Word = typename G::Word;

    // `win`: a full board is not enough. `shut`: cells that the keeper leaves alone. `elsewhere`: columns of the
    // rival's next drop that are answered on boards of their own.
    AnswerSearch(const G& g, const Moment<Word>& start, bool win, Word shut, const std::vector<bool>& elsewhere)
        : g_(g),
          start_(start),
          win_(win),
          shut_(shut),
          elsewhere_(elsewhere),
          answers_(g.width * g.stride),
          blame_(g.width, 0) {}

    bool run(std::uint64_t most_work, Watch& watch) {
        found_.add({start_, {}, -1});
        while (head_ < found_.size()) {
            if (++work_ % 1024 == 0 && watch.look(1024)) return false;
            if (work_ > most_work) return false;
            if (column_ == g_.width) ++head_, column_ = 0;
            else if (head_ == 0 && elsewhere_[column_]) ++column_;
            else if (step(head_, column_)) ++column_;
            else if (!back_up()) return false;
        }
        return true;
    }

    const std::vector<std::vector<int>>& answers() const { return answers_; }  // by the rival's cell

    // How often the rival got through after each of the first columns.
    const std::vector<std::uint64_t>& blame() const { return blame_; }
    std::uint64_t work() const { return work_; }

private:
    struct Decision {
        int cell;  // of the rival's disc that it answers
        std::vector<int> others;
        Used blamed;
        std::size_t found, head;
        int column;
    };

    // Plays one drop of the rival and the answer; false where the rival gets through, with `failed_` saying why.
    bool step(std::size_t at, int column) {
        const auto here = found_[at];
        const Word room = playable(g_, here.moment.all()) & (ones<Word>(g_.stride) << (column * g_.stride));
        if (!any(room)) return true;
        const Moment<Word> now{here.moment.keeper, here.moment.rival | room};
        failed_ = here.used;
        first_ = at == 0 ? column : here.first;
        if (has_line(g_, now.rival)) return false;
        const Word free = playable(g_, now.all());
        if (!any(free)) return !win_;
        if (any(completing_cells(g_, now.keeper) & free)) return true;
        const Word blocks = completing_cells(g_, now.rival) & free;
        if (more_than_one(blocks)) return false;
        Used used = here.used;
        const int cell = lowest_bit(room);
        const int answer = any(blocks) ? lowest_bit(blocks) : answer_to(cell, now, free, used);
        if (answer < 0) return false;
        const Moment<Word> after{now.keeper | bit_at<Word>(answer), now.rival};
        if (!any(playable(g_, after.all()))) return !win_;
        found_.add({after, used, first_});
        return true;
    }

    int answer_to(int cell, const Moment<Word>& now, const Word& free, Used& used) {
        for (std::size_t i = 0; i < answers_[cell].size(); ++i) {
            used.add(numbers_of(cell)[i]);
            if (any(free & bit_at<Word>(answers_[cell][i]))) return answers_[cell][i];
        }
        failed_ = used;
        if (decisions_.size() == Used::most) return -1;
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

    // Worst first: right above is best, then what spoils most lines together with the rival's disc.
    std::vector<int> choices_for(int cell, const Moment<Word>& now, const Word& free) const {
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

    int rank(int cell, int choice, const Moment<Word>& now) const {
        const int column = choice / g_.stride;
        const int left = g_.height - choice % g_.stride;
        const bool above = choice == cell + 1;
        const bool under_own = any(completing_cells(g_, now.keeper) & bit_at<Word>(choice + 1) & g_.cells);
        return (above ? 100 : 0) + (left % 2 ? 40 : 0) + 4 * shared_lines(cell, choice, now) -
               std::abs(column - cell / g_.stride) - (under_own ? 200 : 0);
    }

    // How many lines the rival could still make through both cells.
    int shared_lines(int a, int b, const Moment<Word>& now) const {
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

    int open_line(int column, int row, int sc, int sr, const Moment<Word>& now) const {
        for (int i = 0; i < g_.run; ++i, column += sc, row += sr) {
            if (column < 0 || column >= g_.width || row < 0 || row >= g_.height) return 0;
            if (any(now.keeper & bit_at<Word>(column * g_.stride + row))) return 0;
        }
        return 1;
    }

    // Changes the latest decision that is to blame; false when none is.
    bool back_up() {
        ++blame_[first_];
        for (int last = failed_.latest(); last >= 0; last = failed_.latest()) {
            failed_.remove(last);
            while (static_cast<int>(decisions_.size()) > last + 1) undo();
            Decision& decision = decisions_.back();
            decision.blamed.add(failed_);
            found_.keep(decision.found);
            head_ = decision.head, column_ = decision.column;
            if (!decision.others.empty()) {
                answers_[decision.cell].back() = decision.others.back();
                decision.others.pop_back();
                return true;
            }
            failed_ = decision.blamed;
            undo();
        }
        return false;
    }

    void undo() {
        const Decision& decision = decisions_.back();
        found_.keep(decision.found);
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
    const Moment<Word> start_;
    const bool win_;
    const Word shut_;
    const std::vector<bool> elsewhere_;
    Found<Word> found_;
    std::vector<Decision> decisions_;
    std::vector<std::vector<int>> answers_, numbers_;
    std::vector<std::uint64_t> blame_;
    std::size_t head_ = 0;
    int column_ = 0, first_ = 0;
    Used failed_;
    std::uint64_t work_ = 0;
};

}  // namespace connectk::why
