// The search of several threads that ask the same question at the same time and share one table. It stands apart from
// that of one thread, which pays nothing for it: near the end of the board each goes on alone.
#pragma once

#include <cstddef>
#include <vector>

#include "search.hpp"

namespace connectk::CONNECTK_BUILD {

template <class G>
class SearchTogether : private Search<G> {
public:
    using typename Search<G>::Word;
    using typename Search<G>::Table;
    using Search<G>::Search;

    int ask(Word own, Word all, int target) {
        Child root;
        int value = this->set_up(own, all, root);
        if (value == this->undecided) {
            root.key = this->key_of(root.at);
            this->look_up(root);
            value = value_of(root, target);
        }
        this->report();
        return value;
    }

private:
    using typename Search<G>::Child;
    using typename Search<G>::Children;

    // A question under way, and another thread's answer to it.
    struct Question {
        typename Table::Key key;
        int target;
    };
    struct Answered {
        std::size_t depth;
        int value;
    };

    int value_of(const Child& child, int target) {
        const int least = this->least(child), most = this->most(child);
        if (least >= target || most < target || !is_worth_sharing(child)) return Search<G>::value_of(child, target);
        return child.ours ? search(child, target) : -search(child, 1 - target);
    }

    // Marks the position as busy, and returns early when another thread has answered it.
    int search(const Child& node, int target) {
        const Busy::Visit visit(this->watch_.busy, hash_of(node));
        const std::size_t depth = path_.size();
        path_.push_back({node.key.bits, target});
        int value;
        try {
            value = search_beside_others(node, target);
        } catch (const Answered& answered) {
            if (answered.depth != depth) throw;
            value = answered.value;
        }
        path_.resize(depth);
        return value;
    }

    int search_beside_others(const Child& node, int target) {
        this->count_node();
        const std::uint64_t nodes_before = this->nodes_;
        Children children;
        const int value = this->expand(node, target, children);
        if (value != this->undecided) return value;

        int best = children.best;
        int best_column = children.open[0]->column;
        for (int i = 0; i < children.count && best < target; ++i) {
            if (i > 0) leave_if_answered();
            const Child& child = take_beside_others(children, i);
            const int value = value_of(child, target);
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
    void leave_if_answered() const {
        for (std::size_t depth = 0; depth < path_.size(); ++depth) {
            const auto [key, target] = path_[depth];
            Known found;
            if (!this->table_.find(key, found)) continue;
            if (found.lower >= target) throw Answered{depth, found.lower};
            if (found.upper < target) throw Answered{depth, found.upper};
        }
    }

    bool is_busy(const Child& child) const {
        return is_worth_sharing(child) && this->watch_.busy.holds(hash_of(child));
    }

    // Near the end of the board a search is over before another thread could look.
    bool is_worth_sharing(const Child& child) const { return this->g_.total - child.at.discs >= 22; }

    static std::uint64_t hash_of(const Child& child) {
        auto bits = child.key.bits;
        if constexpr (sizeof(bits) > 8) bits ^= bits >> 64;
        return static_cast<std::uint64_t>(bits) * 0x9E3779B97F4A7C15u;
    }

    std::vector<Question> path_;  // from the root down, as far as it is worth sharing
};

// Defined in a file of its own: in one with the search of one thread the compiler would inline less of both.
template <class G>
int ask_together(const G& g, TableFor<G>& table, Watch& watch, typename G::Word own, typename G::Word all, int target);

}  // namespace connectk::CONNECTK_BUILD
