// Alpha-beta search with a null window: is the score of a position at least `target`? The driver in solver.cpp repeats
// the search with other targets until the bounds meet.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bounds.hpp"
#include "interchange.hpp"
#include "searcher.hpp"
#include "table.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
using TableFor =
    std::conditional_t<(bits_in<typename G::Word> > 64), FullTable<G>,
                       std::conditional_t<(G::known_width * G::known_stride > 0), PackedTable<G>, AdaptiveTable<G>>>;

template <class G>
class Search {
public:
    using Word = typename G::Word;
    using Table = TableFor<G>;

    Search(const G& g, Table& table, SearchContext& context)
        : g_(g), bounder_(g), interchange_(g), table_(table), context_(context) {}

    // The bounds that need no search.
    Bounds known_bounds(Word own, Word all) {
        Child root{};
        const int value = init_root(own, all, root);
        if (value != undecided) return {value, value, 0, 0};
        return {lower_bound(root), upper_bound(root), 0, 0};
    }

    // The bounds that the table has, or that need no search.
    Bounds recorded_bounds(Word own, Word all) {
        Child root{};
        const int value = init_root(own, all, root);
        if (value != undecided) return {value, value, 0, 0};
        root.key = key_of(root.at);
        look_up(root);
        return {lower_bound(root), upper_bound(root), 0, 0};
    }

    // A bound on the score: a lower one if it is at least `target`, else an upper one; or `no_answer`.
    int ask(Word own, Word all, int target) {
        Child root{};
        int value = init_root(own, all, root);
        if (value == undecided) value = ask_open(root, target);
        report();
        return stopped_ ? no_answer : value;
    }

protected:
    static constexpr int undecided = -10000, below_any_score = -1000;
    static constexpr int history_bits = 10;
    static constexpr int max_children =
        G::known_width ? G::known_width : bits_in<Word> / (G::known_stride ? G::known_stride : 2);

    struct Key {
        typename Table::Key bits;
        bool flipped;    // the table holds the mirrored position
        bool symmetric;  // the position is its own mirror
    };

    // The position after a drop and all forced replies to it, where a side has a choice again.
    struct Child {
        Position<G> at;
        Key key;
        TableEntry known;  // the bounds for the side to move at `at`
        int cell;          // where the disc landed
        int column;
        int order;
        bool ours;  // whether the side to move at `at` made the drop
    };

    struct Children {
        Child all[max_children];
        Child* open[max_children];  // the children that are still to be searched
        int count = 0;
        int best = below_any_score;  // the best value of the drops that need no search

        void refuted(int value) { best = value > best ? value : best; }

        Child& take_best_ordered(int from) {
            int best = from;
            for (int i = from + 1; i < count; ++i) {
                if (open[i]->order > open[best]->order) best = i;
            }
            std::swap(open[from], open[best]);
            return *open[from];
        }
    };

    int init_root(Word own, Word all, Child& root) {
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
        if (value == undecided) set_initial_bounds(root);
        return value;
    }

    int ask_open(Child& root, int target) {
        root.key = key_of(root.at);
        look_up(root);
        return value_of(root, target);
    }

    // The value of a child for the side that made the drop, found from its bounds or by search.
    int value_of(const Child& child, int target) {
        assert(lower_bound(child) <= upper_bound(child));
        if (lower_bound(child) >= target) return lower_bound(child);
        if (upper_bound(child) < target) return upper_bound(child);
        return child.ours ? search(child, target) : -search(child, 1 - target);
    }

    // Asserts that the target is inside the bounds and that the position has no forced reply.
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
            const Child& child = children.take_best_ordered(i);
            const int value = value_of(child, target);
            if (stopped_) return value;
            update_history(node, child, value >= target, i);
            if (value <= best) continue;
            best = value;
            best_column = child.column;
        }
        store(node, target, best, best_column, nodes_ - nodes_before);
        return best;
    }

    // Follows every sensible drop. Returns a value if that answers the question; otherwise `children` holds the drops
    // that must be searched. Cheap tests come first: most nodes end here, and each test saves the work of the next
    // test.
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
                table_.prefetch_bucket(child.key.bits);
                ++children.count;
                continue;
            }
            if (value >= target) return value;
            children.refuted(value);
        }
        // A win with the side's second disc from now needs two threats at once, which `follow` would have found.
        if (const int most = std::max(win_with_disc(g_.total, p.discs + 5), 0); most < target) return most;
        for (int i = 0; i < children.count; ++i) children.all[i].order = order_score(node, children.all[i]);
        return look_up_all(target, children);
    }

    int look_up_all(int target, Children& children) {
        int kept = 0;
        for (int i = 0; i < children.count; ++i) {
            Child& child = children.all[i];
            look_up(child);
            if (lower_bound(child) >= target) return lower_bound(child);
            if (upper_bound(child) >= target) children.open[kept++] = &child;
            else children.refuted(upper_bound(child));
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

    // Plays forced replies until there is a choice. The side to move never has a win with its next disc, as the disc
    // before was either safe or the answer to the only threat.
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

    // Sets the bounds of a position in which neither side can win with the next disc and the side to move has a safe
    // drop.
    void set_initial_bounds(Child& child) const {
        assert(is_quiet(g_, child.at));
        const int discs = child.at.discs;
        child.known = {-win_with_disc(g_.total, discs + 4), win_with_disc(g_.total, discs + 3), 0};
        // If the board is full before that disc, the game ends in a draw.
        if (child.known.lower > 0) child.known.lower = 0;
        if (child.known.upper < 0) child.known.upper = 0;
    }

    // Whether bounds without search decide the target; if so, `value` is the value of the drop for the side that made
    // it.
    CONNECTK_INLINE bool settled_by_bounds(Child& child, int target, int& value) const {
        set_initial_bounds(child);
        const Position<G>& p = child.at;
        // The question for the side to move at `at`: is the score at least `goal`?
        const int goal = child.ours ? target : 1 - target;
        if (child.known.lower < goal && child.known.upper >= goal) {
            if (goal <= 0 && bounder_.no_line_left(p.all ^ p.own, p.all)) child.known.lower = 0;
            else if (const int bound = bounder_.below(p, goal); bound < goal) child.known.upper = bound;
            else return false;
        }
        assert(child.known.lower <= child.known.upper);
        value = lower_bound(child) >= target ? lower_bound(child) : upper_bound(child);
        return true;
    }

    // The bounds for the side that made the drop.
    static int lower_bound(const Child& child) { return child.ours ? child.known.lower : -child.known.upper; }
    static int upper_bound(const Child& child) { return child.ours ? child.known.upper : -child.known.lower; }

    Key key_of(const Position<G>& p) const {
        if (interchange_.is_worthwhile()) return shared_key_of(p);
        // The discs of the side to move and one bit on top of each column identify the position.
        const Word key = p.own | (p.all + g_.bottom);
        const Word mirror = g_.mirrored(key);
        return {table_.key_of(mirror < key ? mirror : key), mirror < key, mirror == key};
    }

    // The same for a position that is worth as much. Which of it and its mirror image is meant depends on its columns'
    // heights, if they can tell, and on colours otherwise.
    Key shared_key_of(const Position<G>& p) const {
        const Word mirrored_all = g_.mirrored(p.all), mirrored_own = g_.mirrored(p.own);
        const bool level = mirrored_all == p.all;
        const bool flipped = level ? mirrored_own < p.own : mirrored_all < p.all;
        const Word all = flipped ? mirrored_all : p.all;
        const Word key = interchange_.canonical(flipped ? mirrored_own : p.own, all) | (all + g_.bottom);
        return {table_.key_of(key), flipped, level && g_.mirrored(key) == key};
    }

    void look_up(Child& child) const {
        TableEntry found;
        if (!table_.find(child.key.bits, found)) return;
        if (found.lower > child.known.lower) child.known.lower = found.lower;
        if (found.upper < child.known.upper) child.known.upper = found.upper;
        assert(child.known.lower <= child.known.upper && found.column < g_.width);
        child.known.column = (child.key.flipped ? g_.width - 1 - found.column : found.column) + 1;
    }

    void store(const Child& node, int target, int value, int column, std::uint64_t work) {
        TableEntry known{node.known.lower, node.known.upper, node.key.flipped ? g_.width - 1 - column : column};
        (value >= target ? known.lower : known.upper) = value;
        assert(known.lower <= known.upper);
        table_.store(node.key.bits, known, std::min<int>(std::bit_width(work), max_work));
        ++stores_;
    }

    // The order of a drop: drops with a higher number are searched earlier. Threats count if the opponent cannot remove
    // them by playing under them, and more if they keep the opponent out of a column. Keeping the move after forced
    // replies counts too. Discs high up leave fewer columns open. The weights were fitted on positions outside the
    // benchmark rows.
    int order_score(const Child& node, const Child& child) const {
        const Word ours = child.ours ? child.at.own_threats : child.at.opp_threats;
        const Word theirs = child.ours ? child.at.opp_threats : child.at.own_threats;
        const Word lasting = ours & ~(theirs << 1);
        const Word second_next = (child.at.all + g_.bottom) << 1;
        const int centre = std::min({child.column, g_.width - 1 - child.column, max_centre_distance_});
        const int row = child.cell - child.column * g_.stride;
        const int side = node.at.discs & 1;
        int score = 32 * (count_bits(lasting) + count_bits(lasting & second_next)) + 12 * centre + 4 * row;
        score += 48 * child.ours + 6 * (child.at.discs - node.at.discs);
        if (node.known.column == child.column + 1) score += 40;
        score += (24 * history_[side][child.cell] + 18 * reply_history_[side][node.column][child.cell]) >> history_bits;
        return score;
    }

    // History heuristic: how often a cell was good for each side, alone and as a reply to a drop in a column.
    void update_history(const Child& node, const Child& child, bool good, int tried_before) {
        if (good && tried_before == 0) return;
        const int side = node.at.discs & 1;
        assert(any(bit_at<Word>(child.cell) & g_.cells) && node.known.column <= g_.width);
        adjust(history_[side][child.cell], good, 7);
        adjust(reply_history_[side][node.column][child.cell], good, 3);
    }

    // Moves a worth towards 1 or -1 by 2^-`slowness` of the distance; the unit of a worth is 2^-history_bits.
    static void adjust(std::int16_t& worth, bool up, int slowness) {
        worth += up ? ((1 << history_bits) - worth) >> slowness : -((worth + (1 << history_bits)) >> slowness);
        assert(std::abs(worth) <= 1 << history_bits);
    }

    Word left_half() const {
        Word columns = 0;
        for (int i = 0; 2 * i < g_.width; ++i) columns |= ((Word(2) << g_.height) - 1) << (i * g_.stride);
        return columns;
    }

    void report() {
        context_.watch.add_nodes(unreported_);
        table_.count_stores(stores_);
    }

    void count_node() {
        ++nodes_;
        if (++unreported_ < 1024) return;
        table_.count_stores(stores_);
        stores_ = 0;
        if (table_.wants_to_grow()) table_.grow();
        stopped_ = context_.should_return(unreported_);
        unreported_ = 0;
    }

    const G& g_;
    // The largest distance from the edge that counts: columns nearer to the middle are in more lines across only up to
    // here.
    const int max_centre_distance_ = std::clamp(g_.width - g_.run, 0, g_.run - 1);
    Bounder<G> bounder_;
    Interchange<G> interchange_;
    Table& table_;
    SearchContext& context_;
    std::int16_t history_[2][bits_in<Word>] = {};
    std::int16_t reply_history_[2][max_children][bits_in<Word>] = {};
    std::uint64_t nodes_ = 0;
    std::uint64_t unreported_ = 0;
    std::uint64_t stores_ = 0;
    bool stopped_ = false;  // whether a stop was requested: the search then returns all the way up
};

}  // namespace connectk::inline CONNECTK_BUILD
