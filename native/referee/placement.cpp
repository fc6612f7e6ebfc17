#include "placement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace connectk {

template <class Column>
Placer<Column>::Placer(std::span<const Column> columns, std::uint64_t height, std::uint64_t run) {
    if (columns.empty()) return;
    Column low = columns[0], high = columns[0];
    for (const Column column : columns) low = std::min(low, column), high = std::max(high, column);
    assert(run >= 1 && height >= 1 && high != Placement<Column>::nowhere);
    const std::uint64_t width = std::uint64_t{high} - low + 1;
    constexpr std::uint64_t affordable_columns_a_drop = 4;
    if (width / affordable_columns_a_drop <= columns.size()) {
        placement_ = {columns, low, static_cast<std::size_t>(width)};
    } else {
        place_by_rank(columns, height, run);
    }
}

// Columns side by side form an island, and islands are put one empty column apart. Left out are islands too narrow for
// a line, where no column holds a line or is overfull: on a wide board with its discs far apart that is nearly all.
template <class Column>
void Placer<Column>::place_by_rank(std::span<const Column> columns, std::uint64_t height, std::uint64_t run) {
    places_.assign(columns.size(), Placement<Column>::nowhere);
    const std::uint64_t harmless = std::min(run - 1, height);  // so many discs in a column are no line and find room
    std::vector<Drop> drops = crowded(columns, harmless + 1);
    sort(drops);
    Column next = 0;
    for (std::size_t begin = 0, end = 0; begin < drops.size(); begin = end) {
        bool tall = false;
        for (end = begin + 1; end < drops.size() && drops[end].column - drops[end - 1].column <= 1; ++end)
            tall |= end - begin >= harmless && drops[end].column == drops[end - harmless].column;
        const Column first = drops[begin].column, last = drops[end - 1].column;
        assert(end > begin && last >= first);
        const Column width = last - first + 1;
        if (width < run && !tall) continue;
        for (std::size_t i = begin; i < end; ++i) places_[drops[i].index] = next + (drops[i].column - first);
        next += width + 1;
    }
    placement_ = {places_, 0, static_cast<std::size_t>(next)};
}

// The drops that have enough others near them to matter, found without sorting: columns are counted by the block, some
// blocks far apart share a counter, and what matters lies in two neighbouring blocks.
template <class Column>
auto Placer<Column>::crowded(std::span<const Column> columns, std::uint64_t enough) -> std::vector<Drop> {
    constexpr unsigned block_bits = 6;
    const std::uint64_t crowd = std::min<std::uint64_t>(enough, 1 << block_bits);
    const std::size_t counters = std::bit_ceil(4 * columns.size());
    std::vector<std::uint8_t> discs(counters);
    const auto counter = [&](Column column) { return static_cast<std::size_t>(column >> block_bits) & (counters - 1); };
    for (const Column column : columns) {
        std::uint8_t& count = discs[counter(column)];
        count += count < 255;
    }
    std::vector<Drop> drops;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t here = counter(columns[i]);
        const unsigned near = discs[here] + discs[(here - 1) & (counters - 1)] + discs[(here + 1) & (counters - 1)];
        if (near >= crowd) drops.push_back({columns[i], static_cast<Column>(i)});
    }
    return drops;
}

// By column, and in a column in the order of play: a radix sort, one byte of the column at a time.
template <class Column>
void Placer<Column>::sort(std::vector<Drop>& drops) {
    std::vector<Drop> other(drops.size());
    Column ones = 0;
    for (const Drop& drop : drops) ones |= drop.column;
    for (unsigned shift = 0; shift < 8 * sizeof(Column) && ones >> shift != 0; shift += 8) {
        std::array<std::size_t, 257> begin{};
        for (const Drop& drop : drops) ++begin[(drop.column >> shift & 255) + 1];
        for (std::size_t byte = 1; byte < begin.size(); ++byte) begin[byte] += begin[byte - 1];
        for (const Drop& drop : drops) other[begin[drop.column >> shift & 255]++] = drop;
        drops.swap(other);
    }
}

template class Placer<std::uint32_t>;
template class Placer<std::uint64_t>;

std::vector<std::uint64_t> closed_up(std::span<const WrittenNumber> columns) {
    std::vector<std::size_t> order(columns.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return columns[a] < columns[b]; });
    std::vector<std::uint64_t> small(columns.size());
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const WrittenNumber& column = columns[order[i]];
        const bool same = i > 0 && column == columns[order[i - 1]];
        const bool beside = i > 0 && follows(columns[order[i - 1]], column);
        last += same ? 0 : beside ? 1 : 2;
        small[order[i]] = last;
    }
    return small;
}

}  // namespace connectk
