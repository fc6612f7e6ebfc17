// Compiled once as `portable` and, on x86-64, once more as `x86_64_v3` with that level's instructions. Everything it
// includes lives in the namespace CONNECTK_BUILD, so that the two never share a function.
#ifndef CONNECTK_BUILD
#define CONNECTK_BUILD portable
#endif

#include "engine.hpp"

#include "together.hpp"

namespace connectk::CONNECTK_BUILD {

namespace {

// From the layout of the interface (stride height + 1) to that of the geometry.
template <class G>
typename G::Word inner_bits(const G& g, Bits bits) {
    using Word = typename G::Word;
    if (g.stride == g.height + 1) return static_cast<Word>(bits);
    const Bits column = (Bits(1) << g.height) - 1;
    Word result = 0;
    for (int i = 0; i < g.width; ++i) {
        result |= static_cast<Word>(bits >> (i * (g.height + 1)) & column) << (i * g.stride);
    }
    return result;
}

template <class G>
class EngineOf final : public Engine {
public:
    EngineOf(const Variant& variant, std::size_t table_bytes) : g_(variant), table_(table_bytes) {}

    Bounds glance(const Board& board) override {
        Watch watch;
        return Search<G>(g_, table_, watch).glance(inner_bits(g_, board.own), inner_bits(g_, board.all));
    }

    int ask(const Board& board, int target, Watch& watch, bool together) override {
        const auto own = inner_bits(g_, board.own), all = inner_bits(g_, board.all);
        if (together) return ask_together(g_, table_, watch, own, all, target);
        return Search<G>(g_, table_, watch).ask(own, all, target);
    }

    void forget() override { table_.forget(); }
    std::size_t table_bytes() const override { return table_.bytes(); }

private:
    G g_;
    TableFor<G> table_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Variant& v, std::size_t table_bytes, Path path) {
    if (path == Path::wide_word || v.width * (v.height + 1) > 64) {
        return std::make_unique<EngineOf<General<Bits>>>(v, table_bytes);
    }
    if (path == Path::automatic && v == Variant{7, 6, 4}) return std::make_unique<EngineOf<Classic>>(v, table_bytes);
    return std::make_unique<EngineOf<General<std::uint64_t>>>(v, table_bytes);
}

}  // namespace connectk::CONNECTK_BUILD
