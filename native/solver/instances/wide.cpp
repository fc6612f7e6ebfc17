// Searches of one kind, compiled for each kind of processor; see instances.hpp.
#include "solver/searcher_for.hpp"

namespace connectk::inline CONNECTK_BUILD {

template std::unique_ptr<Searcher> searcher_for<WideFourInARow<6>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFourInARow<7>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFourInARow<8>>(const Variant&, std::size_t);
template std::unique_ptr<Searcher> searcher_for<WideFourInARow<9>>(const Variant&, std::size_t);

}  // namespace connectk::inline CONNECTK_BUILD
