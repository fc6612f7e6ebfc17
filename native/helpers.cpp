#include "helpers.hpp"

#if defined(__wasm__) && !defined(CONNECTK_NO_THREADS)

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace connectk {

thread_local constinit bool Helpers::is_one_ = false;

namespace {

using Word = std::atomic<std::int32_t>;
constexpr std::int64_t for_ever = -1, patience = 3'000'000'000;  // nanoseconds
constexpr int timed_out = 2;

// One piece of work at a time.
Word calls{0};   // how many there were: helpers sleep until it changes
Word asleep{0};  // helpers that have come at all
Word places{0};  // that are still free
Word inside{0};  // who has come for a place
int most_joined = 0;
void (*work_at_hand)(const void*, int) = nullptr;
const void* what_at_hand = nullptr;

int* address_of(Word& word) { return reinterpret_cast<int*>(&word); }
int sleep_while(Word& word, int value, std::int64_t nanoseconds) {
    return __builtin_wasm_memory_atomic_wait32(address_of(word), value, nanoseconds);
}
void wake(Word& word, int count) { __builtin_wasm_memory_atomic_notify(address_of(word), unsigned(count)); }

// The number of the place, or 0 where none is left.
int take_place() {
    int left = places.load();
    while (left > 0 && !places.compare_exchange_weak(left, left - 1)) {
    }
    return left;
}

// Counted in before it looks for a place, so that a caller who takes all places away and then waits until nobody is inside
// misses none.
void help_once() {
    ++inside;
    if (const int place = take_place(); place > 0) work_at_hand(what_at_hand, place);
    --inside;
    wake(inside, 1);
}

}  // namespace

int Helpers::at_hand(int wanted) { return std::min(wanted, int(asleep.load())); }

int Helpers::joined() { return most_joined; }
void Helpers::count_anew() { most_joined = 0; }
int Helpers::at_work() { return inside.load(); }

void Helpers::help() {
    is_one_ = true;
    ++asleep;
    for (;;) {
        const int seen = calls.load();
        help_once();
        sleep_while(calls, seen, for_ever);
    }
}

void Helpers::call(int count, Work work, const void* what) {
    work_at_hand = work;
    what_at_hand = what;
    places.store(count);
    ++calls;
    wake(calls, count);
}

// One that does not come back was ended in the middle of its work, or stands still. It may still write where the work was:
// nothing here can be trusted, so this core ends, and the page starts another without helpers.
void Helpers::wait_for_all(int count) {
    most_joined = std::max(most_joined, count - places.exchange(0));
    for (int left = inside.load(); left != 0; left = inside.load())
        if (sleep_while(inside, left, patience) == timed_out) __builtin_trap();
}

}  // namespace connectk

#endif
