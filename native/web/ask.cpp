// What a page asks the core. Everything that is asked about a position begins with it, and is refused with the rule that
// is broken where there is no such position.
#if defined(__wasm__)

#include <algorithm>

#include "../analysis/columns.hpp"
#include "../helpers.hpp"
#include "../referee/referee.hpp"
#include "ask.hpp"

namespace connectk::web {

players::Chooser chooser(std::size_t(1) << 25);

namespace {

std::unique_ptr<book::Book> own_book;

players::Deadline deadline_of(int ms) { return players::Deadline(ms / 1000.0, is_stopped, all_threads); }

// The board at its start.
GameBoard* start_of(const AskedGame& asked, Refusal& refusal) {
    static std::optional<GameBoard> board;
    refusal = GameBoard::refusal_of(asked.variant);
    if (refusal.rule != Rule::none) return nullptr;
    std::vector<Disc> discs;
    for (const auto& [column, row, side] : asked.discs) discs.push_back({{column, row}, side});
    refusal = board.emplace(asked.variant).set_up(discs);
    return refusal.rule == Rule::none ? &*board : nullptr;
}

bool drop_or_refuse(GameBoard& board, int column, int number, Refusal& refusal) {
    refusal = board.refusal_of(column);
    refusal.drop = number;
    if (refusal.rule != Rule::none) return false;
    board.drop(column);
    return true;
}

struct Result {
    std::optional<Side> winner;
    EndReason reason = EndReason::line;

    static constexpr auto fields() {
        return std::tuple{Field{"winner", &Result::winner}, Field{"reason", &Result::reason}};
    }
};

struct Moment {
    int ply = 0;
    std::optional<Side> side_to_move;
    std::optional<Cell> last_drop;
    std::vector<int> legal_columns;
    std::vector<StraightLine> winning_lines;
    std::optional<Result> result;

    static constexpr auto fields() {
        return std::tuple{Field{"ply", &Moment::ply},
                          Field{"side_to_move", &Moment::side_to_move},
                          Field{"last_drop", &Moment::last_drop},
                          Field{"legal_columns", &Moment::legal_columns},
                          Field{"winning_lines", &Moment::winning_lines},
                          Field{"result", &Moment::result}};
    }
};

using Letters = std::vector<std::string>;  // of each column from the bottom up: x and o

Moment moment_of(const GameBoard& board) {
    Moment moment{board.ply(),           Side(board.side_to_move()), board.last(),
                  board.legal_columns(), board.winning_lines(),      {}};
    if (!board.over()) return moment;
    moment.side_to_move.reset();
    if (board.won()) moment.result = Result{Side(1 - board.side_to_move()), EndReason::line};
    else moment.result = Result{{}, EndReason::full};
    return moment;
}

Letters letters_of(const GameBoard& board) {
    Letters letters(std::size_t(board.variant().width));
    for (const int column : board.occupied_columns())
        for (int row = 0; row < board.height_of(column); ++row)
            letters[std::size_t(column)] += "xo"[*board.disc_at({column, row})];
    return letters;
}

struct BoardMoment : Moment {
    Letters board;

    static constexpr auto fields() {
        return std::tuple_cat(Moment::fields(), std::tuple{Field{"board", &BoardMoment::board}});
    }
};

Answer<BoardMoment> answer_moment(const AskedGame& asked) {
    return about(asked, [](const GameBoard& board) { return BoardMoment{moment_of(board), letters_of(board)}; });
}

struct Game {
    Letters board;  // that it began with
    std::vector<Moment> positions;

    static constexpr auto fields() {
        return std::tuple{Field{"board", &Game::board}, Field{"positions", &Game::positions}};
    }
};

Answer<Game> answer_game(const AskedGame& asked) {
    Refusal refusal;
    GameBoard* const board = start_of(asked, refusal);
    if (!board) return refusal;
    Game game{letters_of(*board), {moment_of(*board)}};
    for (const int column : asked.moves) {
        if (!drop_or_refuse(*board, column, int(game.positions.size()), refusal)) return refusal;
        game.positions.push_back(moment_of(*board));
    }
    return game;
}

struct Threat {
    int column = 0, row = 0;
    Side side = Side::first;
    bool now = false;  // within reach
    StraightLine line;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Threat::column}, Field{"row", &Threat::row}, Field{"side", &Threat::side},
                          Field{"now", &Threat::now}, Field{"line", &Threat::line}};
    }
};

// Every cell that would win, those within reach first.
std::vector<Threat> threats_of(const GameBoard& board) {
    std::vector<Threat> threats;
    for (int turn = 0; turn < 4 && !board.over(); ++turn) {
        const int side = turn % 2;
        for (const Cell& cell : board.threats(side)) {
            const bool now = cell.second == board.height_of(cell.first);
            if (now != (turn < 2)) continue;
            const auto lines = board.lines_through(cell, side);
            const auto longer = [](const StraightLine& a, const StraightLine& b) { return a.size() < b.size(); };
            threats.push_back(
                {cell.first, cell.second, Side(side), now, *std::max_element(lines.begin(), lines.end(), longer)});
        }
    }
    return threats;
}

Answer<std::vector<Threat>> answer_threats(const AskedGame& asked) { return about(asked, threats_of); }

enum class Player { random, greedy, minimax, engine, mcts, perfect, level };
constexpr auto names_of(Player) {
    return std::array{"random", "greedy", "minimax", "engine", "mcts", "perfect", "level"};
}

struct ChooseQuestion : AskedGame {
    Player player = Player::random;
    int strength = 0;  // moves ahead, games or a level
    std::uint64_t seed = 0;
    int ms = 0;  // 0: no limit

    static constexpr auto fields() {
        return std::tuple_cat(
            AskedGame::fields(),
            std::tuple{Field{"player", &ChooseQuestion::player}, Field{"strength", &ChooseQuestion::strength},
                       Field{"seed", &ChooseQuestion::seed}, Field{"ms", &ChooseQuestion::ms}});
    }
};

players::Choice chosen(const ChooseQuestion& asked, const GameBoard& board) {
    const players::Deadline deadline = deadline_of(asked.ms);
    const int strength = asked.strength;
    switch (asked.player) {
        case Player::greedy: return chooser.play_greedy(board);
        case Player::minimax: return chooser.play_minimax(board, strength, players::Evaluation::combined, deadline);
        case Player::engine: return chooser.play_engine(board, deadline);
        case Player::mcts: return chooser.play_simulations(board, std::uint64_t(strength), asked.seed, deadline);
        case Player::perfect: return chooser.play_perfect(board, deadline);
        case Player::level: return chooser.play_level(board, strength, asked.seed, deadline);
        default: return chooser.play_random(board, asked.seed);
    }
}

Answer<players::Choice> answer_choose(const ChooseQuestion& asked) {
    if (asked.player == Player::perfect && !players::Chooser::is_solvable(asked.variant))
        return too_large(Rule::too_large_for_perfect, asked.variant);
    return about(asked, [&](const GameBoard& board) { return chosen(asked, board); });
}

struct ScoresQuestion : AskedGame {
    int ms = 0;
    bool estimates = true;

    static constexpr auto fields() {
        return std::tuple_cat(AskedGame::fields(), std::tuple{Field{"ms", &ScoresQuestion::ms},
                                                              Field{"estimates", &ScoresQuestion::estimates}});
    }
};

Answer<analysis::ColumnScores> answer_scores(const ScoresQuestion& asked) {
    return about(asked, [&](const GameBoard& board) {
        Solver* const solver = chooser.solver_for(board.variant());
        return analysis::score_columns(chooser, solver, board, deadline_of(asked.ms), asked.estimates);
    });
}

struct Solved {
    int lower = 0, upper = 0;
    std::uint64_t nodes = 0;
    int threads = 1;

    static constexpr auto fields() {
        return std::tuple{Field{"lower", &Solved::lower}, Field{"upper", &Solved::upper},
                          Field{"nodes", &Solved::nodes}, Field{"threads", &Solved::threads}};
    }
};

struct SolveQuestion : AskedGame {
    std::uint64_t nodes = 0;  // at most; 0: no limit
    int threads = 1;

    static constexpr auto fields() {
        return std::tuple_cat(AskedGame::fields(), std::tuple{Field{"nodes", &SolveQuestion::nodes},
                                                              Field{"threads", &SolveQuestion::threads}});
    }
};

// By an empty table, of a board that the solver knows: how hard a position is, and how many threads took part.
Answer<Solved> answer_solve(const SolveQuestion& asked) {
    Solver* const solver = chooser.solver_for(asked.variant);
    if (!solver) return too_large(Rule::too_large_for_solver, asked.variant);
    return about(asked, [&](const GameBoard& board) {
        Helpers::count_anew();
        solver->forget();
        const SearchLimits limits{nullptr, asked.threads, asked.nodes, 0, is_stopped};
        const Bounds found = solver->solve(players::bits_of(board), Goal::score, limits);
        return Solved{found.lower, found.upper, found.nodes, 1 + Helpers::joined()};
    });
}

struct File {
    Bytes bytes;

    static constexpr auto fields() { return std::tuple{Field{"bytes", &File::bytes}}; }
};

struct FileVerdict {
    int code = 0, moves = 0;
    std::optional<int> line, first_code, first_line;  // of the gravest offence and of the first one

    static constexpr auto fields() {
        return std::tuple{Field{"code", &FileVerdict::code}, Field{"moves", &FileVerdict::moves},
                          Field{"line", &FileVerdict::line}, Field{"first_code", &FileVerdict::first_code},
                          Field{"first_line", &FileVerdict::first_line}};
    }
};

FileVerdict answer_file(const File& file) {
    const Verdict verdict = judge({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    FileVerdict told{int(verdict.code), int(verdict.moves), {}, {}, {}};
    if (verdict.offence) told.line = int(verdict.offence->line);
    if (verdict.first_offence) told.first_code = int(verdict.first_offence->code);
    if (verdict.first_offence) told.first_line = int(verdict.first_offence->line);
    return told;
}

Nothing read_book(const File& file) {
    chooser.use_book(nullptr);
    own_book = std::make_unique<book::Book>(file.bytes);
    chooser.use_book(own_book.get());
    return {};
}

constexpr Question all[] = {question<answer_game>("game"),       question<answer_moment>("moment"),
                            question<answer_threats>("threats"), question<answer_choose>("choose"),
                            question<answer_scores>("scores"),   question<answer_solve>("solve"),
                            question<answer_file>("judge"),      question<read_book>("book")};
const Questions questions(all);

}  // namespace

Refusal too_large(Rule rule, const Variant& variant) {
    return {rule, {variant.width, variant.height, variant.run, solver_bits}};
}

const GameBoard* position_of(const AskedGame& asked, Refusal& refusal) {
    GameBoard* const board = start_of(asked, refusal);
    int number = 0;
    for (const int column : asked.moves)
        if (!board || !drop_or_refuse(*board, column, ++number, refusal)) return nullptr;
    return board;
}

}  // namespace connectk::web

#endif
