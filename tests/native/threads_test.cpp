// Tests code that several threads share, for the sanitizers: a pool that gets tasks while it works, is stopped and
// closed, and players with helpers. Prints the first disagreement and exits with 1.
#include <cstdio>
#include <random>
#include <vector>

#include "players/thinker.hpp"
#include "solver/solver_pool.hpp"

using namespace connectk;

namespace {

int failures = 0;

void expect(bool right, const char* what) {
    if (!right && failures++ < 4) std::printf("%s\n", what);
}

// A position after random drops, before anybody has won.
SolverPool::Task random_question(std::mt19937& random, const Variant& v, int discs) {
    std::vector<int> columns;
    Board board;
    for (int tries = 0; tries < 200 && static_cast<int>(columns.size()) < discs; ++tries) {
        columns.push_back(static_cast<int>(random() % static_cast<unsigned>(v.width)));
        if (const auto next = board_after(v, columns); next && possible(v, *next)) board = *next;
        else columns.pop_back();
    }
    return {v, board};
}

std::vector<SolverPool::Task> random_questions(std::mt19937& random, int count) {
    std::vector<SolverPool::Task> tasks;
    for (int i = 0; i < count; ++i) {
        const Variant v = random() % 3 ? Variant{7, 6, 4} : Variant{5, 4, 4};
        tasks.push_back(random_question(random, v, v.cells() - 8 - static_cast<int>(random() % 6)));
    }
    return tasks;
}

// Submits batches of all sizes and takes answers in between. Each answer is the one that a single solver gives.
void a_pool_answers_in_order(std::mt19937& random) {
    SolverPool pool(3, 1 << 16);
    std::vector<SolverPool::Task> asked;
    std::vector<Bounds> answers;
    const auto take = [&](std::size_t min_count) {
        for (const Bounds& one : pool.take(min_count, 0.01)) answers.push_back(one);
    };
    for (int round = 0; round < 60; ++round) {
        const auto tasks = random_questions(random, static_cast<int>(random() % 40));
        asked.insert(asked.end(), tasks.begin(), tasks.end());
        pool.submit(tasks);
        take(round % 3 ? 0 : 20);
    }
    while (pool.open()) take(100);
    expect(answers.size() == asked.size(), "not one answer for each question");
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Bounds alone = Solver(asked[i].variant, 1 << 16).solve(asked[i].board);
        expect(alone.exact() && answers[i].lower == alone.lower && answers[i].upper == alone.upper, "a wrong score");
        expect(answers[i].nodes == alone.nodes, "other nodes than alone");
    }
}

// Submits an endless task among quick ones. A stop answers it too, and closing waits for nothing.
void a_pool_can_be_stopped(std::mt19937& random) {
    SolverPool pool(2, 1 << 16);
    pool.submit(random_questions(random, 50));
    pool.submit({{{8, 8, 4}, {}}});
    std::size_t answers = 0;
    while (answers < 50) answers += pool.take(50, 0.01).size();
    pool.stop();
    while (pool.open()) answers += pool.take(1, 0.01).size();
    expect(answers == 51, "a stop lost an answer");
    pool.submit({{{8, 8, 4}, {}}});
    pool.close();
}

void helpers_change_no_result() {
    const Variant v{5, 4, 4};
    int results[3];
    for (int threads = 1; threads <= 3; ++threads) {
        const auto thinker = players::make_thinker(v, {}, 1 << 16);
        SearchLimits limits;
        limits.threads = threads;
        const players::Decision decision = thinker->think({}, 0, limits);
        expect(decision.proven, "not searched to the end");
        results[threads - 1] = decision.result;
    }
    expect(results[0] == results[1] && results[1] == results[2], "helpers changed the result");
}

}  // namespace

int main() {
    std::mt19937 random(1);
    a_pool_answers_in_order(random);
    a_pool_can_be_stopped(random);
    helpers_change_no_result();
    std::printf(failures ? "%d failures\n" : "threads agree\n", failures);
    return failures ? 1 : 0;
}
