// Compiled once for each kind of processor, like searcher.cpp.
#include "together.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
int ask_together(const G& g, TableFor<G>& table, Shared& shared, typename G::Word own, typename G::Word all,
                 int target) {
    return SearchTogether<G>(g, table, shared).ask(own, all, target);
}

template int ask_together(const Classic&, TableFor<Classic>&, Shared&, Classic::Word, Classic::Word, int);
template int ask_together(const OneWord&, TableFor<OneWord>&, Shared&, OneWord::Word, OneWord::Word, int);
template int ask_together(const TwoWords&, TableFor<TwoWords>&, Shared&, TwoWords::Word, TwoWords::Word, int);

}  // namespace connectk::inline CONNECTK_BUILD
