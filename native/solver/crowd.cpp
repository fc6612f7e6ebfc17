#ifndef CONNECTK_NO_THREADS

#include "crowd.hpp"

#include <chrono>
#include <system_error>

namespace connectk {

Crowd::Crowd(int threads, std::size_t table_bytes) : table_bytes_(table_bytes) {
    try {
        for (int i = 0; i < threads; ++i) {
            Progress& progress = progress_.emplace_back();
            threads_.emplace_back([this, &progress] { work(progress); });
        }
    } catch (const std::system_error&) {
        if (threads_.empty()) throw;  // where the system gives fewer threads, fewer work
    }
}

Crowd::~Crowd() { close(); }

void Crowd::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    stop();
    work_to_do_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

std::uint64_t Crowd::nodes() const {
    std::uint64_t nodes = nodes_;
    for (const Progress& progress : progress_) nodes += progress.nodes;
    return nodes;
}

void Crowd::ask(const Question& question) {
    {
        const std::lock_guard lock(mutex_);
        asked_.push_back({question, {}});
    }
    work_to_do_.notify_one();
}

std::vector<Bounds> Crowd::take(std::size_t enough, double seconds) {
    std::unique_lock lock(mutex_);
    wanted_ = enough;
    answers_to_take_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return enough_to_take(enough); });
    wanted_ = 0;
    std::vector<Bounds> answers;
    answers.reserve(ready_);
    for (; ready_ > 0; --ready_, --begun_) {
        answers.push_back(asked_.front().answer);
        asked_.pop_front();
    }
    return answers;
}

void Crowd::stop() { stopped_ = true; }

std::size_t Crowd::open() const {
    const std::lock_guard lock(mutex_);
    return asked_.size();
}

void Crowd::work(Progress& progress) {
    Solvers solvers;
    std::unique_lock lock(mutex_);
    for (;;) {
        work_to_do_.wait(lock, [this] { return closed_ || begun_ < asked_.size(); });
        if (closed_) return;
        Asked& mine = asked_[begun_++];  // stays where it is: a deque moves nothing when its ends change
        lock.unlock();
        Solver& solver = solver_for(mine.question.variant, solvers);
        solver.forget();
        solver.use(mine.question.book);
        mine.answer = solver.solve(mine.question.board, mine.question.goal, Limits{&stopped_}, &progress);
        progress.nodes = 0;
        nodes_.fetch_add(mine.answer.nodes, std::memory_order_relaxed);
        lock.lock();
        mine.answered = true;
        while (ready_ < asked_.size() && asked_[ready_].answered) ++ready_;
        if (wanted_ && enough_to_take(wanted_)) answers_to_take_.notify_one();
    }
}

Solver& Crowd::solver_for(const Variant& v, Solvers& solvers) const {
    constexpr std::size_t most_kept = 16;  // each keeps some memory
    const auto key = std::tuple(v.width, v.height, v.run);
    if (!solvers.contains(key) && solvers.size() >= most_kept) solvers.clear();
    std::unique_ptr<Solver>& solver = solvers[key];
    if (!solver) solver = std::make_unique<Solver>(v, table_bytes_);
    return *solver;
}

}  // namespace connectk

#endif
