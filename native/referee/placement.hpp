// Makes a narrow board of a wide one: memory follows the discs, not the board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gamefile.hpp"

namespace connectk {

/// Places for drops, such that columns side by side have places side by side and others do not.
template <class Column>
struct Placement {
    /// The place of a disc that is part of no line and in no full column: it need not be played.
    static constexpr Column nowhere = static_cast<Column>(-1);

    std::span<const Column> places;  // of each drop: base to base + width - 1, or nowhere
    Column base = 0;
    std::size_t width = 0;
};

template <class Column>
class Placer {
public:
    /// The columns must outlive the placement, and `nowhere` must not be among them.
    Placer(std::span<const Column> columns, std::uint64_t height, std::uint64_t run);

    Placement<Column> placement() const { return placement_; }

private:
    struct Drop {
        Column column, index;
    };

    void place_by_rank(std::span<const Column> columns, std::uint64_t height, std::uint64_t run);
    static std::vector<Drop> crowded(std::span<const Column> columns, std::uint64_t enough);
    static void sort(std::vector<Drop>& drops);

    std::vector<Column> places_;
    Placement<Column> placement_;
};

/// Small columns that are side by side exactly where the given ones are.
std::vector<std::uint64_t> closed_up(std::span<const WrittenNumber> columns);

}  // namespace connectk
