#include "coach.hpp"

#include <algorithm>

#include "boards.hpp"
#include "played_pages.hpp"

namespace connectk::why {
namespace {

constexpr int max_listed_endings = 3;  // the most cells in a sentence about endings

class Coach {
public:
    explicit Coach(const CheckedExplanation& explanation)
        : explanation_(explanation),
          boards_(explanation.variant, explanation.keeper),
          namer_(explanation.variant),
          pages_(boards_, explanation.pages),
          here_(boards_.start(explanation.position, explanation.last_drop)) {}

    std::vector<CoachSentence> run() {
        add_block();
        if (follow() && !add_lost()) add_reason();
        return std::move(sentences_);
    }

private:
    Side keeper() const { return boards_.keeper(); }
    Side rival() const { return other_than(keeper()); }
    bool must_win() const { return explanation_.result == Promise::wins; }
    const Page& page() const { return explanation_.pages[std::size_t(number_)]; }

    Statement stated(StatementKind kind, Side side, std::vector<Cell> cells) const {
        Statement statement{kind, side, std::move(cells)};
        statement.page = number_;
        statement.moves = here_.path;
        return statement;
    }

    void add(CoachKind kind, std::vector<Statement> statements) { sentences_.push_back({kind, std::move(statements)}); }

    std::vector<StraightLine> lines_at(const Bits& discs, const Cell& cell) const {
        std::vector<StraightLine> lines;
        for (const Line* line : namer_.completed_lines(discs, boards_.bit_of(cell)))
            lines.push_back(boards_.cells_of(line->all));
        return lines;
    }

    // Adds that the side to move must block a cell in which the other side could complete a line, unless it can win at
    // once.
    void add_block() {
        const auto own = here_.keeper_moves ? here_.discs.keeper : here_.discs.rival;
        const auto other = here_.keeper_moves ? here_.discs.rival : here_.discs.keeper;
        const Bits threats = wins_now(boards_.sizes(), other, here_.discs.all());
        if (count_bits(threats) != 1 || any(wins_now(boards_.sizes(), own, here_.discs.all()))) return;
        const Cell cell = boards_.cells_of(threats).front();
        Statement threat = stated(StatementKind::threat, here_.keeper_moves ? rival() : keeper(), {cell});
        threat.lines = lines_at(other, cell);
        add(CoachKind::must_block, {std::move(threat)});
    }

    // Follows the keeper's drops while all replies but one lose at once. Returns whether a board is left to say more
    // about.
    bool follow() {
        std::vector<Cell> drops;
        while (true) {
            if (!here_.keeper_moves) {
                const auto safe = boards_.safe_replies(here_);
                if (safe.size() != 1 || !turn_to(safe.front().first)) break;
            }
            if (!page().force.empty()) return add_force(std::move(drops)), false;
            here_ = boards_.after(here_, *page().drop);
            drops.push_back(*here_.last_drop);
            if (boards_.is_won(here_)) return add_sequence(std::move(drops)), false;
        }
        if (!drops.empty()) add_sequence(std::move(drops));
        return true;
    }

    bool turn_to(int column) {
        for (const auto& [reply, page] : page().replies) {
            if (reply != column) continue;
            here_ = boards_.after(here_, column);
            number_ = page;
            return true;
        }
        return false;
    }

    void add_force(std::vector<Cell> drops) {
        const std::vector<int> line = forced_line(boards_, here_, page().force);
        for (std::size_t i = 0; i < line.size(); ++i) {
            const bool is_last = i + 1 == line.size() && i % 2 == 0;
            if (is_last && !drops.empty()) break;  // the last drop wins, which needs no sentence
            here_ = boards_.after(here_, line[i]);
            if (i % 2 == 0) drops.push_back(*here_.last_drop);
        }
        if (!here_.keeper_moves || boards_.is_won(here_)) return add_sequence(std::move(drops));
        BoardOnPath before = here_;  // the board before the last reply, which is one of two blocks or loses as well
        here_ = boards_.start(explanation_.position, explanation_.last_drop);
        for (std::size_t i = 0; i + 1 < before.path.size(); ++i) here_ = boards_.after(here_, before.path[i]);
        add_sequence(std::move(drops));
    }

    void add_sequence(std::vector<Cell> drops) {
        if (boards_.is_won(here_)) {
            Statement win = stated(StatementKind::completes, keeper(), {*here_.last_drop});
            win.lines = boards_.winning_lines(here_);
            for (StraightLine& one : win.lines) one.resize(std::min(one.size(), std::size_t(boards_.sizes().run)));
            if (drops.size() == 1) return add(CoachKind::win_now, {std::move(win)});
        }
        const auto threats = boards_.is_won(here_) ? std::vector<Cell>{} : boards_.wins(here_);
        if (drops.size() == 1 && threats.size() > 1) {
            Statement fork = stated(StatementKind::fork, keeper(), threats);
            for (const Cell& cell : threats)
                for (StraightLine& line : lines_at(here_.discs.keeper, cell)) fork.lines.push_back(std::move(line));
            return add(CoachKind::fork, {std::move(fork)});
        }
        if (drops.size() == 1 && !sentences_.empty()) return;  // the only drop is the block of the previous sentence
        const auto kind = must_win() ? StatementKind::wins : StatementKind::holds;
        if (drops.size() == 1) return add(CoachKind::drop, {stated(kind, keeper(), std::move(drops))});
        Statement forced = stated(StatementKind::forced, keeper(), std::move(drops));
        forced.count = boards_.is_won(here_) ? 0 : int(boards_.safe_replies(here_).size());
        add(CoachKind::sequence, {std::move(forced)});
    }

    // Adds that every drop of the rival, who is to move, loses at once.
    bool add_lost() {
        if (!boards_.safe_replies(here_).empty()) return false;
        std::vector<Statement> statements;
        for (const auto& [cell, wins] : boards_.losing_replies(here_)) {
            statements.push_back(stated(StatementKind::loses_at_once, rival(), {cell, wins.front()}));
            statements.back().lines = lines_at(here_.discs.keeper, wins.front());
        }
        if (!statements.empty()) add(CoachKind::lost, std::move(statements));
        return true;
    }

    void add_reason() {
        const LinesOfPlay& played = pages_.whole(number_, here_.discs);
        const Sizes<Bits>& g = boards_.sizes();
        const Bits all = here_.discs.all();
        for (Bits threats = completing_cells(g, here_.discs.keeper) & ~all & ~playable(g, all); any(threats);)
            if (const int threat = take_lowest(threats); played.ends_beneath(threat)) return add_zugzwang(threat);
        if (must_win() && add_several(played)) return;
        if (!must_win()) return add(CoachKind::answers_hold, {stated(StatementKind::holds, keeper(), {}), on_top()});
        if (count_bits(played.wins) > max_listed_endings)
            return add(CoachKind::answers_win, {stated(StatementKind::wins, keeper(), {}), on_top()});
        add(CoachKind::endings, {stated(StatementKind::ends_at, keeper(), boards_.cells_of(played.wins))});
    }

    void add_zugzwang(int threat) {
        const std::vector<Cell> cells{boards_.cell_of(threat - 1), boards_.cell_of(threat)};
        Statement gives = stated(StatementKind::gives_away, keeper(), cells);
        gives.lines = lines_at(here_.discs.keeper, cells.back());
        add(CoachKind::beneath, {gives});
        Statement ends = stated(StatementKind::zugzwang, rival(), cells);
        ends.lines = gives.lines;
        add(CoachKind::count, {std::move(ends), rest(threat), on_top()});
    }

    // Adds that the rival drops beneath one of several threats, of which the keeper may give up some. Returns whether there
    // are such threats.
    bool add_several(const LinesOfPlay& played) {
        const Sizes<Bits>& g = boards_.sizes();
        const Bits all = here_.discs.all();
        Statement several = stated(StatementKind::zugzwang_in_one, rival(), {});
        several.count = 0;
        for (Bits threats = completing_cells(g, here_.discs.keeper) & ~all & ~playable(g, all); any(threats);) {
            const int threat = take_lowest(threats);
            if (!played.can_end_beneath(threat)) continue;
            several.cells.push_back(boards_.cell_of(threat - 1));
            several.cells.push_back(boards_.cell_of(threat));
            for (StraightLine& line : lines_at(here_.discs.keeper, several.cells.back()))
                several.lines.push_back(std::move(line));
            *several.count += any(played.keeper & bit_at<Bits>(threat - 1));
        }
        if (several.cells.size() < 4) return false;
        add(CoachKind::several, {std::move(several)});
        return true;
    }

    // States the number of empty cells, not counting the threat's column from the cell beneath the threat upwards.
    Statement rest(int threat) const {
        const Sizes<Bits>& g = boards_.sizes();
        const int column = threat / g.stride;
        const Bits above = (ones<Bits>(g.stride) << (column * g.stride)) & ~ones<Bits>(threat - 1);
        Statement rest = stated(StatementKind::rest_left, rival(), {boards_.cell_of(threat - 1)});
        rest.count = int(count_bits(g.cells & ~here_.discs.all() & ~above));
        return rest;
    }

    // States how many of the page's answers are right above the disc that they answer.
    Statement on_top() const {
        const Answers answers = boards_.answers_of(page());
        Statement statement = stated(StatementKind::on_top, keeper(), {});
        statement.count = int(std::count_if(answers.begin(), answers.end(), [](const auto& answer) {
            return answer.second.front() == answer.first + 1;
        }));
        statement.of = int(answers.size());
        return statement;
    }

    const CheckedExplanation& explanation_;
    const BoardRules boards_;
    const RuleNamer namer_;
    PlayedPages pages_;
    BoardOnPath here_;
    int number_ = 0;
    std::vector<CoachSentence> sentences_;
};

}  // namespace

std::vector<CoachSentence> coach(const CheckedExplanation& explanation) { return Coach(explanation).run(); }

}  // namespace connectk::why
