// Is the score of this position at least `target`? Alpha-beta with a window of one; the driver in solver.cpp asks
// again and again until the score is closed in.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bounds.hpp"
#include "searcher.hpp"
#include "table.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
using TableFor =
    std::conditional_t<(bits_in<typename G::Word> > 64), FullTable<G>,
                       std::conditional_t<(G::known_width * G::known_stride > 0), PackedTable<G>, EitherTable<G>>>;

template <class G>
class Search {
public:
    using Word = typename G::Word;
    using Table = TableFor<G>;

    Search(const G& g, Table& table, Shared& shared) : g_(g), bounder_(g), table_(table), shared_(shared) {}

    // What is known without any search.
    Bounds glance(Word own, Word all) {
        Child root{};
        const int value = set_up(own, all, root);
        if (value != undecided) return {value, value, 0, 0};
        return {least(root), most(root), 0, 0};
    }

    // A bound on the score: a lower one if it is at least `target`, else an upper one; or `no_answer`.
    int ask(Word own, Word all, int target) {
        Child root{};
        int value = set_up(own, all, root);
        if (value == undecided) value = ask_open(root, target);
        report();
        return stopped_ ? no_answer : value;
    }

protected:
    static constexpr int undecided = -10000, worse_than_any = -1000;
    static constexpr int worth_bits = 10;
    static constexpr int max_children =
        G::known_width ? G::known_width : bits_in<Word> / (G::known_stride ? G::known_stride : 2);

    struct Key {
        typename Table::Key bits;
        bool flipped;    // the table holds the mirrored position
        bool symmetric;  // the position is its own mirror
    };

    // A drop, followed through all forced replies to where there is a choice again.
    struct Child {
        Position<G> at;
        Key key;
        Known known;  // for the side to move at `at`
        int cell;     // where the drop came to lie
        int column;
        int order;
        bool ours;  // the side to move at `at` is the one that made the drop
    };

    struct Children {
        Child all[max_children];
        Child* open[max_children];  // still to be searched
        int count = 0;
        int best = worse_than_any;  // the most that the others are worth

        void refuted(int value) { best = value > best ? value : best; }

        Child& take_most_promising(int from) {
            int best = from;
            for (int i = from + 1; i < count; ++i) {
                if (open[i]->order > open[best]->order) best = i;
            }
            std::swap(open[from], open[best]);
            return *open[from];
        }
    };

    int set_up(Word own, Word all, Child& root) {
        assert(g_.can_show(own, all));
        const Word opp = all ^ own;
        const int discs = count_bits(all);
        if (has_line(g_, opp)) return -win_with_disc(g_.total, discs);
        if (has_line(g_, own)) return win_with_disc(g_.total, discs);
        const Word empty = g_.cells & ~all;
        root.at = {own, all, completing_cells(g_, own) & empty, completing_cells(g_, opp) & empty, discs};
        if (root.at.own_threats & (all + g_.bottom)) return win_with_disc(g_.total, discs + 1);
        root.ours = true;
        const int value = settle(root);
        if (value == undecided) know_the_range(root);
        return value;
    }

    int ask_open(Child& root, int target) {
        root.key = key_of(root.at);
        look_up(root);
        return value_of(root, target);
    }

    // The value of a child for the side that made the drop, found from its bounds or by search.
    int value_of(const Child& child, int target) {
        assert(least(child) <= most(child));
        if (least(child) >= target) return least(child);
        if (most(child) < target) return most(child);
        return child.ours ? search(child, target) : -search(child, 1 - target);
    }

    // What is asked is a question at all, about a position in which nothing is forced.
    void assert_open([[maybe_unused]] const Child& node, [[maybe_unused]] int target) const {
        assert(node.known.lower < target && target <= node.known.upper);
        assert(is_quiet(g_, node.at));
        assert(node.key.bits == key_of(node.at).bits);
    }

    int search(const Child& node, int target) {
        assert_open(node, target);
        count_node();
        if (stopped_) return 0;
        const std::uint64_t nodes_before = nodes_;
        Children children;
        const int value = expand(node, target, children);
        if (value != undecided) return value;

        assert(children.count > 0 && children.best < target);
        int best = children.best;
        int best_column = children.open[0]->column;
        for (int i = 0; i < children.count && best < target; ++i) {
            const Child& child = children.take_most_promising(i);
            const int value = value_of(child, target);
            if (stopped_) return value;
            learn(node, child, value >= target, i);
            if (value <= best) continue;
            best = value;
            best_column = child.column;
        }
        store(node, target, best, best_column, nodes_ - nodes_before);
        return best;
    }

    // Follows every sensible drop. Returns a value if that answers the question, else leaves in `children` those that
    // must be searched. Cheap tests come first: most nodes end here, and each test saves the next one's work.
    CONNECTK_INLINE int expand(const Child& node, int target, Children& children) {
        const Position<G>& p = node.at;
        Word moves = (p.all + g_.bottom) & g_.cells & ~(p.opp_threats >> 1);
        if (node.key.symmetric) moves &= left_half();
        for (; moves; moves &= moves - 1) {
            assert(children.count < g_.width);
            Child& child = children.all[children.count];
            int value = follow(p, moves & -moves, child);
            if (value == undecided && !settled_by_bounds(child, target, value)) {
                child.column = g_.column_of(child.cell);
                child.key = key_of(child.at);
                table_.fetch(child.key.bits);
                ++children.count;
                continue;
            }
            if (value >= target) return value;
            children.refuted(value);
        }
        // A win with the next disc but one makes two threats at once, and `follow` would have seen it.
        if (const int most = std::max(win_with_disc(g_.total, p.discs + 5), 0); most < target) return most;
        for (int i = 0; i < children.count; ++i) children.all[i].order = promise(node, children.all[i]);
        return look_up_all(target, children);
    }

    int look_up_all(int target, Children& children) {
        int kept = 0;
        for (int i = 0; i < children.count; ++i) {
            Child& child = children.all[i];
            look_up(child);
            if (least(child) >= target) return least(child);
            if (most(child) >= target) children.open[kept++] = &child;
            else children.refuted(most(child));
        }
        children.count = kept;
        return kept == 0 ? children.best : undecided;
    }

    int follow(const Position<G>& from, Word move, Child& child) {
        child.at = from;
        child.cell = lowest_bit(move);
        child.ours = false;
        play(child.at, move);
        return settle(child);
    }

    void play(Position<G>& p, Word move) {
        const Word mine = p.own | move;
        p.all |= move;
        p.own = p.all ^ mine;
        p.own_threats = p.opp_threats & ~move;
        p.opp_threats = completing_cells(g_, mine) & ~p.all;
        ++p.discs;
        assert(g_.can_show(p.own, p.all));
    }

    // Plays forced replies until there is a choice. The side to move never has a win on the move: the disc before it
    // was either safe or the answer to the only threat.
    int settle(Child& child) {
        Position<G>& p = child.at;
        for (;;) {
            const Word playable = (p.all + g_.bottom) & g_.cells;
            if (!playable) return 0;
            assert(!any(p.own_threats & playable));
            const Word wins = p.opp_threats & playable;
            Word replies = playable & ~(p.opp_threats >> 1);
            if (wins) replies &= more_than_one(wins) ? 0 : wins;
            if (!replies) {
                const int loss = -win_with_disc(g_.total, p.discs + 2);
                return child.ours ? loss : -loss;
            }
            if (more_than_one(replies)) return undecided;
            play(p, replies);
            child.ours = !child.ours;
        }
    }

    // Neither side has a win on the move, and the side to move has a safe one.
    void know_the_range(Child& child) const {
        assert(is_quiet(g_, child.at));
        const int discs = child.at.discs;
        child.known = {-win_with_disc(g_.total, discs + 4), win_with_disc(g_.total, discs + 3), 0};
        // Where the board ends sooner than that, it ends in a draw.
        if (child.known.lower > 0) child.known.lower = 0;
        if (child.known.upper < 0) child.known.upper = 0;
    }

    // Whether bounds that need no search answer the question; `value` is then the value of the drop for its player.
    CONNECTK_INLINE bool settled_by_bounds(Child& child, int target, int& value) const {
        know_the_range(child);
        const Position<G>& p = child.at;
        // The question there, for the side to move there: is the score at least `goal`?
        const int goal = child.ours ? target : 1 - target;
        if (child.known.lower < goal && child.known.upper >= goal) {
            if (goal <= 0 && bounder_.no_line_left(p.all ^ p.own, p.all)) child.known.lower = 0;
            else if (const int bound = bounder_.below(p, goal); bound < goal) child.known.upper = bound;
            else return false;
        }
        assert(child.known.lower <= child.known.upper);
        value = least(child) >= target ? least(child) : most(child);
        return true;
    }

    // Bounds for the side that made the drop.
    static int least(const Child& child) { return child.ours ? child.known.lower : -child.known.upper; }
    static int most(const Child& child) { return child.ours ? child.known.upper : -child.known.lower; }

    Key key_of(const Position<G>& p) const {
        // The discs of the side to move, and one bit on top of each column: names the position.
        const Word key = p.own | (p.all + g_.bottom);
        const Word mirror = g_.mirrored(key);
        return {table_.key_of(mirror < key ? mirror : key), mirror < key, mirror == key};
    }

    void look_up(Child& child) const {
        Known found;
        if (!table_.find(child.key.bits, found)) return;
        if (found.lower > child.known.lower) child.known.lower = found.lower;
        if (found.upper < child.known.upper) child.known.upper = found.upper;
        assert(child.known.lower <= child.known.upper && found.column < g_.width);
        child.known.column = (child.key.flipped ? g_.width - 1 - found.column : found.column) + 1;
    }

    void store(const Child& node, int target, int value, int column, std::uint64_t work) {
        Known known{node.known.lower, node.known.upper, node.key.flipped ? g_.width - 1 - column : column};
        (value >= target ? known.lower : known.upper) = value;
        assert(known.lower <= known.upper);
        table_.store(node.key.bits, known, std::min<int>(std::bit_width(work), 31));
        ++stores_;
    }

    // How early to search a drop. Threats that the opponent does not take away by just playing under them come first,
    // the more so where they stop him from entering a column; so does keeping the move after a chain of forced replies.
    // Discs high up leave fewer columns open. The weights were fitted on positions outside the benchmark rows.
    int promise(const Child& node, const Child& child) const {
        const Word ours = child.ours ? child.at.own_threats : child.at.opp_threats;
        const Word theirs = child.ours ? child.at.opp_threats : child.at.own_threats;
        const Word lasting = ours & ~(theirs << 1);
        const Word second_next = (child.at.all + g_.bottom) << 1;
        const int centre = std::min({child.column, g_.width - 1 - child.column, most_lines_});
        const int row = child.cell - child.column * g_.stride;
        const int side = node.at.discs & 1;
        int score = 32 * (count_bits(lasting) + count_bits(lasting & second_next)) + 12 * centre + 4 * row;
        score += 48 * child.ours + 6 * (child.at.discs - node.at.discs);
        if (node.known.column == child.column + 1) score += 40;
        score += (24 * worth_[side][child.cell] + 18 * worth_as_reply_[side][node.column][child.cell]) >> worth_bits;
        return score;
    }

    // What a cell was worth to either side lately, and what it was worth after a drop in this or that column.
    void learn(const Child& node, const Child& child, bool good, int tried_before) {
        if (good && tried_before == 0) return;
        const int side = node.at.discs & 1;
        assert(any(bit_at<Word>(child.cell) & g_.cells) && node.known.column <= g_.width);
        nudge(worth_[side][child.cell], good, 7);
        nudge(worth_as_reply_[side][node.column][child.cell], good, 3);
    }

    // Between -1 and 1 in units of 2^-worth_bits; a part of 2^-`slowness` of the way.
    static void nudge(std::int16_t& worth, bool up, int slowness) {
        worth += up ? ((1 << worth_bits) - worth) >> slowness : -((worth + (1 << worth_bits)) >> slowness);
        assert(std::abs(worth) <= 1 << worth_bits);
    }

    Word left_half() const {
        Word columns = 0;
        for (int i = 0; 2 * i < g_.width; ++i) columns |= ((Word(2) << g_.height) - 1) << (i * g_.stride);
        return columns;
    }

    void report() {
        shared_.watch.count(unreported_);
        table_.count_stores(stores_);
    }

    void count_node() {
        ++nodes_;
        if (++unreported_ < 1024) return;
        table_.count_stores(stores_);
        stores_ = 0;
        if (table_.wants_to_grow()) table_.grow();
        stopped_ = shared_.look(unreported_);
        unreported_ = 0;
    }

    const G& g_;
    // Lines across reach the columns in the middle more often, up to here: on a board of four columns all the same.
    const int most_lines_ = std::clamp(g_.width - g_.run, 0, g_.run - 1);
    Bounder<G> bounder_;
    Table& table_;
    Shared& shared_;
    std::int16_t worth_[2][bits_in<Word>] = {};
    std::int16_t worth_as_reply_[2][max_children][bits_in<Word>] = {};
    std::uint64_t nodes_ = 0;
    std::uint64_t unreported_ = 0;
    std::uint64_t stores_ = 0;
    bool stopped_ = false;  // someone wants no more: every search on the way up returns at once
};

}  // namespace connectk::inline CONNECTK_BUILD
