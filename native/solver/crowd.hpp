// Many questions, answered by several threads, each with a table of its own that is empty for every question: answers
// and node counts do not depend on who was asked what before. Answers come back in the order of the questions.
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

    void ask(const Question& question);

    // The answers that come next. Waits until there are `enough`, nothing is open, or so many seconds are over.
    std::vector<Bounds> take(std::size_t enough, double seconds);

    void stop();                  // what is open is answered with the bounds that are known
    void close();                 // ends the threads; there are no answers any more
    std::size_t open() const;     // questions whose answers have not been taken
    std::uint64_t nodes() const;  // of everything so far

private:
    struct Asked {
        Question question;
        Bounds answer;
        bool answered = false;
    };
    using Solvers = std::map<std::tuple<int, int, int>, std::unique_ptr<Solver>>;

    void work(Progress& progress);
    Solver& solver_for(const Variant& variant, Solvers& solvers) const;
    bool enough_to_take(std::size_t enough) const { return ready_ >= enough || ready_ == asked_.size(); }

    std::size_t table_bytes_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> nodes_{0};

    mutable std::mutex mutex_;
    std::condition_variable work_to_do_, answers_to_take_;
    std::deque<Asked> asked_;  // from the oldest that was not taken
    std::size_t begun_ = 0;    // of those, so many have been given to a thread
    std::size_t ready_ = 0;    // and so many from the front are answered
    std::size_t wanted_ = 0;   // answers that the caller waits for
    bool closed_ = false;
    std::deque<Progress> progress_;  // of each thread's question
    std::vector<std::thread> threads_;
};

}  // namespace connectk
