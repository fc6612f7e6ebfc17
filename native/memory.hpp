// A stretch of zeroed memory that costs nothing until it is touched, so that a table can grow in place.
#pragma once

#include <atomic>
#include <cstddef>

#include "board/portable.hpp"

namespace connectk {

class Memory {
public:
    explicit Memory(std::size_t bytes);  // may reserve less than asked where the system refuses; see bytes()
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

    void prefer_huge_pages(std::size_t first_bytes);  // a hint, for a table of this size
    void clear(std::size_t first_bytes);              // zero again

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool mapped_ = false;
};

// What the system could still give this process: free memory, within the limits of its container and its own.
std::size_t available_memory();

// What a table may grow to by itself: a quarter of that, at least 64 MB, at most 16 GB.
std::size_t sensible_table_limit();

}  // namespace connectk

namespace connectk::inline CONNECTK_BUILD {

// Numbers in such memory that threads read and write at once, in no order that any of them may rely on.
template <class Number>
Number load_shared(Number& number) {
    return std::atomic_ref(number).load(std::memory_order_relaxed);
}
template <class Number>
void store_shared(Number& number, Number value) {
    std::atomic_ref(number).store(value, std::memory_order_relaxed);
}

}  // namespace connectk::inline CONNECTK_BUILD
