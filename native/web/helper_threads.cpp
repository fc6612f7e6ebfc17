// Turns a worker of the page into a helper thread: it runs its own instance of the module over the same memory
// (js/core/helper.js). The main thread allocates its stack, since only that thread may allocate.
#if defined(__wasm__) && defined(__wasm_atomics__)

#include <cstddef>
#include <cstdlib>

#include "../helpers.hpp"

extern "C" {

void __wasm_init_tls(void* block);  // written by the linker

// The top of a new stack; the thread's local variables are stored above it.
__attribute__((export_name("connectk_stack"))) char* connectk_stack() {
    constexpr std::size_t stack = std::size_t(2) << 20, align = 64;
    const std::size_t own = (__builtin_wasm_tls_size() + align) / align * align;
    char* const block = static_cast<char*>(std::aligned_alloc(align, stack + own));
    return block ? block + stack : nullptr;
}

// Runs the helper on the stack that `connectk_stack` returned; does not return.
__attribute__((export_name("connectk_help"))) void connectk_help(char* stack) {
    __wasm_init_tls(stack);
    connectk::Helpers::run_helper_thread();
}

// How many helpers are active.
__attribute__((export_name("connectk_at_work"))) int connectk_at_work() { return connectk::Helpers::active(); }
}

#endif
