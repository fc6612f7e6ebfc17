#include "steps.hpp"

#include <algorithm>
#include <map>

#include "boards.hpp"

namespace connectk::why {
namespace {

Step blank_step(const Boards& boards, const Here& here, int page) {
    Step step;
    step.page = page;
    step.board = boards.letters(here);
    step.side_to_move = boards.side_to_move(here);
    step.last_drop = here.last_drop;
    return step;
}

std::vector<Cell> cells_of(const Boards& boards, Here here, const std::vector<int>& line) {
    std::vector<Cell> cells;
    for (const int column : line) {
        here = boards.after(here, column);
        cells.push_back(*here.last_drop);
    }
    return cells;
}

std::vector<int> columns_of(const std::vector<Cell>& cells) {
    std::vector<int> columns;
    for (const Cell& cell : cells) columns.push_back(cell.first);
    return columns;
}

// The drops of a force with the only reply to each; the last ones are a reply of two and the win.
std::vector<int> forced_line(const Boards& boards, Here here, const std::vector<int>& drops) {
    std::vector<int> line;
    const auto drop = [&](int column) {
        here = boards.after(here, column);
        line.push_back(column);
    };
    for (const int column : drops) {
        if (!boards.can_drop(here, column)) break;
        drop(column);
        const auto threats = boards.wins(here);
        if (boards.is_won(here) || threats.empty()) break;
        drop(threats.front().first);
        if (threats.size() == 1) continue;
        drop(boards.wins(here).front().first);
        break;
    }
    return line;
}

// The steps of one page, all on the same board.
class PageSteps {
public:
    PageSteps(const Boards& boards, const Here& here, int number)
        : boards_(boards), here_(here), blank_(blank_step(boards, here, number)) {}

    // One for each drop of the keeper: the threat that it makes, or two of them, and the line at the end.
    void add_force(const std::vector<int>& line) {
        const std::vector<Cell> cells = cells_of(boards_, here_, line);
        Here now = here_;
        for (std::size_t i = 0; i < line.size(); ++i) {
            now = boards_.after(now, line[i]);
            if (i % 2) continue;
            const bool won = boards_.is_won(now);
            const auto threats = won ? std::vector<Cell>{} : boards_.wins(now);
            Step& step = add(won ? StepKind::win : threats.size() == 1 ? StepKind::threat : StepKind::fork);
            step.facts.column = line[i];
            step.played.assign(cells.begin(), cells.begin() + std::ptrdiff_t(i) + 1);
            if (won) step.lines = boards_.winning_lines(now);
            else step.facts.columns = columns_of(threats), step.threats = threats;
        }
    }

    void add_drop(int column) { add(StepKind::drop).facts.column = column; }

    void add_replies(std::vector<Reply> replies) {
        if (replies.empty()) return;
        std::sort(replies.begin(), replies.end(), [](const Reply& a, const Reply& b) { return a.column < b.column; });
        Step& step = add(StepKind::replies);
        step.facts.columns.emplace();
        for (const Reply& reply : replies) step.facts.columns->push_back(reply.column);
        step.replies = std::move(replies);
    }

    // All answers together, then each rule with its cells, then what no rule tells.
    void add_answers(const Answers& answers, const NamedRules& named) {
        if (answers.empty()) return;
        Step& always = add(StepKind::always);
        for (const auto& [cell, some] : answers) always.pairs.push_back(pair_of(cell, some));
        for (const AppliedRule& rule : named.rules)
            if (rule.name == RuleName::zugzwang) always.threats.push_back(boards_.cell_of(rule.cells.front()));
        for (auto from = named.rules.begin(); from != named.rules.end();) {
            const auto to =
                std::find_if(from, named.rules.end(), [&](const AppliedRule& rule) { return rule.name != from->name; });
            add_rule({from, to}, answers);
            from = to;
        }
        add_others(answers);
        if (named.unnamed) add(StepKind::rest).facts.count = named.unnamed;
    }

    std::vector<Step> take() { return std::move(steps_); }

private:
    Step& add(StepKind kind) {
        steps_.push_back(blank_);
        steps_.back().kind = kind;
        return steps_.back();
    }

    std::pair<Cell, Cell> pair_of(int cell, const std::vector<int>& answers) const {
        return {boards_.cell_of(cell), boards_.cell_of(answers.front())};
    }

    std::vector<Cell> in_cells(const std::vector<int>& bits) const {
        std::vector<Cell> cells;
        for (const int bit : bits) cells.push_back(boards_.cell_of(bit));
        return cells;
    }

    // Rules of one name.
    void add_rule(const std::vector<AppliedRule>& rules, const Answers& answers) {
        Step& step = add(StepKind::rule);
        step.facts.rule = rules.front().name;
        step.facts.cells.emplace();
        Bits all{0};
        for (const AppliedRule& rule : rules) {
            step.facts.cells->push_back(in_cells(rule.cells));
            for (const int cell : rule.cells) all |= bit_at<Bits>(cell);
            for (const Line* line : rule.lines) step.lines.push_back(in_cells(line->cells));
            if (rule.name == RuleName::zugzwang) step.threats.push_back(boards_.cell_of(rule.cells.front()));
        }
        step.facts.count = int(step.lines.size());
        for (const auto& [cell, some] : answers) {
            const bool tells = any(all & bit_at<Bits>(cell)) && any(all & bit_at<Bits>(some.front()));
            if (tells) step.pairs.push_back(pair_of(cell, some));
        }
    }

    // Answers that are not simply right above.
    void add_others(Answers answers) {
        std::erase_if(answers, [](const auto& answer) { return answer.second.front() == answer.first + 1; });
        if (answers.empty()) return;
        std::sort(answers.begin(), answers.end());
        Step& step = add(StepKind::answers);
        step.facts.answers.emplace();
        for (const auto& [cell, some] : answers) {
            step.facts.answers->push_back({boards_.cell_of(cell), in_cells(some)});
            step.pairs.push_back(pair_of(cell, some));
        }
    }

    const Boards& boards_;
    const Here& here_;
    const Step blank_;
    std::vector<Step> steps_;
};

class PageShower {
public:
    explicit PageShower(const CheckedExplanation& explanation)
        : explanation_(explanation), boards_(explanation.variant, explanation.keeper), namer_(explanation.variant) {}

    std::vector<ShownPage> run() {
        left_.push_back({0, boards_.start(explanation_.position, explanation_.last_drop)});
        while (!left_.empty()) {
            const auto [number, here] = std::move(left_.back());
            left_.pop_back();
            if (!shown_.count(number)) shown_[number] = show(number, here);
        }
        std::vector<ShownPage> pages;
        for (auto& [_, page] : shown_) pages.push_back(std::move(page));
        return pages;
    }

private:
    ShownPage show(int number, const Here& here) {
        const Page& page = explanation_.pages[std::size_t(number)];
        if (page.force.empty()) return show_answers(number, here, page);
        ShownPage shown{number, here.path, forced_line(boards_, here, page.force)};
        PageSteps steps(boards_, here, number);
        steps.add_force(shown.force);
        shown.steps = steps.take();
        return shown;
    }

    ShownPage show_answers(int number, const Here& here, const Page& page) {
        const Here now = page.drop ? boards_.after(here, *page.drop) : here;
        PageSteps steps(boards_, now, number);
        if (page.drop) steps.add_drop(*page.drop);
        steps.add_replies(turned_to(page, now));
        const Answers answers = boards_.answers_of(page);
        const auto& reached = explanation_.reached[std::size_t(number)];
        steps.add_answers(answers, reached.empty() ? NamedRules{} : namer_.name(now.discs, answers, reached));
        return {number, here.path, {}, steps.take()};
    }

    // The replies that play can get to, whose pages are to be shown: a file may name others, which the checker never sees.
    std::vector<Reply> turned_to(const Page& page, const Here& now) {
        std::vector<Reply> replies;
        for (const auto& [column, number] : page.replies) {
            if (!boards_.can_drop(now, column)) continue;
            const Here after = boards_.after(now, column);
            if (!boards_.wins(after).empty()) continue;
            replies.push_back({column, number});
            left_.push_back({number, after});
        }
        return replies;
    }

    const CheckedExplanation& explanation_;
    const Boards boards_;
    const RuleNamer namer_;
    std::vector<std::pair<int, Here>> left_;
    std::map<int, ShownPage> shown_;
};

}  // namespace

std::vector<Bits> unpacked(const unsigned char* bytes, std::size_t size) {
    std::vector<Bits> boards(size / 16, Bits{0});
    for (std::size_t i = 0; i < 16 * boards.size(); ++i)
        boards[i / 16] |= Bits(std::uint64_t(bytes[i])) << int(i % 16 * 8);
    return boards;
}

std::vector<ShownPage> shown_pages(const CheckedExplanation& explanation) { return PageShower(explanation).run(); }

Step line_step(const Variant& variant, const Board& position, std::optional<Cell> last_drop,
               const std::vector<int>& line) {
    const Boards boards(variant, side_to_move(position));
    const Here here = boards.start(position, last_drop);
    Step step = blank_step(boards, here, 0);
    step.kind = StepKind::line;
    step.facts.line = line;
    step.played = cells_of(boards, here, line);
    return step;
}

}  // namespace connectk::why
