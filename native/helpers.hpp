// Threads that help the calling thread with one piece of work:
//
//     const auto work = [&](int helper) { ... };              // 0 is the caller itself; the others count from 1
//     {
//         const Helpers helpers(Helpers::available(3), work);
//         work(0);
//     }                                                       // here all of them have returned
//
// A native core starts and joins these threads. In a page the core cannot start threads: the page's workers sleep on
// the same memory (helpers.cpp, js/core/helper.js) and help when woken. Fewer helpers than wanted may join, or none.
// The work of a helper must not allocate memory: in a page only the calling thread may.
#pragma once

#include "board/portable.hpp"

#if defined(CONNECTK_NO_THREADS)

namespace connectk {

class Helpers {
public:
    template <class Work>
    Helpers(int, const Work&) {}
    static int available(int) { return 0; }
    static bool is_helper_thread() { return false; }
};

}  // namespace connectk

#elif defined(__wasm__)

namespace connectk {

class Helpers {
public:
    template <class Work>
    Helpers(int count, const Work& work) : count_(count) {
        if (count_ > 0)
            call(count_, [](const void* context, int helper) { (*static_cast<const Work*>(context))(helper); }, &work);
    }
    ~Helpers() {
        if (count_ > 0) wait_for_all(count_);
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    static int available(int wanted);  // how many helpers are asleep, at most `wanted`
    static bool is_helper_thread() { return is_helper_thread_; }

    // The functions below are for the page that owns the helpers.
    static int peak_active();  // the largest number of helpers in one piece of work since `reset_peak`
    static void reset_peak();
    static int active();
    [[noreturn]] static void run_helper_thread();  // sleeps and helps, for ever

private:
    using Work = void (*)(const void* context, int helper);
    static void call(int count, Work work, const void* context);
    static void wait_for_all(int count);
    static thread_local constinit bool is_helper_thread_;

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
                    is_helper_thread_ = true;
                    work(helper);
                });
        } catch (const std::system_error&) {  // the system allows no more threads
        }
    }
    ~Helpers() {
        for (std::thread& thread : threads_) thread.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    static int available(int wanted) { return wanted; }
    static bool is_helper_thread() { return is_helper_thread_; }

private:
    inline static thread_local bool is_helper_thread_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace connectk

#endif
