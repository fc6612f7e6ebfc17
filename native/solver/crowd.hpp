// Many questions, answered by several threads, each with a table of its own that is empty for every question: answers
// and node counts do not depend on who was asked what before. Answers come back in the order of the questions.
//
//     Crowd crowd(threads, 0);
//     crowd.ask(questions);                                          // as many at once as there are: a lock for each call
//     for (const Bounds& answer : crowd.take(256, 0.01)) ...
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

class Crowd {
public:
    struct Question {
        Variant variant;
        Board board;
        const book::Book* book = nullptr;  // must outlive the answer
        Goal goal = Goal::score;
    };

    Crowd(int threads, std::size_t table_bytes);
    ~Crowd();
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    void ask(std::vector<Question> questions);

    // The answers that come next. Waits until there are `enough`, nothing is open, or so many seconds are over.
    std::vector<Bounds> take(std::size_t enough, double seconds);

    void stop();                  // what is open is answered with the bounds that are known
    void close();                 // ends the threads; there are no answers any more
    std::size_t open() const;     // questions whose answers have not been taken
    std::uint64_t nodes() const;  // of everything so far

private:
    // Questions that were asked together. Threads take them one by one, without a lock.
    struct Batch {
        explicit Batch(std::vector<Question> asked)
            : questions(std::move(asked)), answers(questions.size()), is_answered(questions.size()) {}

        bool all_begun() const { return begun.load(std::memory_order_relaxed) >= questions.size(); }

        const std::vector<Question> questions;
        std::vector<Bounds> answers;
        std::vector<std::atomic<bool>> is_answered;
        std::atomic<std::size_t> begun{0}, answered{0};
    };

    // The solvers of one thread; most often a question is about the board of the one before.
    class Solvers {
    public:
        explicit Solvers(std::size_t table_bytes) : table_bytes_(table_bytes) {}
        Solver& for_board(const Variant& variant);

    private:
        std::size_t table_bytes_;
        std::map<std::tuple<int, int, int>, std::unique_ptr<Solver>> kept_;
        Solver* last_ = nullptr;
    };

    void work(Progress& progress);
    std::shared_ptr<Batch> next_batch();
    void answer(Batch& batch, std::size_t index, Solvers& solvers, Progress& progress);
    bool enough_to_take(std::size_t enough) const;

    std::size_t table_bytes_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> nodes_{0};

    mutable std::mutex mutex_;
    std::condition_variable work_to_do_, answers_to_take_;
    std::deque<std::shared_ptr<Batch>> batches_;  // from the oldest that was not taken
    std::size_t first_to_do_ = 0;                 // all batches before this one are begun to their ends
    std::size_t taken_ = 0;                       // answers of the first batch that were taken
    std::size_t open_ = 0;
    bool closed_ = false;
    std::deque<Progress> progress_;  // of each thread's question
    std::vector<std::thread> threads_;
};

}  // namespace connectk
