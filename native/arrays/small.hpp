// Games on boards that fit in one or two words. A game is kept as the discs of the side to move and all discs.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "board/lines.hpp"
#include "boards.hpp"
#include "bits_to_bytes.hpp"
#include "random_stream.hpp"

namespace connectk::arrays {

template <class G>
class SmallBoards {
public:
    static constexpr double nanoseconds_per_drop = 3;  // about; it decides whether threads are worth it
    using Word = typename G::Word;

    SmallBoards(const Shape& shape, std::size_t count)
        : g_({int(shape.width), int(shape.height), int(shape.run)}), pairs_(count), outcomes_(count, open) {}

    std::size_t count() const { return pairs_.size(); }
    std::size_t bytes() const { return count() * (sizeof(Pair) + sizeof(Outcome)); }

    DropError drop(std::size_t game, std::int64_t column) {
        if (std::uint64_t(column) >= std::uint64_t(int(g_.width))) return DropError::outside;
        if (outcomes_[game] != open) return DropError::over;
        if (is_full(pairs_[game].all, int(column))) return DropError::full;
        outcomes_[game] = after(pairs_[game], int(column));
        return DropError::none;
    }

    void undo(std::size_t game, std::int64_t column) {
        Pair& pair = pairs_[game];
        const int foot = int(column) * g_.stride;
        const Word column_cells = ones<Word>(g_.height + 1) << foot;
        assert(any(pair.all & bit_at<Word>(foot)));
        pair.all ^= ((pair.all + bit_at<Word>(foot)) & column_cells & ~pair.all) >> 1;
        pair.own ^= pair.all;
        outcomes_[game] = open;
    }

    template <class OnDrop>
    void play_out(std::size_t game, RandomStream random, OnDrop on_drop) {
        Pair pair = pairs_[game];  // a local copy, so that it stays in registers until the game ends
        Outcome outcome = outcomes_[game];
        while (outcome == open) {
            const int column = open_column(pair, random);
            on_drop(column);
            outcome = after(pair, column);
        }
        pairs_[game] = pair;
        outcomes_[game] = outcome;
    }

    std::int64_t random_column(std::size_t game, RandomStream random) const {
        return open_column(pairs_[game], random);
    }

    void reset(std::size_t game) { pairs_[game] = {}, outcomes_[game] = open; }

    void copy(std::size_t game, const SmallBoards& from, std::size_t source) {
        pairs_[game] = from.pairs_[source];
        outcomes_[game] = from.outcomes_[source];
    }

    Outcome outcome(std::size_t game) const { return outcomes_[game]; }
    std::int64_t ply(std::size_t game) const { return count_bits(pairs_[game].all); }

    void legal(std::size_t game, bool* out) const {
        const Word tops = (pairs_[game].all >> (g_.height - 1)) & g_.bottom;
        for (int c = 0; c < g_.width; ++c) out[c] = outcomes_[game] == open && !any((tops >> c * g_.stride) & Word{1});
    }

    template <class Element>
    void planes(std::size_t game, Element* out, Element one) const {
        std::uint8_t cells[2 * bits_in<Word> + 8];
        write_plane(pairs_[game].own, cells);
        write_plane(pairs_[game].own ^ pairs_[game].all, cells + g_.total);
        if (sizeof(Element) == 1 && one == 1) std::copy_n(cells, 2 * g_.total, out);
        else std::transform(cells, cells + 2 * g_.total, out, [one](Element bit) { return Element(-bit & one); });
    }

    template <class Visit>
    void visit(std::size_t game, Visit visit) const {
        const int mover = int(ply(game) & 1);
        for (int c = 0; c < g_.width; ++c) {
            Word own = pairs_[game].own >> c * g_.stride, all = pairs_[game].all >> c * g_.stride;
            for (int r = 0; r < g_.height && any(all & Word{1}); ++r, own = own >> 1, all = all >> 1) {
                visit(c, r, any(own & Word{1}) ? mover : 1 - mover);
            }
        }
    }

    // Discs are placed from the bottom up and then checked; the check returns false if no game leads to this board.
    void place(std::size_t game, std::int64_t column, int side) {
        assert(column >= 0 && column < g_.width && !is_full(pairs_[game].all, int(column)));
        Pair& pair = pairs_[game];
        const Word cell = bit_at<Word>(int(column) * g_.stride);
        const Word disc = (pair.all + cell) & ~pair.all & (ones<Word>(g_.height) << int(column) * g_.stride);
        pair.all |= disc;
        if (side == 0) pair.own |= disc;  // `own` holds first's discs until the whole board is set up
    }
    bool finish_set_up(std::size_t game) {
        Pair& pair = pairs_[game];
        if (count_bits(pair.all) % 2) pair.own ^= pair.all;
        if (has_line(g_, pair.own)) return false;
        outcomes_[game] = outcome_of(pair);
        return true;
    }

private:
    struct Pair {
        Word own{0}, all{0};
    };

    bool is_full(const Word& all, int column) const {
        return any((all >> (column * g_.stride + g_.height - 1)) & Word{1});
    }

    int open_column(const Pair& pair, RandomStream& random) const {
        assert(pair.all != g_.cells);
        int column;
        do column = int(random.below(g_.width));
        while (is_full(pair.all, column));
        return column;
    }

    Outcome after(Pair& pair, int column) const {
        assert(!is_full(pair.all, column));
        pair.own ^= pair.all;
        pair.all |= pair.all + bit_at<Word>(column * g_.stride);
        return outcome_of(pair);
    }

    Outcome outcome_of(const Pair& pair) const {
        assert(g_.can_show(pair.own, pair.all) && !has_line(g_, pair.own));
        if (has_line(g_, pair.own ^ pair.all)) [[unlikely]]
            return count_bits(pair.all) % 2 ? first_won : second_won;
        return pair.all == g_.cells ? drawn : open;
    }

    // Works on eight columns by eight rows at a time: transposes them as bits, then expands eight bits to eight bytes,
    // which are written together. Surplus bytes at a row's end are overwritten by the row above; after the last row
    // there is room.
    void write_plane(const Word& discs, std::uint8_t* out) const {
        for (int r = 0; r < g_.height; r += 8) {
            std::uint64_t blocks[bits_in<Word> / 16 + 1];  // a column takes at least two bits
            for (int c = 0; c < g_.width; c += 8) blocks[c / 8] = transposed(block_of(discs, c, r));
            for (int i = 0; i < 8 && r + i < g_.height; ++i) {
                for (int c = 0; c < g_.width; c += 8) {
                    assert((r + i) * g_.width + c < g_.total);
                    std::memcpy(out + (r + i) * g_.width + c, &bytes_of_bits[blocks[c / 8] >> 8 * i & 0xFF], 8);
                }
            }
        }
    }

    // Byte i holds rows `row` to `row` + 7 of column `column` + i.
    std::uint64_t block_of(const Word& discs, int column, int row) const {
        std::uint64_t block = 0;
        for (int i = 0; i < 8 && column + i < g_.width; ++i) {
            const auto rows = static_cast<std::uint64_t>(discs >> ((column + i) * g_.stride + row));
            block |= (rows & 0xFF) << 8 * i;
        }
        return block;
    }

    G g_;
    std::vector<Pair> pairs_;
    std::vector<Outcome> outcomes_;
};

}  // namespace connectk::arrays
