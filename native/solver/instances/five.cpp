// Searches of one kind, compiled for each kind of processor; see instances.hpp.
#ifndef __wasm__
#include "solver/searcher_for.hpp"

namespace connectk::inline CONNECTK_BUILD {

template std::unique_ptr<Searcher> searcher_for<FiveInARow<5>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FiveInARow<6>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FiveInARow<7>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FiveInARow<8>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFiveInARow<6>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFiveInARow<7>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFiveInARow<8>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFiveInARow<9>>(const Variant&, std::size_t);

}  // namespace connectk::inline CONNECTK_BUILD
#endif
