#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define CONNECTK_HAS_MMAP 1
#endif

namespace connectk {

namespace {
constexpr std::size_t huge_page = std::size_t(2) << 20;
constexpr std::size_t smallest = std::size_t(16) << 10;

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
    if (bytes_ >= huge_page) {
        while (!(data_ = reserve(bytes_)) && bytes_ > smallest) bytes_ /= 2;
        mapped_ = data_ != nullptr;
    }
#endif
    while (!data_ && !(data_ = std::calloc(1, bytes_)) && bytes_ > smallest) bytes_ /= 2;
    if (!data_) throw std::bad_alloc();
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
    if (mapped_ && first_bytes >= huge_page) madvise(data_, std::min(first_bytes, bytes_), MADV_HUGEPAGE);
#endif
}

void Memory::clear(std::size_t first_bytes) {
    first_bytes = std::min(first_bytes, bytes_);
#if defined(__linux__)
    // Handing the pages back is cheaper than writing zeroes once there are many of them.
    if (mapped_ && first_bytes > 4 * huge_page && madvise(data_, first_bytes, MADV_DONTNEED) == 0) return;
#endif
    std::memset(data_, 0, first_bytes);
}

std::size_t sensible_table_limit() {
    std::size_t machine = std::size_t(4) << 30;
#if defined(CONNECTK_HAS_MMAP) && defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && page_bytes > 0) machine = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
#endif
    return std::clamp(machine / 4, std::size_t(64) << 20, std::size_t(16) << 30);
}

}  // namespace connectk
