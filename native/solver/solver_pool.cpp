#include "../board/portable.hpp"

#ifndef CONNECTK_NO_THREADS

#include "solver_pool.hpp"

#include <cassert>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "../throw_or_abort.hpp"

namespace connectk {

SolverPool::SolverPool(int threads, std::size_t table_bytes) : table_bytes_(table_bytes) {
    if (threads < 1) throw_or_abort<std::invalid_argument>("a pool is at least one thread");
    try {
        for (int i = 0; i < threads; ++i) {
            Progress& progress = progress_.emplace_back();
            threads_.emplace_back([this, &progress] { work(progress); });
        }
    } catch (const std::system_error&) {
        if (threads_.empty()) throw;  // run with as many threads as the system allows
    }
}

SolverPool::~SolverPool() { close(); }

void SolverPool::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    stop();
    tasks_ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

std::uint64_t SolverPool::nodes() const {
    std::uint64_t nodes = nodes_;
    for (const Progress& progress : progress_) nodes += progress.nodes;
    return nodes;
}

void SolverPool::submit(std::vector<Task> tasks) {
    if (tasks.empty()) return;
    const bool one = tasks.size() == 1;
    auto batch = std::make_shared<Batch>(std::move(tasks));
    {
        const std::lock_guard lock(mutex_);
        open_ += batch->tasks.size();
        batches_.push_back(std::move(batch));
    }
    if (one) tasks_ready_.notify_one();
    else tasks_ready_.notify_all();
}

std::vector<Bounds> SolverPool::take(std::size_t min_count, double seconds) {
    std::unique_lock lock(mutex_);
    answers_ready_.wait_for(lock, std::chrono::duration<double>(seconds),
                            [&] { return has_enough_answers(min_count); });
    std::vector<Bounds> answers;
    while (!batches_.empty()) {
        const Batch& batch = *batches_.front();
        while (taken_ < batch.tasks.size() && batch.is_answered[taken_].load(std::memory_order_acquire)) {
            answers.push_back(batch.answers[taken_++]);
        }
        if (taken_ < batch.tasks.size()) break;
        assert(batch.all_claimed() && batch.answered == batch.tasks.size());
        batches_.pop_front();
        if (first_open_batch_ > 0) --first_open_batch_;
        taken_ = 0;
    }
    assert(open_ >= answers.size() && first_open_batch_ <= batches_.size());
    open_ -= answers.size();
    return answers;
}

// Whether `min_count` answers are ready; only finished batches count.
bool SolverPool::has_enough_answers(std::size_t min_count) const {
    std::size_t ready = 0;
    for (const auto& batch : batches_) {
        if (ready >= min_count || batch->answered.load(std::memory_order_acquire) < batch->tasks.size()) break;
        ready += batch->tasks.size();
    }
    return ready >= std::min(min_count, open_);
}

void SolverPool::stop() { stopped_ = true; }

std::size_t SolverPool::open() const {
    const std::lock_guard lock(mutex_);
    return open_;
}

void SolverPool::work(Progress& progress) {
    SolverCache solvers(table_bytes_);
    while (const auto batch = next_batch()) {
        for (;;) {
            const std::size_t index = batch->claimed.fetch_add(1, std::memory_order_relaxed);
            if (index >= batch->tasks.size()) break;
            answer(*batch, index, solvers, progress);
        }
    }
}

// Waits for a batch; null once the pool is closed.
std::shared_ptr<SolverPool::Batch> SolverPool::next_batch() {
    std::unique_lock lock(mutex_);
    tasks_ready_.wait(lock, [this] {
        while (first_open_batch_ < batches_.size() && batches_[first_open_batch_]->all_claimed()) ++first_open_batch_;
        return closed_ || first_open_batch_ < batches_.size();
    });
    return closed_ ? nullptr : batches_[first_open_batch_];
}

void SolverPool::answer(Batch& batch, std::size_t index, SolverCache& solvers, Progress& progress) {
    assert(index < batch.tasks.size() && !batch.is_answered[index]);
    const Task& task = batch.tasks[index];
    Solver& solver = solvers.for_board(task.variant);
    solver.clear_table();
    solver.use(task.book);
    const Bounds found = solver.solve(task.board, task.goal, SearchLimits{&stopped_}, &progress);
    progress.nodes = 0;
    nodes_.fetch_add(found.nodes, std::memory_order_relaxed);
    batch.answers[index] = found;
    batch.is_answered[index].store(true, std::memory_order_release);
    if (batch.answered.fetch_add(1, std::memory_order_acq_rel) + 1 < batch.tasks.size()) return;
    const std::lock_guard lock(mutex_);  // without the lock the caller might miss the notification
    answers_ready_.notify_one();
}

Solver& SolverPool::SolverCache::for_board(const Variant& v) {
    constexpr std::size_t max_cached_solvers = 16;  // a limit, as each solver holds some memory
    if (last_ && last_->variant() == v) return *last_;
    const auto key = std::tuple(v.width, v.height, v.run);
    if (!solvers_.contains(key) && solvers_.size() >= max_cached_solvers) solvers_.clear();
    std::unique_ptr<Solver>& solver = solvers_[key];
    if (!solver) solver = std::make_unique<Solver>(v, table_bytes_);
    return *(last_ = solver.get());
}

}  // namespace connectk

#endif
