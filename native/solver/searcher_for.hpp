// Wraps one kind of search in the `Searcher` interface. Only the files that compile an instance include it.
#pragma once

#include "instances.hpp"
#include "parallel_search.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class SearcherFor final : public Searcher {
public:
    SearcherFor(const Variant& variant, std::size_t table_bytes) : g_(variant), table_(g_, table_bytes) {}

    Bounds known_bounds(const Board& board) override {
        Watch watch;
        SearchContext context{watch};
        return Search<G>(g_, table_, context).known_bounds(Word(board.own), Word(board.all));
    }

    int ask(const Board& board, int target, SearchContext& context) override {
        const Word own(board.own), all(board.all);
        table_.set_shared(context.busy != nullptr);
        if (context.busy) return ParallelSearch<G>(g_, table_, context).ask(own, all, target);
        return Search<G>(g_, table_, context).ask(own, all, target);
    }

    void clear_table() override { table_.clear_table(); }
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
