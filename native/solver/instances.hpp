// The kinds of searches. Sizes known when compiling make a search 1.5 times as fast, so common boards have a search of
// their own; all other boards share the general searches. Each search is compiled in one of the files of instances/.
#pragma once

#include "board/sizes.hpp"
#include "searcher.hpp"

namespace connectk::inline CONNECTK_BUILD {

using Classic = Sizes<std::uint64_t, 6, 4, 7>;
template <int Height>
using FourInARow = Sizes<std::uint64_t, Height, 4>;  // any width, up to 64 bits
template <int Height>
using WideFourInARow = Sizes<Wide, Height, 4>;
template <int Height>
using FiveInARow = Sizes<std::uint64_t, Height, 5>;
template <int Height>
using WideFiveInARow = Sizes<Wide, Height, 5>;
using OneWord = Sizes<std::uint64_t>;
using TwoWords = Sizes<Wide>;

template <class G>
std::unique_ptr<Searcher> searcher_for(const Variant& variant, std::size_t table_bytes);

}  // namespace connectk::inline CONNECTK_BUILD
