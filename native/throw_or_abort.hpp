// Raises an exception, or aborts where the core is compiled without exceptions; callers there check their input first.
#pragma once

#include <cstdlib>

namespace connectk {

template <class Error, class... Facts>
[[noreturn]] void throw_or_abort([[maybe_unused]] const Facts&... facts) {
#if defined(__cpp_exceptions)
    throw Error(facts...);
#else
    std::abort();
#endif
}

}  // namespace connectk
