// Discs whose colour no longer matters. Positions that differ only in these are worth the same and share an entry of
// the table.
//
// A window is `run` cells in a row. It is open while one of its cells is empty, and dead once it holds discs of both
// colours. A disc is interchangeable if each open window through it holds both colours among its other discs: whatever
// the disc's colour, the window stays dead. Full windows never matter again.
//
//      x x o .       The first x may change its colour, or the second, but not both. So of several interchangeable
//                    discs in an open window only the first one is changed.
//
// Boards lower than the run have no upright windows and leave many such discs: 11x3 takes a third of the nodes. On
// higher boards, and in words of 128 bits, the test costs more than it saves.
#pragma once

#include "board/lines.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class Interchange {
public:
    using Word = typename G::Word;

    explicit Interchange(const G& g) : g_(g) {}

    bool is_worthwhile() const { return bits_in<Word> <= 64 && g_.height < g_.run; }

    // The discs of one side without the discs whose colour is known not to matter. Positions that differ only in such
    // discs get the same result.
    Word canonical(Word own, Word all) const {
        const Word empty = g_.cells & ~all;
        Word needed{0}, later{0};
        for_each_step([&](int step) { needed |= needed_along(own, all ^ own, open_along(empty, step), step); });
        const Word interchangeable = all & ~needed;
        if (!any(interchangeable)) return own;
        for_each_step([&](int step) { later |= later_along(interchangeable, open_along(empty, step), step); });
        return own & ~(interchangeable & ~later);
    }

private:
    template <class Visit>
    CONNECTK_INLINE void for_each_step(const Visit& visit) const {
        if (g_.fits_upright()) visit(1);
        if (g_.fits_across()) visit(g_.stride);
        if (g_.fits_upright() && g_.fits_across()) {
            visit(g_.stride - 1);
            visit(g_.stride + 1);
        }
    }

    Word open_along(Word empty, int step) const {
        Word open = empty;
        for (int i = 1; i < g_.run; ++i) open |= empty >> (i * step);
        return open & lines_along(Word(g_.cells), step, g_.run);
    }

    // The discs that keep both colours in an open window: without such a disc the window holds one colour or no disc.
    Word needed_along(Word own, Word opp, Word open, int step) const {
        Word one_own = own, two_own{0}, one_opp = opp, two_opp{0};  // windows with at least one or two discs
        for (int i = 1; i < g_.run; ++i) {
            const Word next_own = own >> (i * step), next_opp = opp >> (i * step);
            two_own |= one_own & next_own;
            two_opp |= one_opp & next_opp;
            one_own |= next_own;
            one_opp |= next_opp;
        }
        return (windows_from(open & ~(two_own & one_opp), step, g_.run) & own) |
               (windows_from(open & ~(two_opp & one_own), step, g_.run) & opp);
    }

    // Of these discs, those that come after another one in the same open window.
    Word later_along(Word discs, Word open, int step) const {
        Word before = discs & open, found{0};
        for (int i = 1; i < g_.run; ++i) {
            const Word next = (discs >> (i * step)) & open;
            found |= (next & before) << (i * step);
            before |= next;
        }
        return found;
    }

    const G& g_;
};

}  // namespace connectk::inline CONNECTK_BUILD
