#include "../board/portable.hpp"

#ifndef CONNECTK_NO_THREADS

#include "crowd.hpp"

#include <cassert>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "../refuse.hpp"

namespace connectk {

Crowd::Crowd(int threads, std::size_t table_bytes) : table_bytes_(table_bytes) {
    if (threads < 1) refuse<std::invalid_argument>("a crowd is at least one thread");
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

void Crowd::ask(std::vector<Question> questions) {
    if (questions.empty()) return;
    const bool one = questions.size() == 1;
    auto batch = std::make_shared<Batch>(std::move(questions));
    {
        const std::lock_guard lock(mutex_);
        open_ += batch->questions.size();
        batches_.push_back(std::move(batch));
    }
    if (one) work_to_do_.notify_one();
    else work_to_do_.notify_all();
}

std::vector<Bounds> Crowd::take(std::size_t enough, double seconds) {
    std::unique_lock lock(mutex_);
    answers_to_take_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return enough_to_take(enough); });
    std::vector<Bounds> answers;
    while (!batches_.empty()) {
        const Batch& batch = *batches_.front();
        while (taken_ < batch.questions.size() && batch.is_answered[taken_].load(std::memory_order_acquire)) {
            answers.push_back(batch.answers[taken_++]);
        }
        if (taken_ < batch.questions.size()) break;
        assert(batch.all_begun() && batch.answered == batch.questions.size());
        batches_.pop_front();
        if (first_to_do_ > 0) --first_to_do_;
        taken_ = 0;
    }
    assert(open_ >= answers.size() && first_to_do_ <= batches_.size());
    open_ -= answers.size();
    return answers;
}

// Whole batches are counted, and what is answered of the first that is not whole is not waited for.
bool Crowd::enough_to_take(std::size_t enough) const {
    std::size_t ready = 0;
    for (const auto& batch : batches_) {
        if (ready >= enough || batch->answered.load(std::memory_order_acquire) < batch->questions.size()) break;
        ready += batch->questions.size();
    }
    return ready >= std::min(enough, open_);
}

void Crowd::stop() { stopped_ = true; }

std::size_t Crowd::open() const {
    const std::lock_guard lock(mutex_);
    return open_;
}

void Crowd::work(Progress& progress) {
    Solvers solvers(table_bytes_);
    while (const auto batch = next_batch()) {
        for (;;) {
            const std::size_t mine = batch->begun.fetch_add(1, std::memory_order_relaxed);
            if (mine >= batch->questions.size()) break;
            answer(*batch, mine, solvers, progress);
        }
    }
}

// Waits for one; none when there will be no more.
std::shared_ptr<Crowd::Batch> Crowd::next_batch() {
    std::unique_lock lock(mutex_);
    work_to_do_.wait(lock, [this] {
        while (first_to_do_ < batches_.size() && batches_[first_to_do_]->all_begun()) ++first_to_do_;
        return closed_ || first_to_do_ < batches_.size();
    });
    return closed_ ? nullptr : batches_[first_to_do_];
}

void Crowd::answer(Batch& batch, std::size_t index, Solvers& solvers, Progress& progress) {
    assert(index < batch.questions.size() && !batch.is_answered[index]);
    const Question& question = batch.questions[index];
    Solver& solver = solvers.for_board(question.variant);
    solver.forget();
    solver.use(question.book);
    const Bounds found = solver.solve(question.board, question.goal, SearchLimits{&stopped_}, &progress);
    progress.nodes = 0;
    nodes_.fetch_add(found.nodes, std::memory_order_relaxed);
    batch.answers[index] = found;
    batch.is_answered[index].store(true, std::memory_order_release);
    if (batch.answered.fetch_add(1, std::memory_order_acq_rel) + 1 < batch.questions.size()) return;
    const std::lock_guard lock(mutex_);  // or it might fall between the caller's look and his sleep
    answers_to_take_.notify_one();
}

Solver& Crowd::Solvers::for_board(const Variant& v) {
    constexpr std::size_t most_kept = 16;  // each keeps some memory
    if (last_ && last_->variant() == v) return *last_;
    const auto key = std::tuple(v.width, v.height, v.run);
    if (!kept_.contains(key) && kept_.size() >= most_kept) kept_.clear();
    std::unique_ptr<Solver>& solver = kept_[key];
    if (!solver) solver = std::make_unique<Solver>(v, table_bytes_);
    return *(last_ = solver.get());
}

}  // namespace connectk

#endif
