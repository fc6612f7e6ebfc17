#include "placement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace connectk {

template <class Column>
ColumnCompressor<Column>::ColumnCompressor(std::span<const Column> columns, std::uint64_t height, std::uint64_t run) {
    if (columns.empty()) return;
    Column low = columns[0], high = columns[0];
    for (const Column column : columns) low = std::min(low, column), high = std::max(high, column);
    assert(run >= 1 && height >= 1 && high != Placement<Column>::irrelevant);
    const std::uint64_t width = std::uint64_t{high} - low + 1;
    constexpr std::uint64_t affordable_columns_a_drop = 4;
    if (width / affordable_columns_a_drop <= columns.size()) {
        placement_ = {columns, low, static_cast<std::size_t>(width)};
    } else {
        place_by_rank(columns, height, run);
    }
}

// Used columns side by side form an island; islands are placed one empty column apart. Islands are left out if they are
// too narrow for a line and no column can hold a line or be overfull. On a wide board with few discs that is nearly
// all.
template <class Column>
void ColumnCompressor<Column>::place_by_rank(std::span<const Column> columns, std::uint64_t height, std::uint64_t run) {
    places_.assign(columns.size(), Placement<Column>::irrelevant);
    const std::uint64_t harmless = std::min(run - 1, height);  // this many discs in a column make no line and have room
    std::vector<Drop> drops = drops_with_neighbours(columns, harmless + 1);
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

// The drops with enough other drops near them to matter, found without sorting. Drops are counted by blocks of columns,
// and some distant blocks share a counter, so the result may contain a few drops too many.
template <class Column>
auto ColumnCompressor<Column>::drops_with_neighbours(std::span<const Column> columns, std::uint64_t min_discs)
    -> std::vector<Drop> {
    constexpr unsigned block_bits = 6;
    const std::uint64_t min_neighbours = std::min<std::uint64_t>(min_discs, 1 << block_bits);
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
        if (near >= min_neighbours) drops.push_back({columns[i], static_cast<Column>(i)});
    }
    return drops;
}

// Sorts the drops by column, and within a column by the order of play. A radix sort takes one byte of the column at a
// time.
template <class Column>
void ColumnCompressor<Column>::sort(std::vector<Drop>& drops) {
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

template class ColumnCompressor<std::uint32_t>;
template class ColumnCompressor<std::uint64_t>;

std::vector<std::uint64_t> compressed_columns(std::span<const WrittenNumber> columns) {
    std::vector<std::size_t> order(columns.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return columns[a] < columns[b]; });
    std::vector<std::uint64_t> small(columns.size());
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const WrittenNumber& column = columns[order[i]];
        const bool same = i > 0 && column == columns[order[i - 1]];
        const bool beside = i > 0 && is_successor(columns[order[i - 1]], column);
        last += same ? 0 : beside ? 1 : 2;
        small[order[i]] = last;
    }
    return small;
}

}  // namespace connectk
