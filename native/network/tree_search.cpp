#include "tree_search.hpp"

#include <algorithm>
#include <cassert>

#include "tree.hpp"

namespace connectk::network {

namespace {

// Late in a game most visits end in a finished game and need no evaluation. With this bound a caller with a clock waits
// no more than some milliseconds for one batch.
constexpr std::size_t max_visits_per_collect = 4096;

template <class Word>
class TreeSearchOf final : public TreeSearch {
public:
    TreeSearchOf(const Variant& variant, const std::uint64_t* bits, std::size_t boards, const SearchSettings& settings)
        : g_(variant), settings_(settings) {
        constexpr int words = bits_in<Word> / 64;
        trees_.reserve(boards);
        for (std::size_t i = 0; i < boards; ++i, bits += 2 * words)
            trees_.emplace_back(g_, Discs<Word>{word_of(bits), word_of(bits + words)}, settings_, settings.seed + i);
    }

    std::size_t collect(std::size_t room, float* planes, bool* masks) override {
        assert(leaves_.empty() && room > 0);
        std::size_t blocked = 0;  // successive trees that have no leaf for now
        std::size_t visits = max_visits_per_collect + room;
        for (; visits > 0 && blocked < trees_.size() && leaves_.size() < room; next_ = (next_ + 1) % trees_.size()) {
            --visits;
            Discs<Word> discs;
            const auto visit = trees_[next_].visit(discs);
            blocked = visit == Tree<Word>::Visit::blocked ? blocked + 1 : 0;
            if (visit == Tree<Word>::Visit::leaf) add_leaf(next_, discs, planes, masks);
        }
        is_done_ = leaves_.empty() && blocked == trees_.size();
        return leaves_.size();
    }

    bool is_done() const override { return is_done_; }

    void apply(const float* values, const float* logits) override {
        bool open[bits_in<Word>];
        for (const Leaf& leaf : leaves_) {
            write_open(leaf.discs, open);
            trees_[leaf.tree].evaluated(*values++, logits, open);
            logits += int(g_.width);
        }
        leaves_.clear();
    }

    void result(const SearchResult& out) const override {
        for (std::size_t i = 0; i < trees_.size(); ++i)
            trees_[i].result(out.columns[i], out.visits + i * std::size_t(int(g_.width)),
                             out.policies + i * std::size_t(int(g_.width)), out.values[i]);
    }

    std::size_t simulations() const override {
        std::size_t sum = 0;
        for (const Tree<Word>& tree : trees_) sum += std::size_t(tree.simulations());
        return sum;
    }

private:
    struct Leaf {
        std::size_t tree;
        Discs<Word> discs;
    };

    static Word word_of(const std::uint64_t* parts) {
        Word word{};
        for (int i = 0; 64 * i < bits_in<Word>; ++i) word |= Word{parts[i]} << (64 * i);
        return word;
    }

    void add_leaf(std::size_t tree, const Discs<Word>& discs, float* planes, bool* masks) {
        const auto cells = std::size_t(int(g_.total));
        write_plane(discs.own, planes + leaves_.size() * 2 * cells);
        write_plane(discs.own ^ discs.all, planes + (leaves_.size() * 2 + 1) * cells);
        write_open(discs, masks + leaves_.size() * std::size_t(int(g_.width)));
        leaves_.push_back({tree, discs});
    }

    void write_plane(const Word& discs, float* out) const {
        for (int r = 0; r < g_.height; ++r)
            for (int c = 0; c < g_.width; ++c) *out++ = any((discs >> (c * g_.stride + r)) & Word{1}) ? 1.0f : 0.0f;
    }

    void write_open(const Discs<Word>& discs, bool* out) const {
        for (int c = 0; c < g_.width; ++c) out[c] = !any((discs.all >> (c * g_.stride + g_.height - 1)) & Word{1});
    }

    Sizes<Word> g_;
    SearchSettings settings_;
    std::vector<Tree<Word>> trees_;
    std::vector<Leaf> leaves_;  // collected, not yet evaluated
    std::size_t next_ = 0;
    bool is_done_ = false;
};

}  // namespace

std::unique_ptr<TreeSearch> make_tree_search(const Variant& variant, const std::uint64_t* bits, std::size_t boards,
                                             const SearchSettings& settings) {
    if (variant.width * (variant.height + 1) <= 64)
        return std::make_unique<TreeSearchOf<std::uint64_t>>(variant, bits, boards, settings);
    return std::make_unique<TreeSearchOf<Wide>>(variant, bits, boards, settings);
}

}  // namespace connectk::network
