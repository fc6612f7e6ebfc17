#include "naming.hpp"

#include <algorithm>
#include <iterator>

#include "../board/game_board.hpp"

namespace connectk::why {
namespace {

using Cells = std::vector<int>;

// A place where a rule applies: the cells to show, and groups of cells. The rival should never get all cells of a
// group.
struct Shape {
    Cells cells;
    std::vector<Bits> groups;
};
using Shapes = std::vector<Shape>;

bool holds(const Bits& all, const Bits& part) { return (all & part) == part; }
bool has(const Cells& cells, int cell) { return std::find(cells.begin(), cells.end(), cell) != cells.end(); }

Bits bits_of(const Cells& cells) {
    Bits bits{0};
    for (const int cell : cells) bits |= bit_at<Bits>(cell);
    return bits;
}

Cells one_above_each(Cells cells) {
    for (int& cell : cells) ++cell;
    return cells;
}

Cells joined(Cells cells, const Cells& more) {
    cells.insert(cells.end(), more.begin(), more.end());
    return cells;
}

template <class Visit>
void for_each_pair(const Cells& cells, Visit visit) {
    for (std::size_t one = 0; one < cells.size(); ++one)
        for (std::size_t other = one + 1; other < cells.size(); ++other) visit(cells[one], cells[other]);
}

// Finds where each rule applies on a board with answers.
class AnsweredBoard {
public:
    AnsweredBoard(const Sizes<Bits>& g, const std::vector<Line>& lines, const KeeperBoard<Bits>& board,
                  const Answers& answers, const LinesOfPlay& played)
        : g_(g),
          lines_(lines),
          board_(board),
          played_(played),
          free_(playable(g, board.all())),
          answers_(g.width * g.stride + 1) {
        for (Bits left = free_; any(left);) reachable_.push_back(take_lowest(left));
        for (const auto& [cell, some] : answers) {
            answers_[cell] = some;
            if (!some.empty() && some.front() == cell + 1) pairs_.push_back(cell);
        }
        for (const int cell : pairs_)
            if (is_even(cell + 1)) claimed_.push_back(cell + 1);
    }

    Shapes shapes_of(RuleName name) const {
        switch (name) {
            case RuleName::zugzwang: return zugzwang();
            case RuleName::claimeven: return claimeven();
            case RuleName::baseinverse: return baseinverse();
            case RuleName::vertical: return vertical();
            case RuleName::aftereven: return aftereven();
            case RuleName::lowinverse: return lowinverse();
            case RuleName::highinverse: return highinverse();
            case RuleName::baseclaim: return baseclaim();
            case RuleName::before: return before();
            case RuleName::specialbefore: return specialbefore();
        }
        return {};
    }

private:
    int row(int cell) const { return cell % g_.stride; }
    int column(int cell) const { return cell / g_.stride; }
    // Odd and even rows are counted from 1.
    bool is_even(int cell) const { return row(cell) % 2 == 1; }
    bool is_reachable(int cell) const { return any(free_ & bit_at<Bits>(cell)); }
    bool is_answered(int cell, int answer) const { return has(answers_[cell], answer); }
    bool is_first_answer(int cell, int answer) const {
        return !answers_[cell].empty() && answers_[cell].front() == answer;
    }
    // Whether the keeper is sure to get this cell or the cell above it.
    bool is_claimed(int cell) const { return has(pairs_, cell) || has(claimed_, cell); }

    // The rival in the end drops beneath a threat of the keeper: the rival gets no cell from the threat upwards.
    Shapes zugzwang() const {
        Shapes found;
        for (Bits threats = completing_cells(g_, board_.keeper) & ~board_.all() & ~free_; any(threats);) {
            const int cell = take_lowest(threats);
            if (!played_.ends_beneath(cell)) continue;
            Shape shape{{cell}, {}};
            for (int above = cell; row(above) < g_.height; ++above) shape.groups.push_back(bit_at<Bits>(above));
            found.push_back(std::move(shape));
        }
        return found;
    }

    // The keeper answers the rival's disc in an odd row right above it, in an even row.
    Shapes claimeven() const {
        Shapes found;
        for (const int cell : pairs_)
            if (is_even(cell + 1)) found.push_back({{cell, cell + 1}, {bit_at<Bits>(cell + 1)}});
        return found;
    }

    // The keeper answers the rival's disc right above it: the rival does not get both cells.
    Shapes vertical() const {
        Shapes found;
        for (const int cell : odd_pairs()) found.push_back({{cell, cell + 1}, {bits_of({cell, cell + 1})}});
        return found;
    }

    // Two playable cells, each the answer to the other: the rival gets only one of them.
    Shapes baseinverse() const {
        Shapes found;
        for_each_pair(reachable_, [&](int one, int other) {
            if (is_first_answer(one, other) && is_first_answer(other, one))
                found.push_back({{one, other}, {bits_of({one, other})}});
        });
        return found;
    }

    // Two verticals: the rival does not get both upper cells.
    Shapes lowinverse() const {
        Shapes found;
        for_each_pair_of_columns(odd_pairs(), [&](int one, int other) {
            found.push_back({{one, one + 1, other, other + 1}, {bits_of({one + 1, other + 1})}});
        });
        return found;
    }

    // Two verticals with a claimed cell on top of each: the rival gets neither both top cells nor both middle cells.
    Shapes highinverse() const {
        Shapes found;
        Cells lows = odd_pairs();
        std::erase_if(lows, [&](int cell) { return !is_answered(cell + 1, cell + 2); });
        for_each_pair_of_columns(lows, [&](int one, int other) {
            Shape shape{{one, one + 1, one + 2, other, other + 1, other + 2}, {}};
            for (const Cells& two :
                 {Cells{one + 2, other + 2}, {one + 1, other + 1}, {one + 1, one + 2}, {other + 1, other + 2}})
                shape.groups.push_back(bits_of(two));
            if (is_reachable(one)) shape.groups.push_back(bits_of({one, other + 2}));
            if (is_reachable(other)) shape.groups.push_back(bits_of({other, one + 2}));
            found.push_back(std::move(shape));
        });
        return found;
    }

    // A line that the keeper completes with claimed cells only: the rival would have to win before that.
    Shapes aftereven() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line);
            const bool claimed = std::all_of(empty.begin(), empty.end(), [&](int cell) { return has(claimed_, cell); });
            if (!empty.empty() && claimed) found.push_back({empty, every_choice_above(empty)});
        }
        return found;
    }

    // Every combination that has, for each of these cells, one cell above it.
    std::vector<Bits> every_choice_above(const Cells& cells) const {
        std::vector<Bits> groups{Bits{0}};
        for (const int cell : cells) {
            std::vector<Bits> longer;
            for (const Bits& group : groups)
                for (int above = cell + 1; row(above) < g_.height; ++above)
                    longer.push_back(group | bit_at<Bits>(above));
            groups = std::move(longer);
        }
        return groups;
    }

    // Three playable cells and the one above the second, with the answers among them that Allis's Baseclaim needs.
    Shapes baseclaim() const {
        Shapes found;
        const auto look = [&](int first, int second, int third) {
            const int top = second + 1;
            const bool held = is_answered(first, third) && is_answered(second, third) && is_answered(third, second);
            if (is_even(top) && held && (is_answered(second, top) || is_answered(top, first)))
                found.push_back({{first, second, third, top}, {bits_of({first, top}), bits_of({second, third})}});
        };
        for (std::size_t i = 0; i + 2 < reachable_.size(); ++i) {
            const int one = reachable_[i];
            for_each_pair(Cells(reachable_.begin() + i + 1, reachable_.end()), [&](int two, int three) {
                look(two, one, three), look(three, one, two);
                look(one, two, three), look(three, two, one);
                look(one, three, two), look(two, three, one);
            });
        }
        return found;
    }

    // A line of the keeper whose empty cells are all answered right above: either the keeper completes it, or gets one of
    // the cells above it.
    Shapes before() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line);
            if (is_below_top(empty) && unpaired(empty).empty())
                found.push_back({empty, {bits_of(one_above_each(empty))}});
        }
        return found;
    }

    // The same as `before`, except that one empty cell is playable and paired with another playable cell.
    Shapes specialbefore() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line), loose = unpaired(empty);
            if (!is_below_top(empty) || loose.size() != 1 || !is_reachable(loose.front())) continue;
            const Bits above = bits_of(one_above_each(empty));
            for (const int other : reachable_)
                if (!has(line.cells, other) && is_answered(other, loose.front()))
                    found.push_back({joined(empty, {other}), {above | bit_at<Bits>(other)}});
        }
        return found;
    }

    Cells unpaired(Cells cells) const {
        std::erase_if(cells, [&](int cell) { return is_claimed(cell); });
        return cells;
    }

    bool is_below_top(const Cells& cells) const {
        return !cells.empty() &&
               std::all_of(cells.begin(), cells.end(), [&](int cell) { return row(cell) < g_.height - 1; });
    }

    // Pairs whose upper cell is in an odd row.
    Cells odd_pairs() const {
        Cells odd = pairs_;
        std::erase_if(odd, [&](int cell) { return is_even(cell + 1); });
        return odd;
    }

    template <class Visit>
    void for_each_pair_of_columns(const Cells& cells, Visit visit) const {
        for_each_pair(cells, [&](int one, int other) {
            if (column(one) != column(other)) visit(one, other);
        });
    }

    // The empty cells of a line that the keeper can still complete; empty for other lines.
    Cells keeper_needs(const Line& line) const {
        if (any(line.all & board_.rival)) return {};
        Cells empty = line.cells;
        std::erase_if(empty, [&](int cell) { return any(board_.keeper & bit_at<Bits>(cell)); });
        return empty;
    }

    const Sizes<Bits>& g_;
    const std::vector<Line>& lines_;
    const KeeperBoard<Bits> board_;
    const LinesOfPlay& played_;
    const Bits free_;
    std::vector<Cells> answers_;         // by the rival's cell
    Cells reachable_, pairs_, claimed_;  // pairs_: the lower cells of pairs whose upper cell is the answer
};

bool never_had(const std::vector<Bits>& reached, const Bits& group) {
    return std::none_of(reached.begin(), reached.end(), [&](const Bits& discs) { return holds(discs, group); });
}

bool stops(const std::vector<Bits>& groups, const Line& line) {
    return std::any_of(groups.begin(), groups.end(), [&](const Bits& group) { return holds(line.all, group); });
}

}  // namespace

RuleNamer::RuleNamer(const Variant& variant) : g_(variant) {
    for (const StraightLine& straight : every_line(variant)) {
        Line line;
        for (const auto& [column, row] : straight) line.cells.push_back(column * g_.stride + row);
        line.all = bits_of(line.cells);
        lines_.push_back(std::move(line));
    }
}

NamedRules RuleNamer::name(const KeeperBoard<Bits>& board, const Answers& answers, const std::vector<Bits>& reached,
                           const LinesOfPlay& played, std::optional<RuleName> only) const {
    NamedRules found;
    std::vector<const Line*> left;  // lines that the rival can still complete
    for (const Line& line : lines_)
        if (!any(line.all & board.keeper) && !holds(board.rival, line.all)) left.push_back(&line);
    const AnsweredBoard answered(g_, lines_, board, answers, played);
    for (std::size_t number = 0; number < names_of(RuleName{}).size(); ++number) {
        const auto name = static_cast<RuleName>(number);
        if (only && name != *only) continue;
        for (Shape& shape : answered.shapes_of(name)) {
            std::erase_if(shape.groups, [&](const Bits& group) {
                const auto fits = [&](const Line* line) { return holds(line->all, group); };
                return std::none_of(left.begin(), left.end(), fits) || !never_had(reached, group) ||
                       !never_had(played.lost, group);
            });
            std::vector<const Line*> stopped;
            const auto is_stopped = [&](const Line* line) { return stops(shape.groups, *line); };
            std::copy_if(left.begin(), left.end(), std::back_inserter(stopped), is_stopped);
            if (stopped.empty()) continue;
            if (!only) std::erase_if(left, is_stopped);
            found.rules.push_back({name, std::move(shape.cells), std::move(shape.groups), std::move(stopped)});
        }
    }
    found.unnamed = std::move(left);
    return found;
}

std::vector<const Line*> RuleNamer::completed_lines(const Bits& discs, int cell) const {
    std::vector<const Line*> found;
    for (const Line& line : lines_)
        if (has(line.cells, cell) && holds(discs | bit_at<Bits>(cell), line.all)) found.push_back(&line);
    return found;
}

}  // namespace connectk::why
