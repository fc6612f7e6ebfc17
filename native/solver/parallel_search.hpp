// The search by several threads that share one table. It is a class of its own so that the single-threaded search pays
// nothing for it; near the end of the game each thread continues with the single-threaded search.
#pragma once

#include <array>
#include <cstddef>

#include "search.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class ParallelSearch : private Search<G> {
public:
    using typename Search<G>::Word;
    using typename Search<G>::Table;
    using Search<G>::Search;

    int ask(Word own, Word all, int target) {
        Child root{};
        int value = this->init_root(own, all, root);
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

    // An unfinished node of the search path.
    struct OpenQuestion {
        typename Table::Key key;
        int target;
    };

    int value_of(const Child& child, int target) {
        const int lower = this->lower_bound(child), upper = this->upper_bound(child);
        if (lower >= target || upper < target || !is_worth_sharing(child)) return Search<G>::value_of(child, target);
        return child.ours ? search(child, target) : -search(child, 1 - target);
    }

    // Marks the position as busy, and returns early once another thread has answered its question.
    int search(const Child& node, int target) {
        this->assert_open(node, target);
        assert(length_ < max_path_length && (length_ == 0 || path_[length_ - 1].key != node.key.bits));
        const BusyPositions::Visit visit(*this->context_.busy, hash_of(node));
        const std::size_t depth = length_++;
        path_[depth] = {node.key.bits, target};
        int value = search_children(node, target);
        assert(answered_depth_ == no_depth || answered_depth_ <= depth);
        if (answered_depth_ == depth) {
            value = answer_;
            answered_depth_ = no_depth;
        }
        length_ = depth;
        return value;
    }

    int search_children(const Child& node, int target) {
        this->count_node();
        if (is_unwinding()) return 0;
        const std::uint64_t nodes_before = this->nodes_;
        Children children;
        const int value = this->expand(node, target, children);
        if (value != this->undecided) return value;

        assert(children.count > 0 && children.best < target);
        int best = children.best;
        int best_column = children.open[0]->column;
        for (int i = 0; i < children.count && best < target; ++i) {
            if (i > 0 && is_answered()) return best;
            const Child& child = next_child(children, i);
            const int value = value_of(child, target);
            if (is_unwinding()) return value;
            this->update_history(node, child, value >= target, i);
            if (value <= best) continue;
            best = value;
            best_column = child.column;
        }
        this->store(node, target, best, best_column, this->nodes_ - nodes_before);
        return best;
    }

    // While another thread searches a drop, try the others first; its result will be in the table by then.
    // (ABDADA, by Jean-Christophe Weill. All threads go into the first drop: without it there is nothing to compare.)
    const Child& next_child(Children& children, int from) {
        constexpr int last = -1 << 20;
        Child* child = &children.take_best_ordered(from);
        while (from > 0 && child->order > last && is_busy(*child)) {
            child->order = last;
            child = &children.take_best_ordered(from);
        }
        if (child->order == last) this->look_up(*child);
        return *child;
    }

    // Whether another thread has answered a question on the path, so that more work below it would be wasted.
    bool is_answered() {
        for (std::size_t depth = 0; depth < length_; ++depth) {
            const auto [key, target] = path_[depth];
            TableEntry found;
            if (!this->table_.find(key, found)) continue;
            assert(found.lower <= found.upper);
            if (found.upper >= target && found.lower < target) continue;
            answered_depth_ = depth;
            answer_ = found.lower >= target ? found.lower : found.upper;
            return true;
        }
        return false;
    }

    // Whether the search returns to the node that another thread has answered, or is stopped.
    bool is_unwinding() const { return this->stopped_ || answered_depth_ != no_depth; }

    bool is_busy(const Child& child) const {
        return is_worth_sharing(child) && this->context_.busy->holds(hash_of(child));
    }

    // Near the end of the game a search is finished before another thread could check.
    bool is_worth_sharing(const Child& child) const { return this->g_.total - child.at.discs >= 22; }

    static std::uint64_t hash_of(const Child& child) {
        auto bits = child.key.bits;
        if constexpr (sizeof(bits) > 8) bits ^= bits >> 64;
        return static_cast<std::uint64_t>(bits) * 0x9E3779B97F4A7C15u;
    }

    static constexpr std::size_t no_depth = ~std::size_t(0);
    static constexpr std::size_t max_path_length =
        8 * sizeof(Word);                             // each question has one more disc than the question before
    std::array<OpenQuestion, max_path_length> path_;  // the questions from the root down that are worth sharing
    std::size_t length_ = 0;
    std::size_t answered_depth_ = no_depth;  // the question on the path that another thread has answered
    int answer_ = 0;
};

}  // namespace connectk::inline CONNECTK_BUILD
