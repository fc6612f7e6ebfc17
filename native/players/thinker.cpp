#include "thinker.hpp"

#include <stdexcept>

#include "../throw_or_abort.hpp"

namespace connectk::players {

namespace portable {
std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes);
}
#ifdef CONNECTK_HAS_X86_64_V3
namespace x86_64_v3 {
std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes);
}
#endif

std::unique_ptr<Thinker> make_thinker(const Variant& variant, const std::vector<int>& closed, std::size_t table_bytes) {
    const auto [width, height, run] = variant;
    if (width < 1 || height < 1 || run < 1 || width > max_board_bits || height > max_board_bits ||
        width * (height + 1) > max_board_bits)
        throw_or_abort<std::invalid_argument>("a board here has 1 to 1024 bits, width * (height + 1)");
    for (const int column : closed)
        if (column < 0 || column >= width) throw_or_abort<std::invalid_argument>("there is no such column to close");
#ifdef CONNECTK_HAS_X86_64_V3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        return x86_64_v3::make_thinker(variant, closed, table_bytes);
#endif
    return portable::make_thinker(variant, closed, table_bytes);
}

}  // namespace connectk::players
