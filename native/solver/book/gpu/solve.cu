// Solves every position that a book of the classic board needs, on one GPU.
//
//     nvcc -std=c++20 -O3 -DNDEBUG -arch=native solve.cu -o solve && ./solve 12 scores.bin
//     python -m connectk.solver.book build --discs 12 --scores scores.bin
//
// The file has one signed byte for each position, in ascending order of keys. Rounds with a time limit try the unsolved
// positions again, so that a few hard positions never delay the rest for long.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../write.hpp"
#include "walk.cuh"

namespace connectk::book::gpu {

constexpr int threads_per_block = 128, max_depth = 32;
constexpr int max_stored_discs = 34;  // positions with more discs are searched again instead of stored
constexpr double seconds_per_round = 45;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// The frames of a thread, interleaved with its neighbours' frames in the shared memory of their multiprocessor.
struct SharedFrames {
    Frame* own_column;
    CONNECTK_EITHER Frame& operator[](int depth) { return own_column[depth * threads_per_block]; }
};

__device__ u64 nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

struct Task {
    u64 own, all;
    signed char lower, upper;
};

__global__ void __launch_bounds__(threads_per_block, 8)
    work(Table table, Task* tasks, u32 count, u32* next, u64 time_limit, u64* nodes) {
    __shared__ Frame frames[max_depth * threads_per_block];
    const u64 deadline = nanoseconds() + time_limit;
    IterativeSearch<SharedFrames> search(SharedFrames{frames + threadIdx.x});
    u64 steps = 0;
    u32 task = count;
    for (;; ++steps) {
        if (steps % 256 == 255 && nanoseconds() > deadline) break;
        if (search.done()) {
            do task = atomicAdd(next, 1u);
            while (task < count && tasks[task].lower >= tasks[task].upper);
            if (task >= count) break;
            search.begin(tasks[task].own, tasks[task].all, tasks[task].lower, tasks[task].upper);
        }
        search.step(table, max_stored_discs);
        if (search.depth == 0) {
            tasks[task].lower = static_cast<signed char>(search.lower);
            tasks[task].upper = static_cast<signed char>(search.upper);
        }
        __syncwarp(__activemask());
    }
    atomicAdd(reinterpret_cast<unsigned long long*>(nodes), static_cast<unsigned long long>(steps));
}

u64 eight_bits_a_column(Bits bits) {
    u64 spread = 0;
    for (int c = 0; c < width; ++c) spread |= (bits >> (7 * c) & 0x7f) << (8 * c);
    return spread;
}

std::vector<Task> tasks_of(int discs) {
    std::vector<Task> tasks;
    const Shape classic;
    for (Bits key : frontier(classic, discs)) {
        const Discs position = from_key(classic, key);
        const int n = position.count();
        tasks.push_back({eight_bits_a_column(position.mover), eight_bits_a_column(position.all()),
                         static_cast<signed char>(-win_with(n + 4)), static_cast<signed char>(win_with(n + 3))});
    }
    return tasks;
}

Table largest_table() {
    size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    Table table{nullptr, 32};
    while (table.bucket_bits > 31 && (size_t{32} << table.bucket_bits) > free - (size_t{2} << 30)) --table.bucket_bits;
    check(cudaMalloc(&table.words, size_t{32} << table.bucket_bits));
    check(cudaMemset(table.words, 0, size_t{32} << table.bucket_bits));
    return table;
}

void solve_all(std::vector<Task>& tasks) {
    const u32 count = static_cast<u32>(tasks.size());
    const Table table = largest_table();
    Task* on_gpu;
    u64* nodes;
    u32* next;
    check(cudaMalloc(&on_gpu, count * sizeof(Task)));
    check(cudaMalloc(&nodes, sizeof(u64)));
    check(cudaMemset(nodes, 0, sizeof(u64)));
    check(cudaMalloc(&next, sizeof(u32)));
    check(cudaMemcpy(on_gpu, tasks.data(), count * sizeof(Task), cudaMemcpyHostToDevice));
    int processors = 0;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    for (u32 open = count; open > 0;) {
        const auto start = std::chrono::steady_clock::now();
        check(cudaMemset(next, 0, sizeof(u32)));
        work<<<processors * 8, threads_per_block>>>(table, on_gpu, count, next,
                                                    static_cast<u64>(seconds_per_round * 1e9), nodes);
        check(cudaDeviceSynchronize());
        check(cudaMemcpy(tasks.data(), on_gpu, count * sizeof(Task), cudaMemcpyDeviceToHost));
        u64 searched = 0;
        check(cudaMemcpy(&searched, nodes, sizeof(u64), cudaMemcpyDeviceToHost));
        open = static_cast<u32>(
            std::count_if(tasks.begin(), tasks.end(), [](const Task& t) { return t.lower < t.upper; }));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::fprintf(stderr, "%u of %u open after %.1f s more, %.1f billion positions searched\n", open, count, seconds,
                     static_cast<double>(searched) / 1e9);
    }
}

}  // namespace connectk::book::gpu

int main(int count, char** arguments) {
    using namespace connectk::book::gpu;
    if (count != 3) {
        std::fprintf(stderr, "usage: solve DISCS SCORES_FILE\n");
        return 2;
    }
    std::vector<Task> tasks = tasks_of(std::atoi(arguments[1]));
    solve_all(tasks);
    std::FILE* file = std::fopen(arguments[2], "wb");
    if (!file) {
        std::perror(arguments[2]);
        return 1;
    }
    for (const Task& task : tasks) std::fputc(task.lower, file);
    return std::fclose(file) == 0 ? 0 : 1;
}
