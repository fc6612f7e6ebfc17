// Refusing what cannot be done: an exception, or where the core is compiled without those, the end. Who has none asks first.
#pragma once

#include <cstdlib>

namespace connectk {

template <class Error, class... Facts>
[[noreturn]] void refuse([[maybe_unused]] const Facts&... facts) {
#if defined(__cpp_exceptions)
    throw Error(facts...);
#else
    std::abort();
#endif
}

}  // namespace connectk
