#include "mind.hpp"

#include <algorithm>
#include <cmath>

#include "../board/scores.hpp"
#include "../players/dice.hpp"

namespace connectk::web {
namespace {

constexpr std::size_t solver_table = std::size_t(1) << 25, engine_table = std::size_t(1) << 25;
constexpr std::size_t level_table = 1 << 18, glance_table = 1 << 18, estimate_table = 1 << 22, plain_table = 1 << 12;
constexpr double share_for_solver = 0.4;        // of the engine's time
constexpr double share_for_exact_scores = 0.6;  // of an analysis
constexpr double estimate_unit = 250.0;         // an estimate of so much is a clear advantage
constexpr int most_cells_left = 34;             // with more the solver is not tried, unless there is a book
constexpr std::uint64_t glance_nodes = 3'000;
constexpr int quick_depth = 6;
constexpr double least_seconds = 0.001;
constexpr int all_threads = 64;  // as many as there are

Board board_of(const Witness& board) {
    Board bits;
    const auto [width, height, run] = board.variant();
    for (int column = 0; column < width; ++column) {
        for (int row = 0; row < board.height_of(column); ++row) {
            const Bits bit = bit_at<Bits>(column * (height + 1) + row);
            bits.all |= bit;
            if (board.disc_at({column, row}) == board.side_to_move()) bits.own |= bit;
        }
    }
    return bits;
}

Witness after_drop(Witness board, int column) {
    board.drop(column);
    return board;
}

int win_score(const Witness& board, int last_disc) { return win_with_disc(board.variant().cells(), last_disc); }

// A win or a threat, which may lie outside a window.
std::optional<Choice> urgent(const Witness& board) {
    if (const int column = winning_drop(board); column >= 0)
        return Choice{column, double(win_score(board, board.ply() + 1)), {column}, 1, 0, true};
    if (const int column = blocking_drop(board); column >= 0) return Choice{column, {}, {column}, 1};
    return std::nullopt;
}

// The core's decision in the board's columns; where the window has no room, the centre-most column.
Choice choice_of(const players::Decision& decision, const View& view, const Witness& board) {
    if (decision.column < 0) return {centre_first(board).front()};
    Choice choice{view.first_column + decision.column};
    for (const int column : decision.line) choice.line.push_back(view.first_column + column);
    choice.depth = decision.depth;
    choice.nodes = decision.nodes;
    choice.proven = decision.proven && view.whole;
    if (choice.proven) choice.score = decision.result * win_score(board, decision.last_disc);
    else choice.score = decision.result ? decision.result : std::tanh(decision.estimate / estimate_unit);
    return choice;
}

// How many discs after now a game of this score ends.
int plies_to_end(int cells, int ply, int score) {
    if (score == 0) return cells - ply;
    const int last_disc = cells + 2 - 2 * std::abs(score);
    return last_disc - ply - (((last_disc - ply) % 2 != 0) != (score > 0));
}

}  // namespace

int discs_to_win(int cells, int ply, int score) { return score ? (plies_to_end(cells, ply, score) + 1) / 2 : 0; }

Until::Until(double seconds, std::function<bool()> stopped)
    : seconds_(seconds), start_(std::chrono::steady_clock::now()), stopped_(std::move(stopped)) {}

double Until::left() const {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start_;
    return std::max(0.0, seconds_ - gone.count());
}

Until Until::share(double part) const {
    return Until(seconds_ > 0 ? std::max(part * left(), least_seconds) : 0.0, stopped_);
}

bool Until::is_up() const { return (seconds_ > 0 && left() <= 0) || (stopped_ && stopped_()); }

SearchLimits Until::limits() const {
    SearchLimits limits;
    limits.seconds = seconds_ > 0 ? std::max(left(), least_seconds) : 0;
    limits.stopped = stopped_;
    limits.threads = seconds_ > 0 ? all_threads : 1;
    return limits;
}

void Mind::read_book(std::vector<std::uint8_t> file) {
    if (solver_) solver_->use(nullptr);
    book_ = std::make_unique<book::Book>(std::move(file));
    if (solver_) give_book(*solver_);
}

void Mind::forget() {
    if (solver_) solver_->forget();
    for (Kept* kept : {&engine_, &level_, &glance_, &estimate_, &plain_})
        if (kept->thinker) kept->thinker->forget();
}

Solver* Mind::solver_for(const Variant& variant) {
    if (!supported(variant)) return nullptr;
    if (solver_ && solver_->variant() == variant) return solver_.get();
    solver_.reset();  // before the next one takes as much memory
    solver_ = std::make_unique<Solver>(variant, solver_table);
    if (book_) give_book(*solver_);
    return solver_.get();
}

void Mind::give_book(Solver& solver) {
    const book::Header& header = book_->header();
    if (solver.variant() == Variant{header.width, header.height, header.run}) solver.use(book_.get());
}

players::Thinker& Mind::thinker(Kept& kept, const View& view, std::size_t table_bytes) {
    if (kept.thinker && kept.size == view.size && kept.closed == view.closed) return *kept.thinker;
    kept.thinker.reset();  // before the next one takes as much memory
    kept = {view.size, view.closed, players::make_thinker(view.size, view.closed, table_bytes)};
    return *kept.thinker;
}

Choice Mind::look(Kept& kept, std::size_t table_bytes, const Witness& board, int depth, const Until& until,
                  std::uint64_t most_nodes) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = urgent(board)) return *choice;
    players::Thinker& mind = thinker(kept, view, table_bytes);  // whose first table takes some of the time
    SearchLimits limits = until.limits();
    limits.max_nodes = most_nodes;
    return choice_of(mind.think(view.discs, depth, limits), view, board);
}

Choice Mind::play_level(const Witness& board, int level, std::uint64_t seed, const Until& until) {
    const View view = View::of(board);
    const players::Level& eyes = players::levels[std::size_t(level - 1)];
    if (!view.whole && !eyes.careless)
        if (const auto choice = urgent(board)) return *choice;
    const auto decision = thinker(level_, view, level_table).play(view.discs, eyes, seed, until.limits());
    return choice_of(decision, view, board);
}

Choice Mind::play_engine(const Witness& board, const Until& until) {
    const Variant& variant = board.variant();
    const bool has_book =
        book_ && variant == Variant{book_->header().width, book_->header().height, book_->header().run};
    if (supported(variant) && (has_book || variant.cells() - board.ply() <= most_cells_left))
        if (const auto choice = exact_choice(board, until.share(share_for_solver))) return *choice;
    return look(engine_, engine_table, board, 0, until);
}

Choice Mind::play_perfect(const Witness& board, const Until& until) {
    if (const auto choice = exact_choice(board, until)) return *choice;
    return look(glance_, glance_table, board, quick_depth, Until());
}

// A best column by the solver; nothing if there was no time for one.
std::optional<Choice> Mind::exact_choice(const Witness& board, const Until& until) {
    Solver* solver = solver_for(board.variant());
    const Board bits = board_of(board);
    const Bounds found = solver->solve(bits, Goal::score, until.limits());
    if (!found.exact() || until.is_up()) return std::nullopt;
    const Drops best = solver->line(bits, found.lower, Goal::score, 1, until.limits());
    if (best.columns.empty()) return std::nullopt;
    int column = best.columns.front();
    if (found.lower <= 0 && !until.is_up()) {
        const auto scores = solver->score_columns(bits, Goal::score, until.limits());
        const auto is_known = [](const std::optional<Bounds>& one) { return !one || one->exact(); };
        std::vector<int> as_good;
        for (const int other : centre_first(board))
            if (scores[std::size_t(other)]->lower == scores[std::size_t(column)]->lower) as_good.push_back(other);
        if (std::all_of(scores.begin(), scores.end(), is_known)) column = hardest_to_meet(board, as_good);
    }
    const int depth = plies_to_end(board.variant().cells(), board.ply(), found.lower);
    return Choice{column, double(found.lower), {column}, depth, found.nodes, true};
}

// Where perfect play does not win, the column after which the other side looks worst: it may err.
int Mind::hardest_to_meet(const Witness& board, const std::vector<int>& columns) {
    int hardest = columns.front();
    double worst = 2;
    for (const int column : columns) {
        if (columns.size() == 1) break;
        const Witness after = after_drop(board, column);
        double score = 0;
        if (!after.over()) {
            if (glance_.thinker) glance_.thinker->forget();
            const Choice reply = look(glance_, glance_table, after, 0, Until(), glance_nodes);
            score = std::clamp(reply.score.value_or(0), -1.0, 1.0);
        }
        if (score < worst) worst = score, hardest = column;
    }
    return hardest;
}

Choice Mind::play_minimax(const Witness& board, int depth, const Until& until) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = urgent(board)) return *choice;
    const players::Line found =
        thinker(plain_, view, plain_table).minimax(view.discs, depth, "combined", until.limits());
    Choice choice{-1, {}, {}, depth, found.nodes};
    for (const int column : found.columns)
        if (column >= 0) choice.line.push_back(view.first_column + column);
    choice.column = choice.line.empty() ? centre_first(board).front() : choice.line.front();
    return choice;
}

Choice Mind::play_simulations(const Witness& board, std::uint64_t games, std::uint64_t seed, const Until& until) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = urgent(board)) return *choice;
    const auto found = thinker(plain_, view, plain_table).simulate(view.discs, games, seed, until.limits());
    if (found.column < 0) return {centre_first(board).front()};
    Choice choice{view.first_column + found.column, found.mean, {}, int(found.line.size()), found.simulations};
    for (const int column : found.line) choice.line.push_back(view.first_column + column);
    return choice;
}

Choice Mind::play_greedy(const Witness& board) {
    const auto choice = urgent(board);
    return {choice ? choice->column : centre_first(board).front()};
}

Choice Mind::play_random(const Witness& board, std::uint64_t seed) {
    const std::vector<int> legal = board.legal_columns();
    return {legal[std::size_t(players::CONNECTK_BUILD::Dice(seed).below(int(legal.size())))]};
}

ColumnScores Mind::score_columns(const Witness& board, const Until& until, bool estimates) {
    ColumnScores found;
    const std::vector<int> open = board.legal_columns();
    if (Solver* solver = solver_for(board.variant()); solver && !board.over()) {
        const Until solving = until.share(estimates ? share_for_exact_scores : 1.0);
        found.bounds = solver->score_columns(board_of(board), Goal::score, solving.limits());
    } else {
        const int most = win_score(board, 1);
        found.bounds.resize(std::size_t(board.variant().width));
        for (const int column : open) found.bounds[std::size_t(column)] = Bounds{-most, most};
    }
    for (const int column : open) found.exact &= found.bounds[std::size_t(column)]->exact();
    if (found.exact || !estimates) return found;
    found.estimates.resize(std::size_t(board.variant().width));
    std::vector<int> columns = centre_first(board);
    for (std::size_t done = 0; done < columns.size(); ++done) {
        const Until turn = until.share(1.0 / double(columns.size() - done));
        found.estimates[std::size_t(columns[done])] = expected(after_drop(board, columns[done]), turn);
    }
    return found;
}

// The expected result for the side that has just moved, from -1 for a loss to 1 for a win.
double Mind::expected(Witness after, const Until& until) {
    if (after.over()) return after.won() ? 1 : 0;
    return -std::clamp(look(estimate_, estimate_table, after, 0, until).score.value_or(0), -1.0, 1.0);
}

std::vector<int> Mind::best_line(const Witness& board, const Until& until) {
    Solver* solver = solver_for(board.variant());
    if (!solver || board.over()) return {};
    const Board bits = board_of(board);
    const Bounds found = solver->solve(bits, Goal::score, until.limits());
    if (!found.exact()) return {};
    return solver->line(bits, found.lower, Goal::score, 0, until.limits()).columns;
}

Bounds Mind::result(const Witness& board, const Until& until) {
    return solver_for(board.variant())->solve(board_of(board), Goal::result, until.limits());
}

Bounds Mind::solve(const Witness& board, const SearchLimits& limits) {
    Solver* solver = solver_for(board.variant());
    solver->forget();
    return solver->solve(board_of(board), Goal::score, limits);
}

}  // namespace connectk::web
