// A pool of threads that solve many positions. Each task starts with an empty table, so answers and node counts do not depend
// on scheduling. Answers come in the order of the tasks.
//
//     SolverPool pool(threads, 0);
//     pool.submit(tasks);                                            // in large batches: each call takes a lock
//     for (const Bounds& answer : pool.take(256, 0.01)) ...
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "solver.hpp"

namespace connectk {

class SolverPool {
public:
    struct Task {
        Variant variant;
        Board board;
        const book::Book* book = nullptr;  // the book must exist until the task is answered
        Goal goal = Goal::score;
    };

    SolverPool(int threads, std::size_t table_bytes);
    ~SolverPool();
    SolverPool(const SolverPool&) = delete;
    SolverPool& operator=(const SolverPool&) = delete;

    void submit(std::vector<Task> tasks);

    // Returns the next answers. Waits until there are `min_count` answers, no task is open, or the time is over.
    std::vector<Bounds> take(std::size_t min_count, double seconds);

    void stop();                  // open tasks are answered with the bounds known so far
    void close();                 // joins the threads; there are no more answers
    std::size_t open() const;     // tasks whose answers have not been taken
    std::uint64_t nodes() const;  // searched so far

private:
    // Tasks submitted together. Threads claim them one by one without a lock.
    struct Batch {
        explicit Batch(std::vector<Task> asked)
            : tasks(std::move(asked)), answers(tasks.size()), is_answered(tasks.size()) {}

        bool all_claimed() const { return claimed.load(std::memory_order_relaxed) >= tasks.size(); }

        const std::vector<Task> tasks;
        std::vector<Bounds> answers;
        std::vector<std::atomic<bool>> is_answered;
        std::atomic<std::size_t> claimed{0}, answered{0};
    };

    // One thread's solvers by variant; usually a task has the variant of the previous one.
    class SolverCache {
    public:
        explicit SolverCache(std::size_t table_bytes) : table_bytes_(table_bytes) {}
        Solver& for_board(const Variant& variant);

    private:
        std::size_t table_bytes_;
        std::map<std::tuple<int, int, int>, std::unique_ptr<Solver>> solvers_;
        Solver* last_ = nullptr;
    };

    void work(Progress& progress);
    std::shared_ptr<Batch> next_batch();
    void answer(Batch& batch, std::size_t index, SolverCache& solvers, Progress& progress);
    bool has_enough_answers(std::size_t min_count) const;

    std::size_t table_bytes_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> nodes_{0};

    mutable std::mutex mutex_;
    std::condition_variable tasks_ready_, answers_ready_;
    std::deque<std::shared_ptr<Batch>> batches_;  // the oldest batch first
    std::size_t first_open_batch_ = 0;            // all tasks of the batches before this one are claimed
    std::size_t taken_ = 0;                       // answers taken from the first batch
    std::size_t open_ = 0;
    bool closed_ = false;
    std::deque<Progress> progress_;  // the progress of each thread's current task
    std::vector<std::thread> threads_;
};

}  // namespace connectk
