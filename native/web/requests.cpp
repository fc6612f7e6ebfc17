// The page's requests to the core. A request about a position contains the game up to it, and is refused with the broken
// rule if there is no such position.
#if defined(__wasm__)

#include <algorithm>

#include "../analysis/columns.hpp"
#include "../helpers.hpp"
#include "../referee/referee.hpp"
#include "requests.hpp"

namespace connectk::web {

players::Chooser chooser(std::size_t(1) << 25);

namespace {

std::unique_ptr<book::Book> loaded_book;

players::Deadline deadline_of(int ms) { return players::Deadline(ms / 1000.0, is_stopped, max_threads); }

// The board before the first move.
GameBoard* start_of(const GameRequest& request, Refusal& refusal) {
    static std::optional<GameBoard> board;
    refusal = GameBoard::refusal_of(request.variant);
    if (refusal.rule != Rule::none) return nullptr;
    std::vector<Disc> discs;
    for (const auto& [column, row, side] : request.discs) discs.push_back({{column, row}, side});
    refusal = board.emplace(request.variant).set_up(discs);
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

struct PositionFacts {
    int ply = 0;
    std::optional<Side> side_to_move;
    std::optional<Cell> last_drop;
    std::vector<int> legal_columns;
    std::vector<StraightLine> winning_lines;
    std::optional<Result> result;

    static constexpr auto fields() {
        return std::tuple{Field{"ply", &PositionFacts::ply},
                          Field{"side_to_move", &PositionFacts::side_to_move},
                          Field{"last_drop", &PositionFacts::last_drop},
                          Field{"legal_columns", &PositionFacts::legal_columns},
                          Field{"winning_lines", &PositionFacts::winning_lines},
                          Field{"result", &PositionFacts::result}};
    }
};

using Letters = std::vector<std::string>;  // each column from the bottom up as x and o

PositionFacts facts_of(const GameBoard& board) {
    PositionFacts facts{board.ply(),           Side(board.side_to_move()), board.last(),
                        board.legal_columns(), board.winning_lines(),      {}};
    if (!board.over()) return facts;
    facts.side_to_move.reset();
    if (board.won()) facts.result = Result{Side(1 - board.side_to_move()), EndReason::line};
    else facts.result = Result{{}, EndReason::full};
    return facts;
}

Letters letters_of(const GameBoard& board) {
    Letters letters(std::size_t(board.variant().width));
    for (const int column : board.occupied_columns())
        for (int row = 0; row < board.height_of(column); ++row)
            letters[std::size_t(column)] += "xo"[*board.disc_at({column, row})];
    return letters;
}

struct PositionWithBoard : PositionFacts {
    Letters board;

    static constexpr auto fields() {
        return std::tuple_cat(PositionFacts::fields(), std::tuple{Field{"board", &PositionWithBoard::board}});
    }
};

Answer<PositionWithBoard> answer_moment(const GameRequest& request) {
    return with_position(request,
                         [](const GameBoard& board) { return PositionWithBoard{facts_of(board), letters_of(board)}; });
}

struct Game {
    Letters board;  // before the first move
    std::vector<PositionFacts> positions;

    static constexpr auto fields() {
        return std::tuple{Field{"board", &Game::board}, Field{"positions", &Game::positions}};
    }
};

Answer<Game> answer_game(const GameRequest& request) {
    Refusal refusal;
    GameBoard* const board = start_of(request, refusal);
    if (!board) return refusal;
    Game game{letters_of(*board), {facts_of(*board)}};
    for (const int column : request.moves) {
        if (!drop_or_refuse(*board, column, int(game.positions.size()), refusal)) return refusal;
        game.positions.push_back(facts_of(*board));
    }
    return game;
}

struct Threat {
    int column = 0, row = 0;
    Side side = Side::first;
    bool now = false;  // playable now
    StraightLine line;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Threat::column}, Field{"row", &Threat::row}, Field{"side", &Threat::side},
                          Field{"now", &Threat::now}, Field{"line", &Threat::line}};
    }
};

// Every winning cell, playable ones first.
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

Answer<std::vector<Threat>> answer_threats(const GameRequest& request) { return with_position(request, threats_of); }

enum class Player { random, greedy, minimax, engine, mcts, perfect, level };
constexpr auto names_of(Player) {
    return std::array{"random", "greedy", "minimax", "engine", "mcts", "perfect", "level"};
}

struct ChooseRequest : GameRequest {
    Player player = Player::random;
    int strength = 0;  // the number of moves ahead, of games, or of a level
    std::uint64_t seed = 0;
    int ms = 0;  // 0: no limit

    static constexpr auto fields() {
        return std::tuple_cat(
            GameRequest::fields(),
            std::tuple{Field{"player", &ChooseRequest::player}, Field{"strength", &ChooseRequest::strength},
                       Field{"seed", &ChooseRequest::seed}, Field{"ms", &ChooseRequest::ms}});
    }
};

players::Choice chosen(const ChooseRequest& request, const GameBoard& board) {
    const players::Deadline deadline = deadline_of(request.ms);
    const int strength = request.strength;
    switch (request.player) {
        case Player::greedy: return chooser.play_greedy(board);
        case Player::minimax: return chooser.play_minimax(board, strength, players::Evaluation::combined, deadline);
        case Player::engine: return chooser.play_engine(board, deadline);
        case Player::mcts: return chooser.play_simulations(board, std::uint64_t(strength), request.seed, deadline);
        case Player::perfect: return chooser.play_perfect(board, deadline);
        case Player::level: return chooser.play_level(board, strength, request.seed, deadline);
        default: return chooser.play_random(board, request.seed);
    }
}

Answer<players::Choice> answer_choose(const ChooseRequest& request) {
    if (request.player == Player::perfect && !players::Chooser::is_solvable(request.variant))
        return too_large(Rule::too_large_for_perfect, request.variant);
    return with_position(request, [&](const GameBoard& board) { return chosen(request, board); });
}

struct ScoresRequest : GameRequest {
    int ms = 0;
    bool estimates = true;

    static constexpr auto fields() {
        return std::tuple_cat(GameRequest::fields(), std::tuple{Field{"ms", &ScoresRequest::ms},
                                                                Field{"estimates", &ScoresRequest::estimates}});
    }
};

Answer<analysis::ColumnScores> answer_scores(const ScoresRequest& request) {
    return with_position(request, [&](const GameBoard& board) {
        Solver* const solver = chooser.solver_for(board.variant());
        return analysis::score_columns(chooser, solver, board, deadline_of(request.ms), request.estimates);
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

struct SolveRequest : GameRequest {
    std::uint64_t nodes = 0;  // the limit on nodes; 0: no limit
    int threads = 1;

    static constexpr auto fields() {
        return std::tuple_cat(GameRequest::fields(), std::tuple{Field{"nodes", &SolveRequest::nodes},
                                                                Field{"threads", &SolveRequest::threads}});
    }
};

// Solves with an empty table, to measure how hard a position is and how many threads took part.
Answer<Solved> answer_solve(const SolveRequest& request) {
    Solver* const solver = chooser.solver_for(request.variant);
    if (!solver) return too_large(Rule::too_large_for_solver, request.variant);
    return with_position(request, [&](const GameBoard& board) {
        Helpers::reset_peak();
        solver->clear_table();
        const SearchLimits limits{nullptr, request.threads, request.nodes, 0, is_stopped};
        const Bounds found = solver->solve(players::bits_of(board), Goal::score, limits);
        return Solved{found.lower, found.upper, found.nodes, 1 + Helpers::peak_active()};
    });
}

struct File {
    Bytes bytes;

    static constexpr auto fields() { return std::tuple{Field{"bytes", &File::bytes}}; }
};

struct FileVerdict {
    int code = 0, moves = 0;
    std::optional<int> line, first_code, first_line;  // of the most serious offence, then of the first offence

    static constexpr auto fields() {
        return std::tuple{Field{"code", &FileVerdict::code}, Field{"moves", &FileVerdict::moves},
                          Field{"line", &FileVerdict::line}, Field{"first_code", &FileVerdict::first_code},
                          Field{"first_line", &FileVerdict::first_line}};
    }
};

FileVerdict answer_file(const File& file) {
    const Verdict verdict = judge({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    FileVerdict facts{int(verdict.code), int(verdict.moves), {}, {}, {}};
    if (verdict.offence) facts.line = int(verdict.offence->line);
    if (verdict.first_offence) facts.first_code = int(verdict.first_offence->code);
    if (verdict.first_offence) facts.first_line = int(verdict.first_offence->line);
    return facts;
}

Nothing read_book(const File& file) {
    chooser.use_book(nullptr);
    loaded_book = std::make_unique<book::Book>(file.bytes);
    chooser.use_book(loaded_book.get());
    return {};
}

constexpr Handler all[] = {handler<answer_game>("game"),       handler<answer_moment>("moment"),
                           handler<answer_threats>("threats"), handler<answer_choose>("choose"),
                           handler<answer_scores>("scores"),   handler<answer_solve>("solve"),
                           handler<answer_file>("judge"),      handler<read_book>("book")};
const Handlers handlers(all);

}  // namespace

Refusal too_large(Rule rule, const Variant& variant) {
    return {rule, {variant.width, variant.height, variant.run, max_solver_bits}};
}

const GameBoard* position_of(const GameRequest& request, Refusal& refusal) {
    GameBoard* const board = start_of(request, refusal);
    int number = 0;
    for (const int column : request.moves)
        if (!board || !drop_or_refuse(*board, column, ++number, refusal)) return nullptr;
    return board;
}

}  // namespace connectk::web

#endif
