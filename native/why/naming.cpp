#include "naming.hpp"

#include <algorithm>
#include <iterator>

#include "../board/game_board.hpp"

namespace connectk::why {
namespace {

using Cells = std::vector<int>;

// What a rule looks like on a board: its cells, and the groups of which the rival should never get all.
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
void each_two(const Cells& cells, Visit visit) {
    for (std::size_t one = 0; one < cells.size(); ++one)
        for (std::size_t other = one + 1; other < cells.size(); ++other) visit(cells[one], cells[other]);
}

// A board with its answers, and how each rule looks there.
class AnsweredBoard {
public:
    AnsweredBoard(const Sizes<Bits>& g, const std::vector<Line>& lines, const Moment<Bits>& board,
                  const Answers& answers)
        : g_(g), lines_(lines), board_(board), free_(playable(g, board.all())), answers_(g.width * g.stride + 1) {
        for (Bits left = free_; any(left);) reachable_.push_back(take_lowest(left));
        for (const auto& [cell, some] : answers) {
            answers_[cell] = some;
            answering_ |= bits_of(some);
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
    // Rows are counted from 1 when they are called odd or even.
    bool is_even(int cell) const { return row(cell) % 2 == 1; }
    bool is_reachable(int cell) const { return any(free_ & bit_at<Bits>(cell)); }
    bool is_answered(int cell, int answer) const { return has(answers_[cell], answer); }
    bool is_first_answer(int cell, int answer) const {
        return !answers_[cell].empty() && answers_[cell].front() == answer;
    }
    // Whether the keeper gets this cell or the one above it.
    bool is_kept(int cell) const { return has(pairs_, cell) || has(claimed_, cell); }

    // A threat of the keeper over a cell that no answer goes to: the rival gets nothing from that cell on up.
    Shapes zugzwang() const {
        Shapes found;
        for (Bits threats = completing_cells(g_, board_.keeper) & ~board_.all() & ~free_; any(threats);) {
            const int cell = take_lowest(threats);
            if (any(answering_ & bit_at<Bits>(cell - 1))) continue;
            Shape shape{{cell}, {}};
            for (int above = cell - 1; row(above) < g_.height; ++above) shape.groups.push_back(bit_at<Bits>(above));
            found.push_back(std::move(shape));
        }
        return found;
    }

    // The rival's disc in an odd row is followed by one right above it, in an even row.
    Shapes claimeven() const {
        Shapes found;
        for (const int cell : pairs_)
            if (is_even(cell + 1)) found.push_back({{cell, cell + 1}, {bit_at<Bits>(cell + 1)}});
        return found;
    }

    // The rival's disc is followed by one right above it: not both of them are the rival's.
    Shapes vertical() const {
        Shapes found;
        for (const int cell : odd_pairs()) found.push_back({{cell, cell + 1}, {bits_of({cell, cell + 1})}});
        return found;
    }

    // Of two cells within reach, whoever takes one leaves the other.
    Shapes baseinverse() const {
        Shapes found;
        each_two(reachable_, [&](int one, int other) {
            if (is_first_answer(one, other) && is_first_answer(other, one))
                found.push_back({{one, other}, {bits_of({one, other})}});
        });
        return found;
    }

    // Two verticals: of their upper cells the rival does not get both.
    Shapes lowinverse() const {
        Shapes found;
        each_two_columns(odd_pairs(), [&](int one, int other) {
            found.push_back({{one, one + 1, other, other + 1}, {bits_of({one + 1, other + 1})}});
        });
        return found;
    }

    // Two verticals with a claimed cell on top of each: the rival gets no two of the tops, nor of the middles.
    Shapes highinverse() const {
        Shapes found;
        Cells lows = odd_pairs();
        std::erase_if(lows, [&](int cell) { return !is_answered(cell + 1, cell + 2); });
        each_two_columns(lows, [&](int one, int other) {
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

    // A line that the keeper completes with claimed cells alone: the rival has to be done before, and is not.
    Shapes aftereven() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line);
            const bool claimed = std::all_of(empty.begin(), empty.end(), [&](int cell) { return has(claimed_, cell); });
            if (!empty.empty() && claimed) found.push_back({empty, every_choice_above(empty)});
        }
        return found;
    }

    // Every choice of one cell above each of these.
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

    // Three cells within reach and the one above the second: the first is answered by the third, and the like.
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
            each_two(Cells(reachable_.begin() + i + 1, reachable_.end()), [&](int two, int three) {
                look(two, one, three), look(three, one, two);
                look(one, two, three), look(three, two, one);
                look(one, three, two), look(two, three, one);
            });
        }
        return found;
    }

    // A line of the keeper whose cells are all answered right above: either it is completed, or one of the cells above
    // it is the keeper's.
    Shapes before() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line);
            if (is_below_top(empty) && loose_of(empty).empty())
                found.push_back({empty, {bits_of(one_above_each(empty))}});
        }
        return found;
    }

    // The same with one cell within reach that is paired with another one within reach.
    Shapes specialbefore() const {
        Shapes found;
        for (const Line& line : lines_) {
            const Cells empty = keeper_needs(line), loose = loose_of(empty);
            if (!is_below_top(empty) || loose.size() != 1 || !is_reachable(loose.front())) continue;
            const Bits above = bits_of(one_above_each(empty));
            for (const int other : reachable_)
                if (!has(line.cells, other) && is_answered(other, loose.front()))
                    found.push_back({joined(empty, {other}), {above | bit_at<Bits>(other)}});
        }
        return found;
    }

    Cells loose_of(Cells cells) const {
        std::erase_if(cells, [&](int cell) { return is_kept(cell); });
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
    void each_two_columns(const Cells& cells, Visit visit) const {
        each_two(cells, [&](int one, int other) {
            if (column(one) != column(other)) visit(one, other);
        });
    }

    // The empty cells of a line that the keeper could complete; none of any other line.
    Cells keeper_needs(const Line& line) const {
        if (any(line.all & board_.rival)) return {};
        Cells empty = line.cells;
        std::erase_if(empty, [&](int cell) { return any(board_.keeper & bit_at<Bits>(cell)); });
        return empty;
    }

    const Sizes<Bits>& g_;
    const std::vector<Line>& lines_;
    const Moment<Bits> board_;
    const Bits free_;
    std::vector<Cells> answers_;  // by the rival's cell
    Bits answering_{0};
    Cells reachable_, pairs_, claimed_;  // pairs are the lower cells of discs that are answered right above
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

NamedRules RuleNamer::name(const Moment<Bits>& board, const Answers& answers, const std::vector<Bits>& reached,
                           std::optional<RuleName> only) const {
    NamedRules found;
    std::vector<const Line*> left;  // that the rival could still complete
    for (const Line& line : lines_)
        if (!any(line.all & board.keeper) && !holds(board.rival, line.all)) left.push_back(&line);
    const AnsweredBoard answered(g_, lines_, board, answers);
    for (std::size_t number = 0; number < names_of(RuleName{}).size(); ++number) {
        const auto name = static_cast<RuleName>(number);
        if (only && name != *only) continue;
        for (Shape& shape : answered.shapes_of(name)) {
            std::erase_if(shape.groups, [&](const Bits& group) {
                const auto fits = [&](const Line* line) { return holds(line->all, group); };
                return std::none_of(left.begin(), left.end(), fits) || !never_had(reached, group);
            });
            std::vector<const Line*> stopped;
            const auto is_stopped = [&](const Line* line) { return stops(shape.groups, *line); };
            std::copy_if(left.begin(), left.end(), std::back_inserter(stopped), is_stopped);
            if (stopped.empty()) continue;
            if (!only) std::erase_if(left, is_stopped);
            found.rules.push_back({name, std::move(shape.cells), std::move(shape.groups), std::move(stopped)});
        }
    }
    found.unnamed = int(left.size());
    return found;
}

}  // namespace connectk::why
