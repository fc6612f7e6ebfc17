// Divides work on many games among threads, where that is faster than one thread alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace connectk::arrays {

// A thread gets at least this much work: several times what starting and joining it costs.
inline constexpr double min_thread_nanoseconds = 500'000;

// How many parts `count` games are divided into, if one game takes `nanoseconds`.
inline std::size_t parts_for(std::size_t count, int threads, double nanoseconds) {
    const auto worthwhile = std::size_t(double(count) * nanoseconds / min_thread_nanoseconds);
    return std::clamp<std::size_t>(std::min(worthwhile, count), 1, std::size_t(std::max(threads, 1)));
}

// Calls work(part, begin, end) for each part of the range from 0 to `count`. The caller works on part 0, the others run
// in threads of their own.
template <class Work>
void run_in_parts(std::size_t count, int threads, double nanoseconds, const Work& work) {
    const std::size_t parts = parts_for(count, threads, nanoseconds);
    std::vector<std::thread> others;
    for (std::size_t part = 1; part < parts; ++part) {
        others.emplace_back(work, part, count * part / parts, count * (part + 1) / parts);
    }
    work(std::size_t(0), std::size_t(0), count / parts);
    for (std::thread& other : others) other.join();
}

}  // namespace connectk::arrays
