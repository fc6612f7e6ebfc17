// A search of one kind behind its door. Included where an instance is compiled.
#pragma once

#include "instances.hpp"
#include "together.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class SearcherFor final : public Searcher {
public:
    SearcherFor(const Variant& variant, std::size_t table_bytes) : g_(variant), table_(g_, table_bytes) {}

    Bounds glance(const Board& board) override {
        Watch watch;
        Shared shared{watch};
        return Search<G>(g_, table_, shared).glance(Word(board.own), Word(board.all));
    }

    int ask(const Board& board, int target, Shared& shared) override {
        const Word own(board.own), all(board.all);
        table_.share(shared.busy != nullptr);
        if (shared.busy) return SearchTogether<G>(g_, table_, shared).ask(own, all, target);
        return Search<G>(g_, table_, shared).ask(own, all, target);
    }

    void forget() override { table_.forget(); }
    std::size_t table_bytes() const override { return table_.bytes(); }

private:
    using Word = typename G::Word;
    G g_;
    TableFor<G> table_;
};

template <class G>
std::unique_ptr<Searcher> searcher_for(const Variant& variant, std::size_t table_bytes) {
    return std::make_unique<SearcherFor<G>>(variant, table_bytes);
}

}  // namespace connectk::inline CONNECTK_BUILD
