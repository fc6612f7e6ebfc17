// Chooses the search for a board. This file is compiled for each kind of processor, like the searches.
#include "searcher.hpp"

#include "instances.hpp"

namespace connectk::inline CONNECTK_BUILD {

namespace {

using Make = std::unique_ptr<Searcher> (*)(const Variant&, std::size_t);

Make four_in_a_row(int height) {
    switch (height) {
        case 2: return searcher_for<FourInARow<2>>;
        case 3: return searcher_for<FourInARow<3>>;
        case 4: return searcher_for<FourInARow<4>>;
        case 5: return searcher_for<FourInARow<5>>;
        case 6: return searcher_for<FourInARow<6>>;
        case 7: return searcher_for<FourInARow<7>>;
        case 8: return searcher_for<FourInARow<8>>;
        case 9: return searcher_for<FourInARow<9>>;
        case 10: return searcher_for<FourInARow<10>>;
        case 11: return searcher_for<FourInARow<11>>;
        case 12: return searcher_for<FourInARow<12>>;
        case 13: return searcher_for<FourInARow<13>>;
        case 14: return searcher_for<FourInARow<14>>;
        case 15: return searcher_for<FourInARow<15>>;
        default: return searcher_for<OneWord>;
    }
}

Make wide_four_in_a_row(int height) {
    switch (height) {
        case 6: return searcher_for<WideFourInARow<6>>;
        case 7: return searcher_for<WideFourInARow<7>>;
        case 8: return searcher_for<WideFourInARow<8>>;
        case 9: return searcher_for<WideFourInARow<9>>;
        default: return searcher_for<TwoWords>;
    }
}

// The page has only the general search for runs of five, so that it loads sooner.
Make five_in_a_row([[maybe_unused]] int height) {
#ifndef __wasm__
    switch (height) {
        case 5: return searcher_for<FiveInARow<5>>;
        case 6: return searcher_for<FiveInARow<6>>;
        case 7: return searcher_for<FiveInARow<7>>;
        case 8: return searcher_for<FiveInARow<8>>;
    }
#endif
    return searcher_for<OneWord>;
}

Make wide_five_in_a_row([[maybe_unused]] int height) {
#ifndef __wasm__
    switch (height) {
        case 6: return searcher_for<WideFiveInARow<6>>;
        case 7: return searcher_for<WideFiveInARow<7>>;
        case 8: return searcher_for<WideFiveInARow<8>>;
        case 9: return searcher_for<WideFiveInARow<9>>;
    }
#endif
    return searcher_for<TwoWords>;
}

// The fastest search for a board. A height known when compiling requires a board at least as wide as the run, see
// Sizes.
Make fastest(const Variant& v, Path path) {
    const bool one_word = v.width * (v.height + 1) <= 64 && path != Path::wide_word;
    const bool has_own = (v.run == 4 || v.run == 5) && v.width >= v.run && path == Path::automatic;
    if (!has_own) return one_word ? searcher_for<OneWord> : searcher_for<TwoWords>;
    if (v.run == 5) return one_word ? five_in_a_row(v.height) : wide_five_in_a_row(v.height);
    if (v == Variant{7, 6, 4}) return searcher_for<Classic>;
    return one_word ? four_in_a_row(v.height) : wide_four_in_a_row(v.height);
}

}  // namespace
}  // namespace connectk::inline CONNECTK_BUILD

namespace connectk::searchers::CONNECTK_BUILD {

std::unique_ptr<Searcher> make(const Variant& variant, std::size_t table_bytes, Path path) {
    return fastest(variant, path)(variant, table_bytes);
}

}  // namespace connectk::searchers::CONNECTK_BUILD
