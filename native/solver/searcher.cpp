// Compiled once as `portable` and, on x86-64, once more as `x86_64_v3` with that level's instructions.
#include "searcher.hpp"

#include "together.hpp"

namespace connectk::inline CONNECTK_BUILD {

namespace {

template <class G>
class SearcherFor final : public Searcher {
public:
    SearcherFor(const Variant& variant, std::size_t table_bytes) : g_(variant), table_(table_bytes) {}

    Bounds glance(const Board& board) override {
        Watch watch;
        Shared shared{watch};
        return Search<G>(g_, table_, shared).glance(Word(board.own), Word(board.all));
    }

    int ask(const Board& board, int target, Shared& shared) override {
        const Word own(board.own), all(board.all);
        if (shared.busy) return ask_together(g_, table_, shared, own, all, target);
        return Search<G>(g_, table_, shared).ask(own, all, target);
    }

    void forget() override { table_.forget(); }
    std::size_t table_bytes() const override { return table_.bytes(); }

private:
    using Word = typename G::Word;
    G g_;
    TableFor<G> table_;
};

}  // namespace
}  // namespace connectk::inline CONNECTK_BUILD

namespace connectk::searchers::CONNECTK_BUILD {

std::unique_ptr<Searcher> make(const Variant& v, std::size_t table_bytes, Path path) {
    if (path == Path::wide_word || v.width * (v.height + 1) > 64) {
        return std::make_unique<SearcherFor<TwoWords>>(v, table_bytes);
    }
    if (path == Path::automatic && v == Variant{7, 6, 4}) return std::make_unique<SearcherFor<Classic>>(v, table_bytes);
    return std::make_unique<SearcherFor<OneWord>>(v, table_bytes);
}

}  // namespace connectk::searchers::CONNECTK_BUILD
