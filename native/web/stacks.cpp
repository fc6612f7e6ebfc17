// What a helper of the page needs to be a thread: it is a worker with an instance of its own over the same memory
// (js/core/helper.js). The thread that is asked makes a stack for it, since it alone allocates.
#if defined(__wasm__) && defined(__wasm_atomics__)

#include <cstddef>
#include <cstdlib>

#include "../helpers.hpp"

extern "C" {

void __wasm_init_tls(void* block);  // the linker writes it

// The top of a new stack; above it is room for the variables of one thread.
__attribute__((export_name("connectk_stack"))) char* connectk_stack() {
    constexpr std::size_t stack = std::size_t(2) << 20, align = 64;
    const std::size_t own = (__builtin_wasm_tls_size() + align) / align * align;
    char* const block = static_cast<char*>(std::aligned_alloc(align, stack + own));
    return block ? block + stack : nullptr;
}

// Called on that stack, and does not come back.
__attribute__((export_name("connectk_help"))) void connectk_help(char* stack) {
    __wasm_init_tls(stack);
    connectk::Helpers::help();
}

// For who looks on from beside.
__attribute__((export_name("connectk_at_work"))) int connectk_at_work() { return connectk::Helpers::at_work(); }
}

#endif
