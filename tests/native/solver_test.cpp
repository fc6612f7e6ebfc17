// Compares the solver with plain minimax: whole small boards, random positions of random variants, every path and table
// size. Prints the first disagreement and exits with 1. `solver_test [seed] [rounds]`
#include "../../native/solver/solver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace connectk;

namespace {

int failures = 0;

// The rules as plainly as possible, on a grid of '.', 'x' (first) and 'o' (second).
struct Plain {
    Variant v;
    std::string grid;
    int discs = 0;
    std::map<std::string, int>* memo = nullptr;

    explicit Plain(const Variant& variant) : v(variant), grid(std::string(variant.cells(), '.')) {}

    char at(int column, int row) const {
        const bool inside = column >= 0 && column < v.width && row >= 0 && row < v.height;
        return inside ? grid[column * v.height + row] : ' ';
    }
    int room(int column) const {
        for (int row = 0; row < v.height; ++row) {
            if (at(column, row) == '.') return row;
        }
        return -1;
    }
    bool wins_at(int column, int row, char side) const {
        const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        for (const auto& way : ways) {
            int length = 1;
            for (int sign : {1, -1}) {
                for (int i = 1; at(column + sign * i * way[0], row + sign * i * way[1]) == side; ++i) ++length;
            }
            if (length >= v.run) return true;
        }
        return false;
    }
    char side() const { return discs % 2 == 0 ? 'x' : 'o'; }
    bool drop(int column) {  // returns whether the drop wins
        const int row = room(column);
        const char who = side();
        grid[column * v.height + row] = who;
        ++discs;
        return wins_at(column, row, who);
    }
    int score() const {
        if (discs == v.cells()) return 0;
        if (const auto known = memo->find(grid); known != memo->end()) return known->second;
        int best = -1000;
        for (int column = 0; column < v.width; ++column) {
            if (room(column) < 0) continue;
            Plain next = *this;
            const int value = next.drop(column) ? (v.cells() + 2 - next.discs) / 2 : -next.score();
            best = value > best ? value : best;
        }
        return (*memo)[grid] = best;
    }
    Board board() const {
        Board b;
        for (int column = 0; column < v.width; ++column) {
            for (int row = 0; row < v.height; ++row) {
                const Bits bit = Bits(1) << (column * (v.height + 1) + row);
                if (at(column, row) != '.') b.all |= bit;
                if (at(column, row) == side()) b.own |= bit;
            }
        }
        return b;
    }
    void draw() const {
        for (int row = v.height; row-- > 0;) {
            for (int column = 0; column < v.width; ++column) std::printf(" %c", at(column, row));
            std::printf("\n");
        }
    }
};

void expect(const Plain& position, const char* what, int want, const Bounds& got) {
    if (got.lower == want && got.upper == want) return;
    if (failures++ > 3) return;
    std::printf("%dx%dx%d %s: want %d, got %d..%d\n", position.v.width, position.v.height, position.v.run, what, want,
                got.lower, got.upper);
    position.draw();
}

int sign(int score) { return (score > 0) - (score < 0); }

void compare(const Plain& position, Solver& solver, const char* what) {
    const int score = position.score();
    const Board board = position.board();
    expect(position, what, score, solver.solve(board));
    expect(position, "result", sign(score), solver.solve(board, Goal::result));
}

void compare_on_all_paths(const Plain& position) {
    struct Case {
        const char* what;
        std::size_t bytes;
        Path path;
    };
    const Case cases[] = {{"automatic", 0, Path::automatic},
                          {"tiny table", std::size_t(16) << 10, Path::automatic},
                          {"wide word", 0, Path::wide_word},
                          {"wide word, tiny table", std::size_t(16) << 10, Path::wide_word}};
    for (const Case& one : cases) {
        Solver solver(position.v, one.bytes, one.path);
        compare(position, solver, one.what);
    }
    if (position.v.width * (position.v.height + 1) <= 64) {
        Solver solver(position.v, 0, Path::one_word);
        compare(position, solver, "one word");
        SearchLimits two;
        two.threads = 2;
        expect(position, "two threads", position.score(), solver.solve(position.board(), Goal::score, two));
    }
}

// Compares every reachable position, with one table for all of them.
void compare_whole_board(const Plain& position, Solver& solver, std::map<std::string, bool>& seen) {
    if (!seen.emplace(position.grid, true).second) return;
    compare(position, solver, "whole board");
    for (int column = 0; column < position.v.width; ++column) {
        if (position.room(column) < 0) continue;
        Plain next = position;
        if (!next.drop(column)) compare_whole_board(next, solver, seen);
    }
}

void whole_small_boards() {
    for (int width = 1; width <= 5; ++width) {
        for (int height = 1; height <= 5; ++height) {
            if (width * height > 12) continue;
            for (int run = 1; run <= 6; ++run) {
                std::map<std::string, int> memo;
                Plain start(Variant{width, height, run});
                start.memo = &memo;
                compare_on_all_paths(start);
                for (Path path : {Path::automatic, Path::wide_word}) {
                    Solver solver(start.v, 0, path);
                    std::map<std::string, bool> seen;
                    compare_whole_board(start, solver, seen);
                }
            }
        }
    }
}

// A position with at most `empty` cells left, or a slightly earlier one if the game would end.
Plain random_position(std::mt19937& random, const Variant& v, int empty) {
    for (;;) {
        Plain position(v);
        bool over = false;
        while (!over && position.discs < v.cells() - empty) {
            const int column = static_cast<int>(random() % v.width);
            if (position.room(column) >= 0) over = position.drop(column);
        }
        if (!over) return position;
    }
}

void random_positions(unsigned seed, int rounds) {
    std::mt19937 random(seed);
    for (int i = 0; i < rounds; ++i) {
        Variant v{1 + static_cast<int>(random() % 10), 1 + static_cast<int>(random() % 8),
                  3 + static_cast<int>(random() % 3)};
        if (i % 4 == 0) v = Variant{7, 6, 4};
        if (!supported(v) || (v.run == 3 && v.cells() > 16)) continue;
        const int empty = v.cells() < 12 ? v.cells() : 6 + static_cast<int>(random() % 10);
        if (empty > v.cells()) continue;
        Plain position = random_position(random, v, empty);
        std::map<std::string, int> memo;
        position.memo = &memo;
        compare_on_all_paths(position);
    }
}

// Does the same with drops that do not win, if there are any, because random games on large boards rarely come so far.
Plain quiet_position(std::mt19937& random, const Variant& v, int empty) {
    for (;;) {
        Plain position(v);
        for (int tries = 0; tries < 100 && position.discs < v.cells() - empty; ++tries) {
            Plain next = position;
            const int column = static_cast<int>(random() % v.width);
            if (position.room(column) < 0 || next.drop(column)) continue;
            position = next;
            tries = 0;
        }
        if (position.discs == v.cells() - empty) return position;
    }
}

// Compares late positions of every board that has its own search; see native/solver/instances.hpp.
void own_searches(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Variant> variants = {{7, 6, 4}, {10, 6, 4}, {9, 7, 4}, {8, 8, 4}, {7, 9, 4}};
    for (int height = 2; height <= 15; ++height) {
        const int widest = 64 / (height + 1);
        variants.push_back({4, height, 4});
        if (widest > 4) variants.push_back({5, height, 4});
        if (widest > 5) variants.push_back({widest, height, 4});  // the longest keys
    }
    for (const Variant& v : variants) {
        for (int round = 0; round < 3; ++round) {
            Plain position = quiet_position(random, v, std::min(v.cells(), 9));
            std::map<std::string, int> memo;
            position.memo = &memo;
            compare_on_all_paths(position);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 300;
    whole_small_boards();
    random_positions(seed, rounds);
    own_searches(seed);
    std::printf(failures ? "%d failures\n" : "the solver agrees with plain minimax\n", failures);
    return failures ? 1 : 0;
}
