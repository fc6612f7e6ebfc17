// Threads beside the one that was called, all at the same piece of work:
//
//     const auto work = [&](int helper) { ... };              // 0 is the caller itself; the others count from 1
//     {
//         const Helpers helpers(Helpers::at_hand(3), work);
//         work(0);
//     }                                                       // here all of them have come back
//
// Natively they are started and joined. A page cannot start a thread from in here: its workers sleep beside it over the
// same memory (helpers.cpp, js/core/helper.js) and join as they come. Fewer may come than were called, or none.
// Their work allocates nothing: in a page only the thread that was called may.
#pragma once

#include "board/portable.hpp"

#if defined(CONNECTK_NO_THREADS)

namespace connectk {

class Helpers {
public:
    template <class Work>
    Helpers(int, const Work&) {}
    static int at_hand(int) { return 0; }
    static bool is_one() { return false; }
};

}  // namespace connectk

#elif defined(__wasm__)

namespace connectk {

class Helpers {
public:
    template <class Work>
    Helpers(int count, const Work& work) : count_(count) {
        if (count_ > 0)
            call(count_, [](const void* what, int helper) { (*static_cast<const Work*>(what))(helper); }, &work);
    }
    ~Helpers() {
        if (count_ > 0) wait_for_all(count_);
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    static int at_hand(int wanted);           // how many sleep, at most as many as are wanted
    static bool is_one() { return is_one_; }  // whether this thread is a helper

    // For who keeps them.
    static int joined();  // the most that took part in one piece of work since `count_anew`
    static void count_anew();
    static int at_work();
    [[noreturn]] static void help();  // sleeps and helps, for good

private:
    using Work = void (*)(const void* what, int helper);
    static void call(int count, Work work, const void* what);
    static void wait_for_all(int count);
    static thread_local constinit bool is_one_;

    int count_;
};

}  // namespace connectk

#else

#include <system_error>
#include <thread>
#include <vector>

namespace connectk {

class Helpers {
public:
    template <class Work>
    Helpers(int count, const Work& work) {
        try {
            for (int helper = 1; helper <= count; ++helper)
                threads_.emplace_back([&work, helper] {
                    is_one_ = true;
                    work(helper);
                });
        } catch (const std::system_error&) {  // the system gives no more threads
        }
    }
    ~Helpers() {
        for (std::thread& thread : threads_) thread.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    static int at_hand(int wanted) { return wanted; }
    static bool is_one() { return is_one_; }

private:
    inline static thread_local bool is_one_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace connectk

#endif
