// The boards that are reached while an explanation is played through, and the rules on them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "explain.hpp"
#include "tables.hpp"

namespace connectk::why {

struct BoardOnPath {
    KeeperBoard<Bits> discs;
    bool keeper_moves = false;
    std::optional<Cell> last_drop{};
    std::vector<int> path{};  // drops from the explained position
};

class BoardRules {
public:
    BoardRules(const Variant& variant, Side keeper) : g_(variant), keeper_(keeper) {}

    BoardOnPath start(const Board& position, std::optional<Cell> last_drop) const {
        const bool keeper_moves = keeper_ == why::side_to_move(position);
        const Bits other = position.all ^ position.own;
        return {keeper_moves ? KeeperBoard<Bits>{position.own, other} : KeeperBoard<Bits>{other, position.own},
                keeper_moves, last_drop};
    }

    bool can_drop(const BoardOnPath& here, int column) const { return !is_won(here) && any(place(here, column)); }

    BoardOnPath after(BoardOnPath here, int column) const {
        const Bits disc = place(here, column);
        (here.keeper_moves ? here.discs.keeper : here.discs.rival) |= disc;
        here.keeper_moves = !here.keeper_moves;
        here.last_drop = cell_of(lowest_bit(disc));
        here.path.push_back(column);
        return here;
    }

    bool is_won(const BoardOnPath& here) const {
        return has_line(g_, here.discs.keeper) || has_line(g_, here.discs.rival);
    }

    // The cells where the keeper's next disc would win.
    std::vector<Cell> wins(const BoardOnPath& here) const {
        return cells_of(wins_now(g_, here.discs.keeper, here.discs.all()));
    }

    // The keeper's winning lines through the last disc, each from end to end.
    std::vector<StraightLine> winning_lines(const BoardOnPath& here) const {
        std::vector<StraightLine> lines;
        for (const auto& [dc, dr] : {Cell{0, 1}, Cell{1, 0}, Cell{1, 1}, Cell{1, -1}}) {
            Cell cell = *here.last_drop;
            while (is_keepers(here, cell)) cell = {cell.first - dc, cell.second - dr};
            StraightLine line;
            for (cell = {cell.first + dc, cell.second + dr}; is_keepers(here, cell);
                 cell = {cell.first + dc, cell.second + dr})
                line.push_back(cell);
            if (int(line.size()) >= g_.run) lines.push_back(line);
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    // The cells of the rival's next discs after which the keeper cannot win at once; then the other cells, with the
    // keeper's wins.
    std::vector<Cell> safe_replies(const BoardOnPath& here) const {
        std::vector<Cell> safe;
        for (const Cell& cell : cells_of(playable(g_, here.discs.all())))
            if (wins(after(here, cell.first)).empty()) safe.push_back(cell);
        return safe;
    }
    std::vector<CellAnswer> losing_replies(const BoardOnPath& here) const {
        std::vector<CellAnswer> losing;
        for (const Cell& cell : cells_of(playable(g_, here.discs.all())))
            if (auto won = wins(after(here, cell.first)); !won.empty()) losing.push_back({cell, std::move(won)});
        return losing;
    }

    Side keeper() const { return keeper_; }
    const Sizes<Bits>& sizes() const { return g_; }
    Side side_to_move(const BoardOnPath& here) const { return here.keeper_moves ? keeper_ : other_than(keeper_); }

    // Each column from the bottom up as x and o.
    std::vector<std::string> letters(const BoardOnPath& here) const {
        std::vector<std::string> columns(std::size_t(g_.width));
        const Bits first = keeper_ == Side::first ? here.discs.keeper : here.discs.rival;
        for (Bits left = here.discs.all(); any(left);) {
            const int disc = take_lowest(left);
            columns[std::size_t(disc / g_.stride)] += any(first & bit_at<Bits>(disc)) ? 'x' : 'o';
        }
        return columns;
    }

    bool is_inside(const Cell& cell) const {
        return cell.first >= 0 && cell.first < g_.width && cell.second >= 0 && cell.second < g_.height;
    }
    int bit_of(const Cell& cell) const { return cell.first * g_.stride + cell.second; }
    Cell cell_of(int bit) const { return {bit / g_.stride, bit % g_.stride}; }
    std::vector<Cell> cells_of(Bits bits) const {
        std::vector<Cell> cells;
        while (any(bits)) cells.push_back(cell_of(take_lowest(bits)));
        return cells;
    }

    // The page's answers as bit indices. Cells outside the board and empty answers are left out; of duplicates the last
    // counts.
    Answers answers_of(const Page& page) const {
        Answers answers;
        for (const auto& [cell, some] : page.answers) {
            std::vector<int> inside;
            for (const Cell& one : some)
                if (is_inside(one)) inside.push_back(bit_of(one));
            if (!is_inside(cell) || inside.empty()) continue;
            const auto is_same = [bit = bit_of(cell)](const auto& answer) { return answer.first == bit; };
            const auto known = std::find_if(answers.begin(), answers.end(), is_same);
            if (known != answers.end()) known->second = std::move(inside);
            else answers.push_back({bit_of(cell), std::move(inside)});
        }
        return answers;
    }

private:
    // The disc that a drop adds; empty if the column is full.
    Bits place(const BoardOnPath& here, int column) const {
        if (column < 0 || column >= g_.width) return Bits{0};
        return playable(g_, here.discs.all()) & (ones<Bits>(g_.stride) << (column * g_.stride));
    }

    bool is_keepers(const BoardOnPath& here, const Cell& cell) const {
        return is_inside(cell) && any(here.discs.keeper & bit_at<Bits>(bit_of(cell)));
    }

    const Sizes<Bits> g_;
    const Side keeper_;
};

}  // namespace connectk::why
