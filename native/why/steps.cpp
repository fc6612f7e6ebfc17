#include "steps.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "boards.hpp"
#include "played_pages.hpp"

namespace connectk::why {
namespace {

Step blank_step(const BoardRules& boards, const BoardOnPath& here, int page) {
    Step step;
    step.page = page;
    step.board = boards.letters(here);
    step.side_to_move = boards.side_to_move(here);
    step.last_drop = here.last_drop;
    return step;
}

std::vector<Cell> cells_of(const BoardRules& boards, BoardOnPath here, const std::vector<int>& line) {
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

// The steps of one page, all on the same board.
class PageSteps {
public:
    PageSteps(const BoardRules& boards, const RuleNamer& namer, const BoardOnPath& here, int number)
        : boards_(boards), namer_(namer), here_(here), blank_(blank_step(boards, here, number)) {}

    // One step for each drop of the keeper: the threat or fork that it makes, and finally the completed line.
    void add_force(const std::vector<int>& line) {
        const std::vector<Cell> cells = cells_of(boards_, here_, line);
        BoardOnPath now = here_;
        for (std::size_t i = 0; i < line.size(); ++i) {
            now = boards_.after(now, line[i]);
            if (i % 2) continue;
            Step& step = boards_.is_won(now) ? add_win(now) : add_threats(now);
            step.facts.column = line[i];
            step.played.assign(cells.begin(), cells.begin() + std::ptrdiff_t(i) + 1);
        }
    }

    void add_drop(int column) {
        if (boards_.is_won(here_)) add_win(here_).facts.column = column;
        else add(StepKind::drop).facts.column = column;
    }

    // Adds the refutation of each reply if all replies lose at once.
    void add_lost() { add_losing(StepKind::lost, here_); }

    void add_replies(std::vector<Reply> replies) {
        if (replies.empty()) return;
        std::sort(replies.begin(), replies.end(), [](const Reply& a, const Reply& b) { return a.column < b.column; });
        Step& step = add(StepKind::replies);
        for (const Reply& reply : replies) replies_.push_back(reply.column);
        step.facts.columns = replies_;
        step.replies = std::move(replies);
    }

    // Adds all answers together, then each rule with its cells, then the answers and lines without a rule.
    // `whole` has the lines of play on this page and on the pages that it goes on to.
    void add_answers(const Answers& answers, const NamedRules& named, const LinesOfPlay& whole) {
        if (answers.empty()) return;
        Step& always = add(StepKind::always);
        for (const auto& [cell, some] : answers) always.pairs.push_back(pair_of(cell, some));
        for (const AppliedRule& rule : named.rules)
            if (rule.name == RuleName::zugzwang) always.threats.push_back(boards_.cell_of(rule.cells.front()));
        for (auto from = named.rules.begin(); from != named.rules.end();) {
            const auto to =
                std::find_if(from, named.rules.end(), [&](const AppliedRule& rule) { return rule.name != from->name; });
            add_rule({from, to}, answers, whole);
            from = to;
        }
        add_others(answers);
        if (named.unnamed.empty()) return;
        Step& rest = add(StepKind::rest);
        rest.facts.count = int(named.unnamed.size());
        rest.statements.push_back(stated(StatementKind::never_completes, rival(), {}, named.unnamed, here_));
    }

    std::vector<Step> take() { return std::move(steps_); }

private:
    Step& add(StepKind kind) {
        steps_.push_back(blank_);
        steps_.back().kind = kind;
        return steps_.back();
    }

    Side rival() const { return other_than(boards_.keeper()); }

    Statement stated(StatementKind kind, Side side, std::vector<Cell> cells, const std::vector<const Line*>& lines,
                     const BoardOnPath& here) const {
        Statement statement{kind, side, std::move(cells)};
        for (const Line* line : lines) statement.lines.push_back(in_cells(line->cells));
        statement.page = blank_.page;
        statement.moves = here.path;
        return statement;
    }

    std::vector<const Line*> lines_at(const BoardOnPath& here, const std::vector<Cell>& cells) const {
        std::vector<const Line*> lines;
        for (const Cell& cell : cells)
            for (const Line* line : namer_.completed_lines(here.discs.keeper, boards_.bit_of(cell)))
                if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
        return lines;
    }

    Step& add_win(const BoardOnPath& now) {
        Step& step = add(StepKind::win);
        step.lines = boards_.winning_lines(now);
        const std::vector<Cell> cells{*now.last_drop};
        step.statements.push_back(stated(StatementKind::completes, boards_.keeper(), cells, lines_at(now, cells), now));
        return step;
    }

    // Adds the step after a drop of a force.
    Step& add_threats(const BoardOnPath& now) {
        const auto threats = boards_.wins(now), safe = boards_.safe_replies(now);
        if (threats.empty()) {
            Step& step = add_losing(safe.empty() ? StepKind::lost : StepKind::squeeze, now);
            step.facts.columns = columns_of(safe);
            return step;
        }
        Step& step = add(threats.size() == 1 ? StepKind::threat : StepKind::fork);
        step.facts.columns = columns_of(threats);
        step.threats = threats;
        const auto kind = threats.size() == 1 ? StatementKind::threat : StatementKind::fork;
        step.statements.push_back(stated(kind, boards_.keeper(), threats, lines_at(now, threats), now));
        return step;
    }

    // Adds the replies that lose at once, each with the keeper's win.
    Step& add_losing(StepKind kind, const BoardOnPath& now) {
        Step& step = add(kind);
        step.facts.answers = boards_.losing_replies(now);
        for (const auto& [cell, wins] : *step.facts.answers) {
            const BoardOnPath after = boards_.after(now, cell.first);
            const std::vector<const Line*> lines = lines_at(after, {wins.front()});
            step.pairs.push_back({cell, wins.front()});
            step.statements.push_back(stated(StatementKind::loses_at_once, rival(), {cell, wins.front()}, lines, now));
        }
        return step;
    }

    std::pair<Cell, Cell> pair_of(int cell, const std::vector<int>& answers) const {
        return {boards_.cell_of(cell), boards_.cell_of(answers.front())};
    }

    std::vector<Cell> in_cells(const std::vector<int>& bits) const {
        std::vector<Cell> cells;
        for (const int bit : bits) cells.push_back(boards_.cell_of(bit));
        return cells;
    }

    // Adds one step for all rules of the same name.
    void add_rule(const std::vector<AppliedRule>& rules, const Answers& answers, const LinesOfPlay& whole) {
        Step& step = add(StepKind::rule);
        step.facts.rule = rules.front().name;
        step.facts.cells.emplace();
        Bits all{0};
        for (const AppliedRule& rule : rules) {
            add_groups(step, rule);
            for (const int cell : rule.cells) all |= bit_at<Bits>(cell);
            for (const Line* line : rule.lines) step.lines.push_back(in_cells(line->cells));
            if (rule.name == RuleName::zugzwang) add_zugzwang(step, rule.cells.front(), whole);
        }
        step.facts.count = int(step.lines.size());
        if (!replies_.empty()) step.facts.columns = replies_;
        for (const auto& [cell, some] : answers) {
            const bool is_shown = any(all & bit_at<Bits>(cell)) && any(all & bit_at<Bits>(some.front()));
            if (is_shown) step.pairs.push_back(pair_of(cell, some));
        }
    }

    void add_groups(Step& step, const AppliedRule& rule) {
        for (const Bits& group : rule.groups) {
            std::vector<const Line*> lines;
            const auto needs = [&](const Line* line) { return (line->all & group) == group; };
            std::copy_if(rule.lines.begin(), rule.lines.end(), std::back_inserter(lines), needs);
            Statement statement = stated(StatementKind::never_all, rival(), boards_.cells_of(group), lines, here_);
            statement.unless = replies_;
            if (rule.name != RuleName::zugzwang) step.facts.cells->push_back(statement.cells);
            step.statements.push_back(std::move(statement));
        }
    }

    void add_zugzwang(Step& step, int threat, const LinesOfPlay& whole) {
        const Cell cell = boards_.cell_of(threat);
        step.threats.push_back(cell);
        step.facts.cells->push_back({cell});
        Statement statement = stated(StatementKind::zugzwang, rival(), {boards_.cell_of(threat - 1), cell},
                                     namer_.completed_lines(here_.discs.keeper, threat), here_);
        if (!whole.ends_beneath(threat)) statement.unless = replies_;
        step.statements.insert(step.statements.begin(), std::move(statement));
    }

    // Adds one step for the answers that are not right above the rival's disc.
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

    const BoardRules& boards_;
    const RuleNamer& namer_;
    const BoardOnPath& here_;
    const Step blank_;
    std::vector<int> replies_;  // the rival's columns that have pages of their own
    std::vector<Step> steps_;
};

class StepBuilder {
public:
    explicit StepBuilder(const CheckedExplanation& explanation)
        : explanation_(explanation),
          boards_(explanation.variant, explanation.keeper),
          namer_(explanation.variant),
          pages_(boards_, explanation.pages) {}

    std::vector<ShownPage> run() {
        pending_.push_back({0, boards_.start(explanation_.position, explanation_.last_drop)});
        while (!pending_.empty()) {
            const auto [number, here] = std::move(pending_.back());
            pending_.pop_back();
            const auto [first, is_new] = first_boards_.try_emplace(number, here.discs);
            if (is_new) shown_[number] = show(number, here);
            else if (!(first->second == here.discs)) shared_.insert(number);
        }
        std::vector<ShownPage> pages;
        for (auto& [number, page] : shown_) {
            if (shared_.count(number)) mark_shared(page, number);
            pages.push_back(std::move(page));
        }
        return pages;
    }

private:
    ShownPage show(int number, const BoardOnPath& here) {
        const Page& page = explanation_.pages[std::size_t(number)];
        if (page.force.empty()) return show_answers(number, here, page);
        ShownPage shown{number, here.path, forced_line(boards_, here, page.force)};
        PageSteps steps(boards_, namer_, here, number);
        steps.add_force(shown.force);
        shown.steps = steps.take();
        return shown;
    }

    ShownPage show_answers(int number, const BoardOnPath& here, const Page& page) {
        const BoardOnPath now = page.drop ? boards_.after(here, *page.drop) : here;
        PageSteps steps(boards_, namer_, now, number);
        if (page.drop) steps.add_drop(*page.drop);
        if (boards_.is_won(now)) return {number, here.path, {}, steps.take()};
        if (boards_.safe_replies(now).empty()) {
            if (!boards_.losing_replies(now).empty()) steps.add_lost();
            return {number, here.path, {}, steps.take()};
        }
        steps.add_replies(reachable_replies(page, now));
        const Answers answers = boards_.answers_of(page);
        const auto& reached = explanation_.reached[std::size_t(number)];
        if (!reached.empty() && !answers.empty()) {
            const LinesOfPlay& played = pages_.alone(number, now.discs);
            steps.add_answers(answers, namer_.name(now.discs, answers, reached, played),
                              pages_.whole(number, now.discs));
        }
        return {number, here.path, {}, steps.take()};
    }

    // Says that the page is also reached with other discs, and so are the pages that it goes on to.
    void mark_shared(ShownPage& page, int number) {
        for (const auto& [_, next] : explanation_.pages[std::size_t(number)].replies)
            if (next > number) shared_.insert(next);
        if (page.steps.empty()) return;
        Step step = page.steps.front();
        Step note;
        note.page = step.page, note.board = std::move(step.board), note.side_to_move = step.side_to_move;
        note.last_drop = step.last_drop, note.kind = StepKind::shared;
        page.steps.insert(page.steps.begin(), std::move(note));
    }

    // Returns the replies that play can reach and queues their pages. A file may contain other replies, which the
    // checker never visits.
    std::vector<Reply> reachable_replies(const Page& page, const BoardOnPath& now) {
        std::vector<Reply> replies;
        for (const auto& [column, number] : page.replies) {
            if (!boards_.can_drop(now, column)) continue;
            const BoardOnPath after = boards_.after(now, column);
            if (!boards_.wins(after).empty()) continue;
            replies.push_back({column, number});
            pending_.push_back({number, after});
        }
        return replies;
    }

    const CheckedExplanation& explanation_;
    const BoardRules boards_;
    const RuleNamer namer_;
    std::vector<std::pair<int, BoardOnPath>> pending_;
    std::map<int, ShownPage> shown_;
    std::map<int, KeeperBoard<Bits>> first_boards_;  // on which each page is shown
    std::set<int> shared_;                           // pages that are reached on other boards too
    PlayedPages pages_;
};

}  // namespace

std::vector<int> forced_line(const BoardRules& boards, BoardOnPath here, const std::vector<int>& drops) {
    std::vector<int> line;
    const auto drop = [&](int column) {
        here = boards.after(here, column);
        line.push_back(column);
    };
    for (const int column : drops) {
        const bool wins_now = here.keeper_moves && !boards.wins(here).empty();  // on another board the force is longer
        if (wins_now || !boards.can_drop(here, column)) break;
        drop(column);
        if (boards.is_won(here)) break;
        const auto threats = boards.wins(here), replies = threats.empty() ? boards.safe_replies(here) : threats;
        if (replies.empty()) break;
        drop(replies.front().first);
        if (threats.size() > 1) break;
    }
    if (here.keeper_moves && !boards.is_won(here) && !boards.wins(here).empty()) drop(boards.wins(here).front().first);
    return line;
}

std::vector<Bits> unpack_boards(const unsigned char* bytes, std::size_t size) {
    std::vector<Bits> boards(size / 16, Bits{0});
    for (std::size_t i = 0; i < 16 * boards.size(); ++i)
        boards[i / 16] |= Bits(std::uint64_t(bytes[i])) << int(i % 16 * 8);
    return boards;
}

std::vector<ShownPage> shown_pages(const CheckedExplanation& explanation) { return StepBuilder(explanation).run(); }

Step line_step(const Variant& variant, const Board& position, std::optional<Cell> last_drop,
               const std::vector<int>& line) {
    const BoardRules boards(variant, side_to_move(position));
    const BoardOnPath here = boards.start(position, last_drop);
    Step step = blank_step(boards, here, 0);
    step.kind = StepKind::line;
    step.facts.line = line;
    step.played = cells_of(boards, here, line);
    Statement best{StatementKind::best_play, boards.side_to_move(here), step.played};
    best.moves = line, best.holds = Scope::one_line;
    step.statements.push_back(std::move(best));
    return step;
}

}  // namespace connectk::why
