#include "helpers.hpp"

#if defined(__wasm__) && !defined(CONNECTK_NO_THREADS)

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace connectk {

thread_local constinit bool Helpers::is_helper_thread_ = false;

namespace {

using Word = std::atomic<std::int32_t>;
constexpr std::int64_t no_timeout_ns = -1, join_timeout_ns = 3'000'000'000;
constexpr int wait_timed_out = 2;  // what memory_atomic_wait32 returns

// The state of the current piece of work; there is only one at a time.
Word call_count{0};      // helpers sleep until it changes
Word helper_count{0};    // threads that have become helpers
Word free_slots{0};      // how many more helpers the current work takes
Word active_helpers{0};  // helpers that look for a slot or work
int peak_helpers = 0;
void (*current_work)(const void*, int) = nullptr;
const void* current_context = nullptr;

int* address_of(Word& word) { return reinterpret_cast<int*>(&word); }
int sleep_while(Word& word, int value, std::int64_t nanoseconds) {
    return __builtin_wasm_memory_atomic_wait32(address_of(word), value, nanoseconds);
}
void wake(Word& word, int count) { __builtin_wasm_memory_atomic_notify(address_of(word), unsigned(count)); }

// Takes a slot and returns its number, or 0 if no slot is free.
int take_slot() {
    int left = free_slots.load();
    while (left > 0 && !free_slots.compare_exchange_weak(left, left - 1)) {
    }
    return left;
}

// Helps with the current work if a slot is free. The helper counts as active before it looks for a slot, so that a
// caller who closes all slots and then waits for the active helpers misses none of them.
void help_once() {
    ++active_helpers;
    if (const int slot = take_slot(); slot > 0) current_work(current_context, slot);
    --active_helpers;
    wake(active_helpers, 1);
}

}  // namespace

int Helpers::available(int wanted) { return std::min(wanted, int(helper_count.load())); }

int Helpers::peak_active() { return peak_helpers; }
void Helpers::reset_peak() { peak_helpers = 0; }
int Helpers::active() { return active_helpers.load(); }

void Helpers::run_helper_thread() {
    is_helper_thread_ = true;
    ++helper_count;
    for (;;) {
        const int seen = call_count.load();
        help_once();
        sleep_while(call_count, seen, no_timeout_ns);
    }
}

void Helpers::call(int count, Work work, const void* context) {
    current_work = work;
    current_context = context;
    free_slots.store(count);
    ++call_count;
    wake(call_count, count);
}

// A helper that does not finish in time was terminated in the middle of its work, or hangs. It may still write to the
// work's memory, so nothing here can be trusted: this core traps, and the page starts another without helpers.
void Helpers::wait_for_all(int count) {
    peak_helpers = std::max(peak_helpers, count - free_slots.exchange(0));
    for (int left = active_helpers.load(); left != 0; left = active_helpers.load())
        if (sleep_while(active_helpers, left, join_timeout_ns) == wait_timed_out) __builtin_trap();
}

}  // namespace connectk

#endif
