// Maps a wide board to a narrow one, so that memory depends on the number of discs instead of the width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gamefile.hpp"

namespace connectk {

/// Gives each drop a place: columns side by side get places side by side, and other columns do not.
template <class Column>
struct Placement {
    /// The place of a disc that cannot be part of a line or of a full column; the referee skips the disc.
    static constexpr Column irrelevant = static_cast<Column>(-1);

    std::span<const Column> places;  // the place of each drop: base to base + width - 1, or irrelevant
    Column base = 0;
    std::size_t width = 0;
};

template <class Column>
class ColumnCompressor {
public:
    /// The columns must outlive the placement, and `nowhere` must not be among them.
    ColumnCompressor(std::span<const Column> columns, std::uint64_t height, std::uint64_t run);

    Placement<Column> placement() const { return placement_; }

private:
    struct Drop {
        Column column, index;
    };

    void place_by_rank(std::span<const Column> columns, std::uint64_t height, std::uint64_t run);
    static std::vector<Drop> drops_with_neighbours(std::span<const Column> columns, std::uint64_t min_discs);
    static void sort(std::vector<Drop>& drops);

    std::vector<Column> places_;
    Placement<Column> placement_;
};

/// Maps the columns to small numbers; two results are adjacent exactly if the given columns are adjacent.
std::vector<std::uint64_t> compressed_columns(std::span<const WrittenNumber> columns);

}  // namespace connectk
