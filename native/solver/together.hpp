// The search of several threads that ask the same question at the same time and share one table. It stands apart from
// that of one thread, which pays nothing for it: near the end of the board each goes on alone.
#pragma once

#include <array>
#include <cstddef>

#include "search.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class SearchTogether : private Search<G> {
public:
    using typename Search<G>::Word;
    using typename Search<G>::Table;
    using Search<G>::Search;

    int ask(Word own, Word all, int target) {
        Child root{};
        int value = this->set_up(own, all, root);
        if (value == this->undecided) {
            root.key = this->key_of(root.at);
            this->look_up(root);
            value = value_of(root, target);
        }
        this->report();
        return this->stopped_ ? no_answer : value;
    }

private:
    using typename Search<G>::Child;
    using typename Search<G>::Children;

    // A question under way, and another thread's answer to it.
    struct OpenQuestion {
        typename Table::Key key;
        int target;
    };

    int value_of(const Child& child, int target) {
        const int least = this->least(child), most = this->most(child);
        if (least >= target || most < target || !is_worth_sharing(child)) return Search<G>::value_of(child, target);
        return child.ours ? search(child, target) : -search(child, 1 - target);
    }

    // Marks the position as busy, and returns early when another thread has answered it.
    int search(const Child& node, int target) {
        this->assert_open(node, target);
        assert(length_ < longest && (length_ == 0 || path_[length_ - 1].key != node.key.bits));
        const Busy::Visit visit(*this->shared_.busy, hash_of(node));
        const std::size_t depth = length_++;
        path_[depth] = {node.key.bits, target};
        int value = search_beside_others(node, target);
        assert(answered_depth_ == nowhere || answered_depth_ <= depth);
        if (answered_depth_ == depth) {
            value = answer_;
            answered_depth_ = nowhere;
        }
        length_ = depth;
        return value;
    }

    int search_beside_others(const Child& node, int target) {
        this->count_node();
        if (is_leaving()) return 0;
        const std::uint64_t nodes_before = this->nodes_;
        Children children;
        const int value = this->expand(node, target, children);
        if (value != this->undecided) return value;

        assert(children.count > 0 && children.best < target);
        int best = children.best;
        int best_column = children.open[0]->column;
        for (int i = 0; i < children.count && best < target; ++i) {
            if (i > 0 && is_answered()) return best;
            const Child& child = take_beside_others(children, i);
            const int value = value_of(child, target);
            if (is_leaving()) return value;
            this->learn(node, child, value >= target, i);
            if (value <= best) continue;
            best = value;
            best_column = child.column;
        }
        this->store(node, target, best, best_column, this->nodes_ - nodes_before);
        return best;
    }

    // While another thread searches a drop, try the others first; its result will be in the table by then.
    // (ABDADA, by Jean-Christophe Weill. All threads go into the first drop: without it there is nothing to compare.)
    const Child& take_beside_others(Children& children, int from) {
        constexpr int last = -1 << 20;
        Child* child = &children.take_most_promising(from);
        while (from > 0 && child->order > last && is_busy(*child)) {
            child->order = last;
            child = &children.take_most_promising(from);
        }
        if (child->order == last) this->look_up(*child);
        return *child;
    }

    // Another thread may have answered any of the questions on the way here: then the rest is idle work.
    bool is_answered() {
        for (std::size_t depth = 0; depth < length_; ++depth) {
            const auto [key, target] = path_[depth];
            Known found;
            if (!this->table_.find(key, found)) continue;
            assert(found.lower <= found.upper);
            if (found.upper >= target && found.lower < target) continue;
            answered_depth_ = depth;
            answer_ = found.lower >= target ? found.lower : found.upper;
            return true;
        }
        return false;
    }

    // Whether the way leads up: to the question that another thread has answered, or out.
    bool is_leaving() const { return this->stopped_ || answered_depth_ != nowhere; }

    bool is_busy(const Child& child) const {
        return is_worth_sharing(child) && this->shared_.busy->holds(hash_of(child));
    }

    // Near the end of the board a search is over before another thread could look.
    bool is_worth_sharing(const Child& child) const { return this->g_.total - child.at.discs >= 22; }

    static std::uint64_t hash_of(const Child& child) {
        auto bits = child.key.bits;
        if constexpr (sizeof(bits) > 8) bits ^= bits >> 64;
        return static_cast<std::uint64_t>(bits) * 0x9E3779B97F4A7C15u;
    }

    static constexpr std::size_t nowhere = ~std::size_t(0);
    static constexpr std::size_t longest = 8 * sizeof(Word);  // each question has a disc more than the one before
    std::array<OpenQuestion, longest> path_;                  // from the root down, as far as it is worth sharing
    std::size_t length_ = 0;
    std::size_t answered_depth_ = nowhere;  // which question on the path another thread has answered
    int answer_ = 0;
};

}  // namespace connectk::inline CONNECTK_BUILD
