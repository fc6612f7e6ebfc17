#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "throw_or_abort.hpp"

#if defined(__linux__)
#include <sys/resource.h>

#include <fstream>
#include <string>
#elif defined(_WIN32)
#define NOMINMAX  // or min and max would be macros
#include <windows.h>
#endif

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define CONNECTK_HAS_MMAP 1
#endif

namespace connectk {

namespace {
constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;
constexpr std::size_t min_bytes = std::size_t(16) << 10;

#ifdef CONNECTK_HAS_MMAP
void* reserve(std::size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return data == MAP_FAILED ? nullptr : data;
}
#endif
}  // namespace

Memory::Memory(std::size_t bytes) : bytes_(bytes) {
#ifdef CONNECTK_HAS_MMAP
    if (bytes_ >= huge_page_bytes) {
        while (!(data_ = reserve(bytes_)) && bytes_ > min_bytes) bytes_ /= 2;
        mapped_ = data_ != nullptr;
    }
#endif
    while (!data_ && !(data_ = std::calloc(1, bytes_)) && bytes_ > min_bytes) bytes_ /= 2;
    if (!data_) throw_or_abort<std::bad_alloc>();
}

Memory::~Memory() {
#ifdef CONNECTK_HAS_MMAP
    if (mapped_) {
        munmap(data_, bytes_);
        return;
    }
#endif
    std::free(data_);
}

void Memory::prefer_huge_pages([[maybe_unused]] std::size_t first_bytes) {
#if defined(CONNECTK_HAS_MMAP) && defined(MADV_HUGEPAGE)
    if (mapped_ && first_bytes >= huge_page_bytes) madvise(data_, std::min(first_bytes, bytes_), MADV_HUGEPAGE);
#endif
}

void Memory::clear(std::size_t first_bytes) {
    first_bytes = std::min(first_bytes, bytes_);
#if defined(__linux__)
    // With many pages it is cheaper to return them to the system than to write zeroes.
    if (mapped_ && first_bytes > 4 * huge_page_bytes && madvise(data_, first_bytes, MADV_DONTNEED) == 0) return;
#endif
    std::memset(data_, 0, first_bytes);
}

namespace {

constexpr std::size_t unlimited = std::size_t(-1);

#if defined(__linux__)
// The number after `name` in a system file, or the file's first number if there is no name. "max" means unlimited.
std::size_t number_in(const std::string& path, const char* name = nullptr) {
    std::ifstream file(path);
    for (std::string word; name && file >> word;) {
        if (word == name) break;
    }
    unsigned long long number;
    return file >> number ? static_cast<std::size_t>(number) : unlimited;
}

std::size_t left_of(std::size_t limit, std::size_t used) {
    if (limit == unlimited || used == unlimited) return unlimited;
    return limit > used ? limit - used : 0;
}

// The control group of this process and each of its ancestors may have a limit.
std::size_t container_memory_left() {
    std::size_t left = left_of(number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
                               number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        if (line.rfind("0::", 0) != 0) continue;
        for (std::string group = line.substr(3); !group.empty();
             group.resize(group.size() > 1 ? group.rfind('/') : 0)) {
            const std::string folder = "/sys/fs/cgroup" + group;
            const std::size_t used = number_in(folder + "/memory.current");
            const std::size_t files = number_in(folder + "/memory.stat", "inactive_file");  // reclaimed when needed
            left = std::min(left, left_of(number_in(folder + "/memory.max"), files < used ? used - files : used));
        }
    }
    return left;
}

std::size_t process_memory_left() {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    const std::size_t used = page * number_in("/proc/self/statm");
    const auto left_of_rlimit = [used](auto kind) {
        rlimit limit{};
        if (getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
        return left_of(limit.rlim_cur, used);
    };
    return std::min(left_of_rlimit(RLIMIT_AS), left_of_rlimit(RLIMIT_DATA));
}
#endif

std::size_t free_memory() {
#if defined(__linux__)
    const std::size_t kilobytes = number_in("/proc/meminfo", "MemAvailable:");
    if (kilobytes != unlimited) return kilobytes << 10;
#elif defined(_WIN32)
    MEMORYSTATUSEX status;
    status.dwLength = sizeof(status);
    if (GlobalMemoryStatusEx(&status)) return static_cast<std::size_t>(status.ullAvailPhys);
#endif
#if defined(CONNECTK_HAS_MMAP) && defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && page_bytes > 0) return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
#endif
    return sizeof(std::size_t) > 4 ? std::size_t(4) << 30 : std::size_t(1) << 30;
}

}  // namespace

std::size_t available_memory() {
    std::size_t available = free_memory();
#if defined(__linux__)
    available = std::min({available, container_memory_left(), process_memory_left()});
#endif
    return available;
}

std::size_t default_table_limit() {
    const std::size_t max_bytes = sizeof(std::size_t) > 4 ? std::size_t(16) << 30 : std::size_t(256) << 20;
    return std::clamp(available_memory() / 4, std::size_t(64) << 20, max_bytes);
}

}  // namespace connectk
