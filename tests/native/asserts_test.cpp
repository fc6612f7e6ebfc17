// A small program with asserts that is built in seconds (tests/native/test_asserts.py): it runs some of all code that
// has asserts, on the smallest boards. `make sanitize` goes further. With an argument, it breaks an invariant, to show
// that asserts are on.
#include <array>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

#include "arrays/boards.hpp"
#include "players/level_play.hpp"
#include "players/minimax.hpp"
#include "players/simulation.hpp"
#include "referee/referee.hpp"
#include "solver/searcher_for.hpp"

using namespace connectk;

namespace {

int failures = 0;

void expect(bool right, const char* what) {
    if (right) return;
    std::printf("wrong: %s\n", what);
    ++failures;
}

// The score of the empty board, found by questions from the middle outwards.
template <class G>
int score_of(const Variant& variant, std::size_t table_bytes, BusyPositions* busy) {
    SearcherFor<G> searcher(variant, table_bytes);
    Watch watch;
    SearchContext context{watch};
    context.busy = busy;
    Bounds found = searcher.known_bounds({});
    while (!found.exact()) {
        const int target = (found.lower + found.upper + 1) >> 1;
        const int value = searcher.ask({}, target, context);
        (value >= target ? found.lower : found.upper) = value;
    }
    return found.lower;
}

// Tests packed and full tables, small and growing ones, used by one thread or by several.
template <class G>
void solve_small_boards() {
    BusyPositions busy;
    for (BusyPositions* others : {static_cast<BusyPositions*>(nullptr), &busy}) {
        for (const std::size_t table_bytes : {0, 16 << 10}) {
            expect(score_of<G>({5, 4, 4}, table_bytes, others) == 0, "5x4x4 is a draw");
            expect(score_of<G>({4, 5, 4}, table_bytes, others) == 0, "4x5x4 is a draw");
            expect(score_of<G>({7, 3, 4}, table_bytes, others) == 0, "7x3x4 is a draw");
            expect(score_of<G>({6, 4, 4}, table_bytes, others) == -1, "6x4x4 is lost with the last disc");
            expect(score_of<G>({5, 4, 3}, table_bytes, others) == 6, "5x4x3 is won with the ninth disc");
        }
    }
}

// What can still happen on a board: the windows with an empty cell in which only one side has discs, and which these are.
using LiveWindows = std::set<std::vector<std::array<int, 2>>>;  // (cell, 1 for a disc of `own`, 2 for the other, 0)

LiveWindows live_windows(const Variant& v, std::uint64_t own, std::uint64_t all) {
    LiveWindows found;
    constexpr int directions[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int column = 0; column < v.width; ++column)
        for (int row = 0; row < v.height; ++row)
            for (const auto& [across, up] : directions) {
                std::vector<std::array<int, 2>> window;
                std::array<int, 3> count{};
                for (int i = 0; i < v.run; ++i) {
                    const int c = column + i * across, r = row + i * up;
                    if (c >= v.width || r < 0 || r >= v.height) break;
                    const std::uint64_t cell = std::uint64_t(1) << (c * (v.height + 1) + r);
                    const int holds = !(all & cell) ? 0 : own & cell ? 1 : 2;
                    window.push_back({c * (v.height + 1) + r, holds});
                    ++count[std::size_t(holds)];
                }
                const bool whole = int(window.size()) == v.run;
                if (whole && count[0] > 0 && !(count[1] > 0 && count[2] > 0)) found.insert(window);
            }
    return found;
}

// On random boards, also full ones and ones with lines: no line that is still possible changes, and the discs stay.
void change_colours(const Variant& v) {
    const Sizes<std::uint64_t> g(v);
    const Interchange<Sizes<std::uint64_t>> interchange(g);
    std::mt19937 random(1);
    int changed = 0;
    for (int board = 0; board < 2000; ++board) {
        std::uint64_t own = 0, all = 0;
        for (int column = 0; column < v.width; ++column)
            for (int row = 0, top = int(random() % unsigned(v.height + 1)); row < top; ++row) {
                const std::uint64_t cell = std::uint64_t(1) << (column * (v.height + 1) + row);
                all |= cell;
                if (random() % 2) own |= cell;
            }
        const std::uint64_t canonical = interchange.canonical(own, all);
        expect((canonical & ~own) == 0, "discs only change to the other side");
        expect(live_windows(v, canonical, all) == live_windows(v, own, all), "no window changes");
        changed += canonical != own;
    }
    expect(changed > 100, "some discs do not matter");
}

template <class Word>
void let_players_choose(const Variant& variant) {
    using namespace players;
    const players::CONNECTK_BUILD::Geometry<Word> g(variant, {});
    const players::CONNECTK_BUILD::Board<Word> empty;
    players::CONNECTK_BUILD::Table table(1 << 14);
    SearchLimits limits;
    limits.max_nodes = 2000;
    expect(think(g, table, empty, 0, limits).column >= 0, "a thought has a column");
    for (const Level& level : levels)
        expect(players::CONNECTK_BUILD::LevelPlay<Word>(g, level, 1).choose(table, empty, limits).column >= 0,
               "a level has a column");
    Watch watch;
    expect(players::CONNECTK_BUILD::Minimax<Word>(g, Evaluation::combined, watch).run(empty, 3).complete, "minimax");
    expect(players::CONNECTK_BUILD::Simulation<Word>(g, 1).run(empty, 50, watch).simulations == 50, "simulations");
}

void play_many(const arrays::Shape& shape) {
    const auto boards = arrays::make_boards(shape, 20, true);
    std::vector<std::int64_t> columns(boards->count());
    boards->random_columns(columns.data(), 1, 1);
    expect(!boards->drop(columns.data(), columns.size(), nullptr, 1), "a first disc");
    boards->play_out(1, 1);
    std::vector<std::int8_t> outcomes(boards->count());
    boards->outcome(outcomes.data());
    for (const std::int8_t outcome : outcomes) expect(outcome != arrays::open, "a game played out");
    const auto chosen = boards->select(nullptr, 1);
    expect(chosen->set_up(0, boards->discs(1)), "what lies on one board can lie on another");
}

Code judged(std::string_view file) { return judge({file.data(), file.size()}).code; }

void judge_files() {
    expect(judged("7 6 4\n1\n2\n1\n2\n1\n2\n1\n") == Code::first_wins, "a win upright");
    expect(judged("7 6 4\n1\n8\n") == Code::illegal_column, "a column beside the board");
    expect(judged("1 1 2\n") == Code::illegal_game, "a game that cannot be won");
    expect(judged("9000000000 2 2\n1\n8000000000\n2\n") == Code::first_wins, "a win on a wide board");
}

}  // namespace

int main(int count, char**) {
    if (count > 1) return lowest_bit(std::uint64_t(0));
    solve_small_boards<Sizes<std::uint64_t>>();
    solve_small_boards<Sizes<Wide>>();
    for (const Variant& v : {Variant{8, 3, 4}, {6, 4, 4}, {7, 4, 5}, {5, 5, 3}, {9, 2, 4}}) change_colours(v);
    let_players_choose<std::uint64_t>({5, 4, 4});
    let_players_choose<Words<4>>({15, 15, 5});
    for (const arrays::Shape& shape : {arrays::Shape{5, 4, 4}, {20, 20, 4}, {1'000'000, 2, 2}}) play_many(shape);
    judge_files();
    return failures != 0;
}
