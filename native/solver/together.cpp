// Compiled once for each kind of processor, like engine.cpp.
#ifndef CONNECTK_BUILD
#define CONNECTK_BUILD portable
#endif

#include "together.hpp"

namespace connectk::CONNECTK_BUILD {

template <class G>
int ask_together(const G& g, TableFor<G>& table, Watch& watch, typename G::Word own, typename G::Word all, int target) {
    return SearchTogether<G>(g, table, watch).ask(own, all, target);
}

template int ask_together(const Classic&, TableFor<Classic>&, Watch&, Classic::Word, Classic::Word, int);
template int ask_together(const General<std::uint64_t>&, TableFor<General<std::uint64_t>>&, Watch&, std::uint64_t,
                          std::uint64_t, int);
template int ask_together(const General<Bits>&, TableFor<General<Bits>>&, Watch&, Bits, Bits, int);

}  // namespace connectk::CONNECTK_BUILD
