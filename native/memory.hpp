// Zeroed memory that takes no RAM until it is touched, so that a table can grow in place.
#pragma once

#include <atomic>
#include <cstddef>

#include "board/portable.hpp"

namespace connectk {

class Memory {
public:
    explicit Memory(std::size_t bytes);  // reserves less if the system has less; see bytes()
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

    void prefer_huge_pages(std::size_t first_bytes);  // a hint to the system for a table of this size
    void clear(std::size_t first_bytes);              // sets the first bytes to zero again

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool mapped_ = false;
};

// The number of free bytes, within the limits of the container and of this process.
std::size_t available_memory();

// The default limit of a table that grows: a quarter of the available memory, at least 64 MB, at most 16 GB.
std::size_t default_table_limit();

}  // namespace connectk

namespace connectk::inline CONNECTK_BUILD {

// Relaxed atomic access to numbers in memory that threads share.
template <class Number>
Number load_shared(Number& number) {
    return std::atomic_ref(number).load(std::memory_order_relaxed);
}
template <class Number>
void store_shared(Number& number, Number value) {
    std::atomic_ref(number).store(value, std::memory_order_relaxed);
}

}  // namespace connectk::inline CONNECTK_BUILD
