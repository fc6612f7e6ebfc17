// Asks the solver, the players and the referee about every kind of board, and prints their answers and node counts. It
// needs neither exceptions nor threads, so it runs wherever the core compiles, and must print the same everywhere.
#include <cstdio>
#include <string_view>

#include "players/thinker.hpp"
#include "referee/referee.hpp"
#include "solver/searcher.hpp"

using namespace connectk;

namespace {

struct Case {
    Variant variant;
    const char* moves;
};

// Every height that has its own search, then boards of two words, then boards of the general searches.
constexpr Case cases[] = {
    {{7, 6, 4}, "343344214752647"},
    {{6, 2, 4}, ""},
    {{7, 3, 4}, ""},
    {{6, 4, 4}, ""},
    {{5, 5, 4}, ""},
    {{5, 6, 4}, "3333"},
    {{5, 7, 4}, "3333"},
    {{4, 8, 4}, "2222"},
    {{4, 9, 4}, "222233"},
    {{4, 10, 4}, "22223333"},
    {{4, 11, 4}, "32423311433422"},
    {{4, 12, 4}, "34142343443331441424"},
    {{4, 13, 4}, "113222424433433222443411"},
    {{4, 14, 4}, "414141221124342221134134231131"},
    {{4, 15, 4}, "212334131221323332221114"},
    {{8, 7, 4}, "1326384178672446167572"},
    {{10, 6, 4}, ""},
    {{9, 7, 4}, "941135999323386179523715598528444591721"},
    {{8, 8, 4}, ""},
    {{7, 9, 4}, ""},
    {{9, 9, 5}, "458251758533898693791245221672781224235833373251"},
    {{5, 4, 3}, ""},
    {{6, 5, 5}, "33"},
};

Board board_after(const Variant& v, const char* moves) {
    Board board;
    for (; *moves; ++moves) {
        const int foot = (*moves <= '9' ? *moves - '1' : *moves - 'a' + 9) * (v.height + 1);
        const Bits cell = (board.all + bit_at<Bits>(foot)) & (ones<Bits>(v.height) << foot);
        board = {board.all ^ board.own, board.all | cell};
    }
    return board;
}

void report(const Case& one) {
    const auto searcher = searchers::portable::make(one.variant, std::size_t(1) << 20, Path::automatic);
    const Board board = board_after(one.variant, one.moves);
    SearchLimits limits;
    limits.max_nodes = 100'000;
    Watch watch(limits);
    SearchContext context{watch};
    Bounds found = searcher->known_bounds(board);
    while (!found.exact()) {
        const int target = (found.lower + found.upper + 1) >> 1;
        const int value = searcher->ask(board, target, context);
        if (value == no_answer) break;
        (value >= target ? found.lower : found.upper) = value;
    }
    const auto [width, height, run] = one.variant;
    std::printf("%dx%dx%d %s: %d to %d, %llu nodes\n", width, height, run, one.moves, found.lower, found.upper,
                static_cast<unsigned long long>(watch.nodes()));
}

void print(const char* name, const std::vector<int>& columns) {
    std::printf(" %s", name);
    for (int column : columns) std::printf(" %d", column);
}

// Prints everything that a web page asks of a solver.
void report_solution(const Case& one) {
    Solver solver(one.variant);
    const Board board = board_after(one.variant, one.moves);
    const Bounds found = solver.solve(board);
    std::printf("%s: score %d, %llu nodes,", one.moves, found.lower, static_cast<unsigned long long>(found.nodes));
    print("best", solver.best_columns(board, found.lower).columns);
    print("line", solver.line(board, found.lower).columns);
    print("columns", {});
    for (const auto& column : solver.score_columns(board))
        column ? std::printf(" %d", column->lower) : std::printf(" -");
    std::printf("\n");
}

// One board for each word type of the players.
constexpr Variant players_boards[] = {{7, 6, 4},   {9, 8, 4},   {15, 15, 5}, {18, 18, 5},
                                      {22, 22, 5}, {24, 24, 5}, {31, 32, 5}};

void report_players(const Variant& variant) {
    const auto thinker = players::make_thinker(variant, {}, 1 << 20);
    const players::Discs empty;
    SearchLimits limits;
    limits.max_nodes = 3000;
    const players::Decision thought = thinker->think(empty, 0, limits);
    const players::Line line = thinker->minimax(empty, 3, "combined", {});
    const players::Decision played = thinker->play(empty, players::levels[5], 1, {});
    const players::SimulationResult simulated = thinker->simulate(empty, 20, 1, {});
    std::printf("%dx%d: %d %d %llu, %lld %llu, %d %llu, %llu\n", variant.width, variant.height, thought.column,
                thought.estimate, static_cast<unsigned long long>(thought.nodes), static_cast<long long>(line.value),
                static_cast<unsigned long long>(line.nodes), played.column,
                static_cast<unsigned long long>(played.nodes), static_cast<unsigned long long>(simulated.simulations));
}

constexpr std::string_view files[] = {
    "7 6 4\n1\n2\n1\n2\n1\n2\n1\n", "7 6 4\n1\n8\n", "7 6 4\n1\n", "1 1 2\n", "nonsense", "2 2 2\n1\n2\n1\n1\n",
};

void report_verdict(std::string_view file) {
    const Verdict verdict = judge({file.data(), file.size()});
    std::printf("code %d after %zu moves\n", static_cast<int>(verdict.code), verdict.moves);
}

}  // namespace

int main() {
    for (const Case& one : cases) report(one);
    report_solution(cases[0]);
    for (const Variant& variant : players_boards) report_players(variant);
    for (const std::string_view file : files) report_verdict(file);
    std::printf("no file: code %d\n", static_cast<int>(judge_file("there is no such file").code));
}
