// The search of several threads, declared apart from that of one: in one file the compiler would inline less of both.
#pragma once

#include "search.hpp"

namespace connectk::CONNECTK_BUILD {

template <class G>
int ask_together(const G& g, TableFor<G>& table, Watch& watch, typename G::Word own, typename G::Word all, int target);

}  // namespace connectk::CONNECTK_BUILD
