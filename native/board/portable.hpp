// One name for each thing that compilers and processors call by different names.
//
// The hot code is compiled once as `portable` and, on x86-64, once more as `x86_64_v3` with that level's instructions.
// All of it lives in the inline namespace CONNECTK_BUILD, so that the two never share a function.
#pragma once

#include <cassert>
#include <cstdint>

#ifndef CONNECTK_BUILD
#define CONNECTK_BUILD portable
#endif

// Marks functions that a GPU may call too.
#ifdef __CUDACC__
#define CONNECTK_HOST_DEVICE __host__ __device__ __forceinline__ constexpr
#else
#define CONNECTK_HOST_DEVICE inline constexpr
#endif

// Marks functions that the compiler must inline; without it the search is a tenth slower.
#if defined(__GNUC__)
#define CONNECTK_INLINE [[gnu::always_inline]] inline
#elif defined(_MSC_VER)
#define CONNECTK_INLINE __forceinline
#else
#define CONNECTK_INLINE inline
#endif

// Where the system has no threads, as in a web page, the calling thread does all the work.
#if defined(__wasm__) && !defined(__wasm_atomics__) && !defined(CONNECTK_NO_THREADS)
#define CONNECTK_NO_THREADS
#endif

#if defined(__SIZEOF_INT128__) && !defined(CONNECTK_NO_INT128)
#define CONNECTK_HAS_INT128 1
#endif

#ifndef __CUDA_ARCH__
#include <bit>
#endif
#if !defined(__GNUC__) && defined(_M_X64)
#include <intrin.h>
#endif

namespace connectk::inline CONNECTK_BUILD {

CONNECTK_HOST_DEVICE int count_bits(std::uint64_t word) {
#ifdef __CUDA_ARCH__
    return __popcll(word);
#else
    return std::popcount(word);
#endif
}

CONNECTK_HOST_DEVICE int lowest_bit(std::uint64_t word) {  // the word must not be 0
    assert(word != 0);
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(word)) - 1;
#else
    return std::countr_zero(word);
#endif
}

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#elif defined(_M_X64)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

}  // namespace connectk::inline CONNECTK_BUILD
