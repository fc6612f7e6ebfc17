// Searches one position in a loop: is its score at least `target`?
#pragma once

#include "search.cuh"

namespace connectk::book::gpu {

// The drops, the most promising first: drops that make lasting threats, then drops near the centre. `wins` is set if a
// drop makes two threats at once.
CONNECTK_EITHER Frame ordered_drops(u64 own, u64 all, u64 threats, u64 safe, bool& wins) {
    const u64 empty = board & ~all, playable = (all + bottom) & board;
    u32 drops[width];  // stays in registers: every index is known when compiling
    u32 count = 0;
    CONNECTK_UNROLL
    for (int column = 0; column < width; ++column) {
        const u64 cell = safe & (u64{0x3f} << (8 * column));
        drops[column] = 0;
        if (cell == 0) continue;
        const u64 made = completing_cells(own | cell) & empty & ~cell;
        const u64 replies = (playable ^ cell) | ((cell << 1) & board), urgent = made & replies;
        wins |= more_than_one(urgent) || ((urgent ? urgent : replies) & ~(made >> 1)) == 0;
        const int centre = column < width - 1 - column ? column : width - 1 - column;
        drops[column] =
            static_cast<u32>(8 * count_bits(made & ~(threats << 1)) + 4 * centre + 1) << 3 | static_cast<u32>(column);
        ++count;
    }
    order(drops[0], drops[6]), order(drops[2], drops[3]), order(drops[4], drops[5]);  // a sorting network
    order(drops[0], drops[2]), order(drops[1], drops[4]), order(drops[3], drops[6]);
    order(drops[0], drops[1]), order(drops[2], drops[5]), order(drops[3], drops[4]);
    order(drops[1], drops[2]), order(drops[4], drops[6]);
    order(drops[2], drops[3]), order(drops[4], drops[5]);
    order(drops[1], drops[2]), order(drops[3], drops[4]), order(drops[5], drops[6]);
    u32 columns = 0;
    CONNECTK_UNROLL
    for (int i = width - 1; i >= 0; --i) columns = columns << 3 | (drops[i] & 7);
    return {columns | count << 21};
}

// Answers at once, or writes the drops to try to `frame`. The side to move must not have a win with its next disc.
CONNECTK_EITHER Answer evaluate_node(const Table& table, u64 own, u64 all, int target, int max_stored_discs,
                                     Frame& frame) {
    const int discs = count_bits(all);
    const u64 playable = (all + bottom) & board, empty = board & ~all, opp = all ^ own;
    if (playable == 0) return answer(0 >= target);
    if (target > 0 && win_with(discs + 3) < target) return Answer::no;
    const u64 threats = completing_cells(opp) & empty, urgent = threats & playable;
    const u64 safe = more_than_one(urgent) ? 0 : (urgent ? urgent : playable) & ~(threats >> 1);
    if (safe == 0) return answer(-win_with(discs + 2) >= target);
    if (-win_with(discs + 4) >= target) return Answer::yes;
    if (discs >= cells - 2) return answer(0 >= target);
    if (!more_than_one(safe)) {  // a forced drop, not worth a place in the table
        frame = {static_cast<u32>(lowest_bit(safe) >> 3) | 1u << 21};
        return Answer::open;
    }
    if (at_most(own, all, threats, discs) < target) return Answer::no;
    if (target > 0 && !has_line(own | empty)) return Answer::no;
    if (target <= 0 && !has_line(opp | empty)) return Answer::yes;
    const bool stored = discs <= max_stored_discs;
    if (stored) {
        const Bounds known = look_up(table, mixed_key(own, all));
        if (known.lower >= target) return Answer::yes;
        if (known.upper < target) return Answer::no;
    }
    bool wins = false;
    frame = ordered_drops(own, all, threats, safe, wins);
    if (wins) return Answer::yes;
    if (target > 0 && win_with(discs + 5) < target) return Answer::no;
    frame.bits |= static_cast<u32>(stored) << 27;
    return Answer::open;
}

// The next target: near the ends of a wide range, as quick wins and losses are cheap to find.
CONNECTK_EITHER int next_target(int lower, int upper) {
    int middle = lower + (upper - lower) / 2;
    if (middle <= 0 && lower / 2 < middle) middle = lower / 2;
    else if (middle >= 0 && upper / 2 > middle) middle = upper / 2;
    return middle + 1;
}

// `Frames` is an array-like of at least 32 frames.
template <typename Frames>
struct IterativeSearch {
    Frames frames;
    u64 own = 0, all = 0;
    int lower = 0, upper = 0;  // the bounds of the score at the root
    int target = 0, asked = 0, depth = 0;

    CONNECTK_EITHER explicit IterativeSearch(Frames where) : frames(where) {}

    CONNECTK_EITHER void begin(u64 own_discs, u64 all_discs, int low, int high) {
        own = own_discs, all = all_discs, lower = low, upper = high;
        ask();
    }

    CONNECTK_EITHER bool done() const { return lower >= upper; }

    // Searches one more position. The walk may be given up after any step: its bounds and the table stay true.
    CONNECTK_EITHER void step(const Table& table, int max_stored_discs) {
        Frame frame{0};
        const Answer found = evaluate_node(table, own, all, target, max_stored_discs, frame);
        if (found == Answer::open) descend(frame);
        else if (!climb(table, found == Answer::yes)) settle();
    }

private:
    CONNECTK_EITHER void ask() { target = asked = next_target(lower, upper); }

    CONNECTK_EITHER void descend(Frame frame) {
        const u64 column = u64{0x3f} << (8 * frame.next()), foot = u64{1} << (8 * frame.next());
        frames[depth++] = frame.after_next();
        const u64 opp = all ^ own;
        all |= (all + foot) & column;
        own = opp;
        target = 1 - target;  // for the other side: 'is it at least t' is 'is it not at least 1 - t'
    }

    CONNECTK_EITHER void undo(int played) {
        const u64 filled = all & u64{0x3f} << (8 * played), top = (filled + (u64{1} << (8 * played))) >> 1;
        own = (all ^ own) ^ top;
        all ^= top;
        target = 1 - target;
    }

    // Goes back up to a ply with a drop left to try. Returns false once the root's question is answered; `yes_` is the
    // answer.
    CONNECTK_EITHER bool climb(const Table& table, bool yes) {
        while (depth > 0) {
            const Frame frame = frames[--depth];
            undo(frame.played());
            if (yes && frame.left()) {
                descend(frame);
                return true;
            }
            yes = !yes;  // the child's 'no' is this side's 'yes'; when all children say 'yes', this side says 'no'
            if (frame.stored()) {
                const Bounds known = yes ? Bounds{target, 22} : Bounds{-22, target - 1};
                store(table, mixed_key(own, all), known, count_bits(all));
            }
        }
        yes_ = yes;
        return false;
    }

    CONNECTK_EITHER void settle() {
        if (yes_) lower = asked;
        else upper = asked - 1;
        if (!done()) ask();
    }

    bool yes_ = false;
};

}  // namespace connectk::book::gpu
