// Searches of one kind, compiled for each kind of processor; see instances.hpp.
#include "solver/searcher_for.hpp"

namespace connectk::inline CONNECTK_BUILD {

template std::unique_ptr<Searcher> searcher_for<FourInARow<6>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<7>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<8>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<FourInARow<9>>(const Variant&, std::size_t);

}  // namespace connectk::inline CONNECTK_BUILD
