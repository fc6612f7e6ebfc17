// Games on boards that fit in one or two words: the discs of the side to move, and all discs.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "board/lines.hpp"
#include "boards.hpp"
#include "spread.hpp"
#include "stream.hpp"

namespace connectk::arrays {

template <class G>
class Small {
public:
    using Word = typename G::Word;

    Small(const Shape& shape, std::size_t count)
        : g_({int(shape.width), int(shape.height), int(shape.run)}), pairs_(count), outcomes_(count, open) {}

    std::size_t count() const { return pairs_.size(); }
    std::size_t bytes() const { return count() * (sizeof(Pair) + sizeof(Outcome)); }

    Fault drop(std::size_t game, std::int64_t column) {
        if (std::uint64_t(column) >= std::uint64_t(int(g_.width))) return Fault::outside;
        if (outcomes_[game] != open) return Fault::over;
        if (is_full(pairs_[game].all, int(column))) return Fault::full;
        outcomes_[game] = after(pairs_[game], int(column));
        return Fault::none;
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

    template <class Told>
    void play_out(std::size_t game, Stream stream, Told told) {
        Pair pair = pairs_[game];  // in registers until the game ends
        Outcome outcome = outcomes_[game];
        while (outcome == open) {
            const int column = open_column(pair, stream);
            told(column);
            outcome = after(pair, column);
        }
        pairs_[game] = pair;
        outcomes_[game] = outcome;
    }

    std::int64_t random_column(std::size_t game, Stream stream) const { return open_column(pairs_[game], stream); }

    void reset(std::size_t game) { pairs_[game] = {}, outcomes_[game] = open; }

    void copy(std::size_t game, const Small& from, std::size_t its) {
        pairs_[game] = from.pairs_[its];
        outcomes_[game] = from.outcomes_[its];
    }

    Outcome outcome(std::size_t game) const { return outcomes_[game]; }
    std::int64_t ply(std::size_t game) const { return count_bits(pairs_[game].all); }

    void legal(std::size_t game, bool* out) const {
        const Word tops = (pairs_[game].all >> (g_.height - 1)) & g_.bottom;
        for (int c = 0; c < g_.width; ++c) out[c] = outcomes_[game] == open && !any((tops >> c * g_.stride) & Word{1});
    }

    template <class Number>
    void planes(std::size_t game, Number* out) const {
        std::uint8_t cells[2 * bits_in<Word> + 8];
        write_plane(pairs_[game].own, cells);
        write_plane(pairs_[game].own ^ pairs_[game].all, cells + g_.total);
        std::copy_n(cells, 2 * g_.total, out);
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

    // Discs are placed from the bottom up, then judged: false when no game shows them.
    void place(std::size_t game, std::int64_t column, int side) {
        assert(column >= 0 && column < g_.width && !is_full(pairs_[game].all, int(column)));
        Pair& pair = pairs_[game];
        const Word cell = bit_at<Word>(int(column) * g_.stride);
        const Word disc = (pair.all + cell) & ~pair.all & (ones<Word>(g_.height) << int(column) * g_.stride);
        pair.all |= disc;
        if (side == 0) pair.own |= disc;  // first's, until the board is settled
    }
    bool settle(std::size_t game) {
        Pair& pair = pairs_[game];
        if (count_bits(pair.all) % 2) pair.own ^= pair.all;
        if (has_line(g_, pair.own)) return false;
        outcomes_[game] = judged(pair);
        return true;
    }

private:
    struct Pair {
        Word own{0}, all{0};
    };

    bool is_full(const Word& all, int column) const {
        return any((all >> (column * g_.stride + g_.height - 1)) & Word{1});
    }

    int open_column(const Pair& pair, Stream& stream) const {
        assert(pair.all != g_.cells);
        int column;
        do column = int(stream.below(g_.width));
        while (is_full(pair.all, column));
        return column;
    }

    Outcome after(Pair& pair, int column) const {
        assert(!is_full(pair.all, column));
        pair.own ^= pair.all;
        pair.all |= pair.all + bit_at<Word>(column * g_.stride);
        return judged(pair);
    }

    Outcome judged(const Pair& pair) const {
        assert(g_.can_show(pair.own, pair.all) && !has_line(g_, pair.own));
        if (has_line(g_, pair.own ^ pair.all)) [[unlikely]]
            return count_bits(pair.all) % 2 ? first_won : second_won;
        return pair.all == g_.cells ? drawn : open;
    }

    // Eight columns by eight rows at a time: turned over as bits, then each bit becomes a byte, eight of them written
    // together. Those too many at a row's end are overwritten by the row above; behind the last row there is room.
    void write_plane(const Word& discs, std::uint8_t* out) const {
        for (int r = 0; r < g_.height; r += 8) {
            std::uint64_t blocks[bits_in<Word> / 16 + 1];  // a column takes two bits at least
            for (int c = 0; c < g_.width; c += 8) blocks[c / 8] = turned_over(block_of(discs, c, r));
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
