#include "chooser.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "random.hpp"

namespace connectk::players {
namespace {

constexpr std::size_t level_table_bytes = 1 << 18, quick_table_bytes = 1 << 18, estimate_table_bytes = 1 << 22;
constexpr std::size_t basic_table_bytes = 1 << 12;
constexpr double solver_time_share = 0.4;      // of the engine's time; the rest is for the heuristic search
constexpr double estimate_scale = 250.0;       // an estimate of this size is a clear advantage
constexpr int max_cells_left_for_solver = 34;  // with more the solver is only tried if there is a book
constexpr std::uint64_t quick_search_nodes = 3'000;
constexpr int quick_search_depth = 6;

GameBoard after_drop(GameBoard board, int column) {
    board.drop(column);
    return board;
}

// A column that wins at once or blocks the opponent's win. It may lie outside the window that is searched.
std::optional<Choice> winning_or_blocking(const GameBoard& board) {
    if (const int column = winning_drop(board); column >= 0)
        return Choice{column, double(board.win_score(board.ply() + 1)), {column}, 1, 0, true};
    if (const int column = blocking_drop(board); column >= 0) return Choice{column, {}, {column}, 1};
    return std::nullopt;
}

std::vector<int> board_columns(const std::vector<int>& columns, const View& view) {
    std::vector<int> line;
    for (const int column : columns)
        if (column >= 0) line.push_back(view.first_column + column);
    return line;
}

// Converts a search's decision to a column of the board; if the window is full, chooses the open column nearest to the
// centre.
Choice choice_of(const Decision& decision, const View& view, const GameBoard& board) {
    if (decision.column < 0) return {centre_first(board).front()};
    Choice choice{
        view.first_column + decision.column, {}, board_columns(decision.line, view), decision.depth, decision.nodes};
    choice.proven = decision.proven && view.whole;
    if (choice.proven) choice.score = double(decision.result * board.win_score(decision.last_disc));
    else choice.score = decision.result ? decision.result : std::tanh(decision.estimate / estimate_scale);
    return choice;
}

// Converts the result of minimax; a won or lost game gets its exact score.
Choice choice_of(const MinimaxResult& found, int depth, const View& view, const GameBoard& board) {
    Choice choice{-1, double(found.value), board_columns(found.columns, view), depth, found.nodes};
    if (choice.line.empty()) choice.line = {centre_first(board).front()};
    choice.column = choice.line.front();
    if (const int distance = found.distance()) {
        const auto score = double(board.win_score(board.ply() + distance));
        choice.score = found.value > 0 ? score : -score;
        choice.proven = found.complete && view.whole;
    }
    return choice;
}

// How many more discs are dropped until a game with this score ends.
int plies_to_end(std::int64_t cells, int ply, std::int64_t score) {
    if (score == 0) return int(cells) - ply;
    const int last_disc = int(cells + 2 - 2 * std::abs(score));
    return last_disc - ply - (((last_disc - ply) % 2 != 0) != (score > 0));
}

}  // namespace

int discs_to_win(std::int64_t cells, int ply, std::int64_t score) {
    return score ? (plies_to_end(cells, ply, score) + 1) / 2 : 0;
}

Board bits_of(const GameBoard& board) {
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

void Chooser::use_book(const book::Book* book) {
    book_ = book;
    if (solver_) solver_->use(has_book(solver_->variant()) ? book_ : nullptr);
}

bool Chooser::has_book(const Variant& variant) const {
    return book_ && variant == Variant{book_->header().width, book_->header().height, book_->header().run};
}

void Chooser::clear_table() {
    if (solver_) solver_->clear_table();
    for (ThinkerCache* cache : {&search_, &level_, &quick_, &estimate_, &basic_})
        if (cache->thinker) cache->thinker->clear_table();
}

Solver* Chooser::solver_for(const Variant& variant) {
    if (!is_solvable(variant)) return nullptr;
    if (solver_ && solver_->variant() == variant) return solver_.get();
    solver_.reset();  // frees its memory before the next one is allocated
    solver_ = std::make_unique<Solver>(variant, solver_table_bytes_);
    if (has_book(variant)) solver_->use(book_);
    return solver_.get();
}

Thinker& Chooser::thinker(ThinkerCache& cache, const View& view, std::size_t table_bytes) {
    if (cache.thinker && cache.size == view.size && cache.closed == view.closed) return *cache.thinker;
    cache.thinker.reset();  // frees its memory before the next one is allocated
    cache = {view.size, view.closed, make_thinker(view.size, view.closed, table_bytes)};
    return *cache.thinker;
}

Choice Chooser::search_view(ThinkerCache& cache, std::size_t table_bytes, const GameBoard& board, int depth,
                            const SearchLimits& limits) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = winning_or_blocking(board)) return *choice;
    return choice_of(thinker(cache, view, table_bytes).think(view.discs, depth, limits), view, board);
}

Choice Chooser::search(const GameBoard& board, int depth, const SearchLimits& limits) {
    return search_view(search_, search_table_bytes_, board, depth, limits);
}

double Chooser::expected_after(const GameBoard& after, const Deadline& deadline) {
    if (after.over()) return after.won() ? 1 : 0;
    const Choice reply = search_view(estimate_, estimate_table_bytes, after, 0, deadline.limits());
    return -std::clamp(reply.score.value_or(0), -1.0, 1.0);
}

Choice Chooser::play_random(const GameBoard& board, std::uint64_t seed) {
    const std::vector<int> legal = board.legal_columns();
    return {legal[std::size_t(CONNECTK_BUILD::RandomGenerator(seed).below(int(legal.size())))]};
}

Choice Chooser::play_greedy(const GameBoard& board) {
    const auto choice = winning_or_blocking(board);
    return {choice ? choice->column : centre_first(board).front()};
}

Choice Chooser::play_minimax(const GameBoard& board, int depth, Evaluation evaluation, const Deadline& deadline) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = winning_or_blocking(board)) return *choice;
    Thinker& thinker = this->thinker(basic_, view, basic_table_bytes);
    return choice_of(thinker.minimax(view.discs, depth, evaluation, deadline.limits()), depth, view, board);
}

Choice Chooser::play_simulations(const GameBoard& board, std::uint64_t games, std::uint64_t seed,
                                 const Deadline& deadline) {
    const View view = View::of(board);
    if (!view.whole)
        if (const auto choice = winning_or_blocking(board)) return *choice;
    const SimulationResult found =
        thinker(basic_, view, basic_table_bytes).simulate(view.discs, games, seed, deadline.limits());
    if (found.column < 0) return {centre_first(board).front()};
    const std::vector<int> line = board_columns(found.line, view);
    return {line.front(), found.mean, line, int(line.size()), found.simulations};
}

Choice Chooser::play_level(const GameBoard& board, int level, std::uint64_t seed, const Deadline& deadline) {
    const View view = View::of(board);
    const Level& handicap = levels[std::size_t(level - 1)];
    if (!view.whole && !handicap.random_move_chance)
        if (const auto choice = winning_or_blocking(board)) return *choice;
    Thinker& thinker = this->thinker(level_, view, level_table_bytes);
    return choice_of(thinker.play(view.discs, handicap, seed, deadline.limits()), view, board);
}

Choice Chooser::play_engine(const GameBoard& board, const Deadline& deadline) {
    const bool few_left = board.cells() - board.ply() <= max_cells_left_for_solver;
    if (is_solvable(board.variant()) && (few_left || has_book(board.variant())))
        if (const auto choice = exact_choice(board, deadline.share(solver_time_share))) return *choice;
    return search(board, 0, deadline.limits());
}

Choice Chooser::play_perfect(const GameBoard& board, const Deadline& deadline) {
    assert(is_solvable(board.variant()));
    if (const auto choice = exact_choice(board, deadline)) return *choice;
    return search_view(quick_, quick_table_bytes, board, quick_search_depth, {});
}

// A best column that the solver finds; none if the deadline passes first.
std::optional<Choice> Chooser::exact_choice(const GameBoard& board, const Deadline& deadline) {
    Solver& solver = *solver_for(board.variant());
    const Board bits = bits_of(board);
    const Bounds found = solver.solve(bits, Goal::score, deadline.limits());
    if (!found.exact() || deadline.has_passed()) return std::nullopt;
    const Drops best = solver.line(bits, found.lower, Goal::score, 1, deadline.limits());
    if (best.columns.empty()) return std::nullopt;
    int column = best.columns.front();
    if (found.lower <= 0) column = hardest_to_answer(board, equally_good_columns(board, column, deadline));
    const int depth = plies_to_end(board.cells(), board.ply(), found.lower);
    return Choice{column, double(found.lower), {column}, depth, found.nodes, true};
}

// All columns that are as good as `column`, or only `column` if the deadline has passed.
std::vector<int> Chooser::equally_good_columns(const GameBoard& board, int column, const Deadline& deadline) {
    if (deadline.has_passed()) return {column};
    const auto scores = solver_for(board.variant())->score_columns(bits_of(board), Goal::score, deadline.limits());
    for (const auto& score : scores)
        if (score && !score->exact()) return {column};
    std::vector<int> as_good = centre_first(board);
    std::erase_if(as_good,
                  [&](int other) { return scores[std::size_t(other)]->lower != scores[std::size_t(column)]->lower; });
    return as_good;
}

// The column after which a quick search rates the opponent's position lowest. It is used if perfect play does not win.
int Chooser::hardest_to_answer(const GameBoard& board, const std::vector<int>& columns) {
    int hardest = columns.front();
    double worst = 2;
    for (const int column : columns) {
        if (columns.size() == 1) break;
        const GameBoard after = after_drop(board, column);
        double score = 0;
        if (!after.over()) {
            if (quick_.thinker) quick_.thinker->clear_table();
            const Choice reply = search_view(quick_, quick_table_bytes, after, 0, {nullptr, 1, quick_search_nodes});
            score = std::clamp(reply.score.value_or(0), -1.0, 1.0);
        }
        if (score < worst) worst = score, hardest = column;
    }
    return hardest;
}

}  // namespace connectk::players
