// The core for a web page: numbers in, numbers out, as numbers.hpp has it.
//
// A position is: width, height, run; how many discs are set up, and column, row, side of each; how many drops, and
// their columns. Every answer about a position begins with 0, or with the rule that is broken: its number, three
// facts and the number of the drop, 0 where the set-up board is at fault.
#if defined(__wasm__)

#include <algorithm>

#include "../board/scores.hpp"
#include "../helpers.hpp"
#include "../referee/referee.hpp"
#include "mind.hpp"
#include "numbers.hpp"

namespace connectk::web {
namespace {

enum Kind {
    game = 1,
    moment,
    threats,
    forks,
    choose,
    scores,
    line,
    judge_file,
    book_file,
    solve,
    forget,
    lines,
    result
};
enum Player { random_player, greedy, minimax, engine, simulations, perfect, level };
constexpr int column_full = 7, already_over = 8, small_variant = 9, long_run = 10;  // after those of `Wrong`

using web::put;

Mind mind;

Until read_until(Reader& in) {  // milliseconds
    const double seconds = in.next() / 1000.0;
    return Until(seconds, is_stopped);
}

void put(const Cell& cell) { put(cell.first), put(cell.second); }
void put(const StraightLine& line) {
    put(int(line.size()));
    for (const Cell& cell : line) put(cell);
}
void put_exactly(double number) {
    std::int32_t halves[2];
    std::memcpy(halves, &number, sizeof number);
    put(halves[0]), put(halves[1]);
}
void put(const std::optional<double>& number) {
    put(number.has_value());
    put_exactly(number.value_or(0));
}

void refuse_with(int wrong, int one = 0, int two = 0, int three = 0, int drop = 0) {
    answer = {wrong, one, two, three, drop};
}

void put_moment(const Witness& board) {
    put(board.ply());
    put(board.over() ? -1 : board.side_to_move());
    put(!board.over() ? -1 : board.won() ? (board.ply() - 1) & 1 : 2);
    put(board.last().value_or(Cell{-1, -1}));
    put(board.legal_columns());
    const auto lines = board.winning_lines();
    put(int(lines.size()));
    for (const StraightLine& line : lines) put(line);
}

void put_discs(const Witness& board) {
    for (int column = 0; column < board.variant().width; ++column) {
        put(board.height_of(column));
        for (int row = 0; row < board.height_of(column); ++row) put(*board.disc_at({column, row}));
    }
}

// The board at its start; nothing, and an answer that says why, where there is none.
std::optional<Witness> read_start(Reader& in) {
    const Variant variant{in.next(), in.next(), in.next()};
    const auto [width, height, run] = variant;
    std::vector<Disc> discs(static_cast<std::size_t>(in.next()));
    for (Disc& disc : discs) {
        disc.cell.first = in.next();
        disc.cell.second = in.next();
        disc.side = in.next();
    }
    if (width < 1 || height < 1 || run < 1) return refuse_with(small_variant, width, height, run), std::nullopt;
    if (run > width && run > height) return refuse_with(long_run, width, height, run), std::nullopt;
    Witness board(variant);
    const Refusal refusal = board.set_up(discs);
    if (refusal.wrong == Wrong::none) return board;
    refuse_with(int(refusal.wrong), refusal.facts[0], refusal.facts[1], refusal.facts[2]);
    return std::nullopt;
}

bool drop_or_refuse(Witness& board, int column, int number) {
    if (board.can_drop(column)) return board.drop(column), true;
    if (column < 0 || column >= board.variant().width)
        refuse_with(int(Wrong::out_of_range), column, board.variant().width, 0, number);
    else if (board.over()) refuse_with(already_over, board.won() ? (board.ply() - 1) & 1 : -1, 0, 0, number);
    else refuse_with(column_full, column, 0, 0, number);
    return false;
}

std::optional<Witness> read_position(Reader& in) {
    auto board = read_start(in);
    if (!board) return std::nullopt;
    const int drops = in.next();
    for (int number = 1; number <= drops; ++number)
        if (!drop_or_refuse(*board, in.next(), number)) return std::nullopt;
    answer = {0};
    return board;
}

// Every moment of a game, after the discs that it began with.
void answer_game(Reader& in) {
    auto board = read_start(in);
    if (!board) return;
    const int drops = in.next();
    answer = {0};
    put_discs(*board);
    put(drops + 1);
    put_moment(*board);
    for (int number = 1; number <= drops; ++number) {
        if (!drop_or_refuse(*board, in.next(), number)) return;
        put_moment(*board);
    }
}

void answer_threats(const Witness& board) {
    const std::size_t count_at = answer.size();
    put(0);
    for (int side = 0; side < 2 && !board.over(); ++side) {
        for (const Cell& cell : board.threats(side)) {
            const auto lines = board.lines_through(cell, side);
            const auto longer = [](const StraightLine& a, const StraightLine& b) { return a.size() < b.size(); };
            put(side), put(cell), put(cell.second == board.height_of(cell.first));
            put(*std::max_element(lines.begin(), lines.end(), longer));
            ++answer[count_at];
        }
    }
}

// Where the drops of each side would win, which drops of the side to move leave two ways to win, and in which order a
// player looks at the columns.
void answer_forks(const Witness& board) {
    for (int side = 0; side < 2; ++side) put(board.over() ? std::vector<int>{} : board.winning_columns(side));
    std::vector<int> columns;
    for (const int column : board.legal_columns())
        if (board.makes_fork(column)) columns.push_back(column);
    put(columns);
    put(centre_first(board));
}

Choice chosen(Reader& in, const Witness& board) {
    const int player = in.next(), strength = in.next();
    const std::uint64_t seed = in.next_long();
    const Until until = read_until(in);
    switch (player) {
        case greedy: return mind.play_greedy(board);
        case minimax: return mind.play_minimax(board, strength, until);
        case engine: return mind.play_engine(board, until);
        case simulations: return mind.play_simulations(board, std::uint64_t(strength), seed, until);
        case perfect: return mind.play_perfect(board, until);
        case level: return mind.play_level(board, strength, seed, until);
        default: return mind.play_random(board, seed);
    }
}

void put(const Choice& choice) {
    put(choice.column);
    put(choice.score);
    put(choice.line);
    put(choice.depth);
    put_exactly(double(choice.nodes));
    put(choice.proven);
}

void put(const ColumnScores& found, const Witness& board) {
    put(found.exact);
    put(int(found.bounds.size()));
    for (const auto& bounds : found.bounds) {
        const Bounds sent = bounds.value_or(Bounds{});  // the page reads no further where it is told that no disc fits
        put(bounds ? 1 : 0), put(sent.lower), put(sent.upper);
        put(discs_to_win(board.variant().cells(), board.ply(), sent.lower));
    }
    put(int(found.estimates.size()));
    for (const auto& estimate : found.estimates) put(estimate);
}

void put(const std::optional<Offence>& offence) {
    put(offence ? int(offence->code) : -1);
    put(offence ? int(offence->line) : 0);
}

void answer_file(Reader& in) {
    const std::vector<std::uint8_t> file = in.bytes();
    const Verdict verdict = judge({reinterpret_cast<const char*>(file.data()), file.size()});
    put(int(verdict.code));
    put(int(verdict.moves));
    put(verdict.offence);
    put(verdict.first_offence);
}

void answer_lines(const Variant& variant) {
    const auto lines = every_line(variant);
    put(int(lines.size()));
    for (const StraightLine& line : lines) put(line);
}

void answer_about(int kind, Reader& in) {
    const auto board = read_position(in);
    if (!board) return;
    switch (kind) {
        case moment: return put_discs(*board), put_moment(*board);
        case threats: return answer_threats(*board);
        case forks: return answer_forks(*board);
        case choose: return put(chosen(in, *board));
        case scores: {
            const Until until = read_until(in);
            return put(mind.score_columns(*board, until, in.next() != 0), *board);
        }
        case line: return put(mind.best_line(*board, read_until(in)));
        case lines: return answer_lines(board->variant());
        case result: {
            const Bounds found = mind.result(*board, read_until(in));
            return put(found.lower), put(found.upper);
        }
        case solve: {
            SearchLimits limits;
            limits.max_nodes = in.next_long();
            limits.threads = in.next();
            limits.stopped = is_stopped;
            Helpers::count_anew();
            const Bounds found = mind.solve(*board, limits);
            put(found.lower), put(found.upper), put_exactly(double(found.nodes));
            return put(1 + Helpers::joined());
        }
    }
}

}  // namespace

extern "C" {

__attribute__((export_name("connectk_ask"))) int connectk_ask(int kind) {
    Reader in;
    answer.clear();
    switch (kind) {
        case game: answer_game(in); break;
        case judge_file: answer_file(in); break;
        case book_file: mind.read_book(in.bytes()); break;
        case forget: mind.forget(); break;
        default: answer_about(kind, in);
    }
    return int(answer.size());
}

__attribute__((export_name("connectk_discs_to_win"))) int connectk_discs_to_win(int cells, int ply, int score) {
    return discs_to_win(cells, ply, score);
}

__attribute__((export_name("connectk_win_score"))) int connectk_win_score(int cells, int last_disc) {
    return win_with_disc(cells, last_disc);
}
}

}  // namespace connectk::web

#endif
