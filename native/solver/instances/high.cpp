// Searches of one kind, compiled for each kind of processor; see instances.hpp.
#include "solver/searcher_for.hpp"

namespace connectk::inline CONNECTK_BUILD {

template std::unique_ptr<Searcher> searcher_for<FourInARow<10>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<11>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<12>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<13>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<14>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<15>>(const Variant&, std::size_t);

}  // namespace connectk::inline CONNECTK_BUILD
