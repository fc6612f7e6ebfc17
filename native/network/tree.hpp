// The tree of one board: PUCT below the root, PUCT or Gumbel in the root.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "board/lines.hpp"
#include "gumbel_root.hpp"
#include "tree_search.hpp"

namespace connectk::network {

// A position: the discs of the side to move and all discs.
template <class Word>
struct Discs {
    Word own{}, all{};
};

template <class Word>
class Tree {
public:
    using G = Sizes<Word>;
    enum class Visit { leaf, finished, blocked };  // a leaf to evaluate, a simulation without one, or nothing for now

    Tree(const G& g, const Discs<Word>& root, const SearchSettings& settings, std::uint64_t seed)
        : g_(g), root_(root), settings_(settings), seed_(seed), nodes_(1) {
        if (has_line(g_, root.own ^ root.all) || root.all == g_.cells) over_ = true;
    }

    bool is_done() const { return over_ || nodes_[0].visits >= settings_.simulations; }
    int simulations() const { return over_ ? 0 : nodes_[0].visits; }

    // One more simulation. A leaf is kept until `evaluated`; its position is in `discs`.
    Visit visit(Discs<Word>& discs) {
        if (is_done() || nodes_[0].visits + nodes_[0].under_way >= settings_.simulations) return Visit::blocked;
        std::vector<int> path{0};
        discs = root_;
        while (nodes_[std::size_t(path.back())].children > 0) {
            const int next = child_of(path.back());
            if (next < 0) return Visit::blocked;
            drop(discs, nodes_[std::size_t(next)].column);
            path.push_back(next);
        }
        Node& leaf = nodes_[std::size_t(path.back())];
        if (leaf.under_way > 0) return Visit::blocked;
        if (path.size() > 1 && leaf.visits == 0) judge(leaf, discs);
        for (const int node : path) ++nodes_[std::size_t(node)].under_way;
        if (leaf.end) {
            back_up(path, leaf.result);
            return Visit::finished;
        }
        waiting_.push_back(std::move(path));
        return Visit::leaf;
    }

    // The evaluation of the leaf that has waited longest: its value for the side to move, and a logit for each column.
    void evaluated(float value, const float* logits, const bool* open) {
        assert(next_ < waiting_.size());
        const std::vector<int>& path = waiting_[next_++];
        expand(path.back(), logits, open);
        if (path.size() == 1 && settings_.considered) begin_gumbel(value);
        back_up(path, -double(value));
        if (next_ == waiting_.size()) waiting_.clear(), next_ = 0;
    }

    void result(std::int64_t& column, std::int32_t* visits, float* policy, float& value) const {
        std::fill_n(visits, int(g_.width), 0);
        std::fill_n(policy, int(g_.width), 0.0f);
        column = -1, value = 0;
        if (over_ || nodes_[0].children == 0) return;
        const std::vector<RootChild> children = root_children();
        const std::vector<double> shares = settings_.considered ? improved_policy(children) : visit_shares(children);
        int best = settings_.considered ? gumbel_.best(children) : 0;
        for (int i = 0; i < int(children.size()); ++i) {
            const int place = nodes_[std::size_t(nodes_[0].first + i)].column;
            visits[place] = children[std::size_t(i)].visits;
            policy[place] = float(shares[std::size_t(i)]);
            if (!settings_.considered && children[std::size_t(i)].visits > children[std::size_t(best)].visits) best = i;
        }
        column = nodes_[std::size_t(nodes_[0].first + best)].column;
        value = float(-nodes_[0].sum / nodes_[0].visits);
    }

private:
    struct Node {
        float prior = 0, logit = 0;
        int visits = 0, under_way = 0;
        double sum = 0;  // results for the side that moved here
        int first = 0, children = 0;
        int column = -1;
        bool end = false;  // the game is over here ...
        int result = 0;    // ... with this result for the side that moved here
    };

    void drop(Discs<Word>& discs, int column) const {
        discs.own ^= discs.all;
        discs.all |= discs.all + bit_at<Word>(column * g_.stride);
    }

    void judge(Node& node, const Discs<Word>& discs) const {
        const bool won = has_line(g_, discs.own ^ discs.all);
        node.end = won || discs.all == g_.cells;
        node.result = won;
    }

    int child_of(int at) {
        if (at != 0 || !settings_.considered) return puct_child(nodes_[std::size_t(at)]);
        const int child = gumbel_.next(root_children(), nodes_[0].under_way > 0);
        return child < 0 ? -1 : nodes_[0].first + child;
    }

    int puct_child(const Node& parent) const {
        const double mean = parent.visits ? -parent.sum / parent.visits : 0;
        const double weight = settings_.exploration * std::sqrt(double(parent.visits + parent.under_way));
        int best = parent.first;
        double highest = -std::numeric_limits<double>::infinity();
        for (int i = parent.first; i < parent.first + parent.children; ++i) {
            const Node& child = nodes_[std::size_t(i)];
            const int visits = child.visits + child.under_way;
            const double worth = visits ? (child.sum - child.under_way) / visits : mean;
            const double score = worth + weight * child.prior / (1 + visits);
            if (score > highest) highest = score, best = i;
        }
        return best;
    }

    void expand(int at, const float* logits, const bool* open) {
        const int first = int(nodes_.size());
        double highest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int c = 0; c < g_.width; ++c)
            if (open[c]) highest = std::max(highest, double(logits[c]));
        for (int c = 0; c < g_.width; ++c) {
            if (!open[c]) continue;
            Node child;
            child.column = c, child.logit = logits[c], child.prior = float(std::exp(logits[c] - highest));
            sum += child.prior;
            nodes_.push_back(child);
        }
        for (std::size_t i = std::size_t(first); i < nodes_.size(); ++i) nodes_[i].prior /= float(sum);
        nodes_[std::size_t(at)].first = first;
        nodes_[std::size_t(at)].children = int(nodes_.size()) - first;
    }

    // `result` is for the side that moved into the last node.
    void back_up(const std::vector<int>& path, double result) {
        for (std::size_t i = path.size(); i-- > 0; result = -result) {
            Node& node = nodes_[std::size_t(path[i])];
            --node.under_way;
            ++node.visits;
            node.sum += result;
        }
    }

    void begin_gumbel(float value) {
        root_value_ = value;
        gumbel_.begin(root_children(), settings_.considered, settings_.simulations - 1, seed_);
    }

    std::vector<RootChild> root_children() const {
        std::vector<RootChild> children;
        for (int i = nodes_[0].first; i < nodes_[0].first + nodes_[0].children; ++i) {
            const Node& child = nodes_[std::size_t(i)];
            const double mean = child.visits ? child.sum / child.visits : root_value_;
            children.push_back({child.logit, child.visits + child.under_way, mean});
        }
        return children;
    }

    static std::vector<double> visit_shares(const std::vector<RootChild>& children) {
        double all = 0;
        for (const RootChild& child : children) all += child.visits;
        std::vector<double> shares;
        for (const RootChild& child : children) shares.push_back(all ? child.visits / all : 1.0 / children.size());
        return shares;
    }

    // The policy in proportion to exp(logit + boost); a column without visits gets the mixed value of the paper.
    std::vector<double> improved_policy(const std::vector<RootChild>& children) const {
        double visits = 0, prior = 0, weighted = 0;
        int most = 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (!children[i].visits) continue;
            const double share = nodes_[std::size_t(nodes_[0].first) + i].prior;
            visits += children[i].visits, prior += share, weighted += share * children[i].mean;
            most = std::max(most, children[i].visits);
        }
        const double mixed = prior > 0 ? (root_value_ + visits * weighted / prior) / (1 + visits) : root_value_;
        std::vector<double> shares;
        for (const RootChild& child : children)
            shares.push_back(child.logit + GumbelRoot::boost(child.visits ? child.mean : mixed, most));
        return softmax(shares);
    }

    static std::vector<double> softmax(std::vector<double> logits) {
        const double highest = *std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (double& logit : logits) sum += logit = std::exp(logit - highest);
        for (double& logit : logits) logit /= sum;
        return logits;
    }

    const G& g_;
    Discs<Word> root_;
    const SearchSettings& settings_;
    std::uint64_t seed_;
    std::vector<Node> nodes_;
    std::vector<std::vector<int>> waiting_;  // the paths to the leaves that are being evaluated
    std::size_t next_ = 0;                   // the first of them without a value
    GumbelRoot gumbel_;
    double root_value_ = 0;  // the network's, for the root's side to move
    bool over_ = false;
};

}  // namespace connectk::network
