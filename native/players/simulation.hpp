// Monte Carlo tree search: it plays random games from the leaves of a tree that grows where the results are good.
#pragma once

#include <cassert>
#include <cmath>
#include <limits>

#include "geometry.hpp"
#include "random.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

template <class Word>
class Simulation {
public:
    Simulation(const Geometry<Word>& g, std::uint64_t seed) : g_(g), random_(seed) {}

    SimulationResult run(const Board<Word>& board, std::uint64_t simulations, Watch& watch) {
        nodes_.assign(1, Node{});
        NodeCounter counter(watch, 8);  // a small interval, since one game on a large board takes long
        std::uint64_t done = 0;
        while (done < simulations && !(done > 0 && counter.count_and_check())) {
            simulate(board);
            ++done;
        }
        return report(done);
    }

private:
    struct Node {
        int bit = -1;                        // the move that led here
        int first_child = 0, children = -1;  // -1: not yet known
        std::uint32_t visits = 0;
        double sum = 0;  // results for the side that moved here
    };

    void simulate(Board<Word> board) {
        path_.assign(1, 0);
        int at = 0;
        double result = 0;  // for the side that made the last move
        for (;;) {
            if (has_line(g_, board.other())) {
                result = 1;
                break;
            }
            if (nodes_[std::size_t(at)].children < 0 && nodes_[std::size_t(at)].visits > 0) expand(at, board);
            if (nodes_[std::size_t(at)].children < 0) {
                result = -play_out(board);
                break;
            }
            if (nodes_[std::size_t(at)].children == 0) break;  // a draw
            at = select_child(nodes_[std::size_t(at)]);
            board = board.after(bit_at<Word>(nodes_[std::size_t(at)].bit));
            path_.push_back(at);
        }
        for (auto node = path_.rbegin(); node != path_.rend(); ++node, result = -result) {
            ++nodes_[std::size_t(*node)].visits;
            nodes_[std::size_t(*node)].sum += result;
        }
    }

    void expand(int at, const Board<Word>& board) {
        const Word moves = playable(g_, board);
        const int first = int(nodes_.size());
        for (const int column : g_.order) {
            const Word move = moves & g_.columns[std::size_t(column)];
            if (!any(move)) continue;
            nodes_.emplace_back();
            nodes_.back().bit = lowest_bit(move);
        }
        assert(nodes_.size() > std::size_t(first) || !any(moves));
        nodes_[std::size_t(at)].first_child = first;
        nodes_[std::size_t(at)].children = int(nodes_.size()) - first;
    }

    int select_child(const Node& node) const {
        assert(node.visits > 0 && node.children > 0);
        const double spread = 2 * std::log(double(node.visits));
        int best = node.first_child;
        double best_upper_bound = -std::numeric_limits<double>::infinity();
        for (int i = node.first_child; i < node.first_child + node.children; ++i) {
            const Node& child = nodes_[std::size_t(i)];
            if (child.visits == 0) return i;
            const double upper_bound = child.sum / child.visits + std::sqrt(spread / child.visits);
            if (upper_bound > best_upper_bound) best_upper_bound = upper_bound, best = i;
        }
        return best;
    }

    // Plays random moves to the end, but a side that can win at once does so. Returns the result for the side to move.
    int play_out(Board<Word> board) {
        for (int sign = 1;; sign = -sign) {
            Word moves = playable(g_, board);
            if (!any(moves)) return 0;
            if (any(moves & completing(g_, board.own, board.all))) return sign;
            for (int skip = random_.below(count_bits(moves)); skip > 0; --skip) take_lowest(moves);
            board = board.after(bit_at<Word>(lowest_bit(moves)));
        }
    }

    SimulationResult report(std::uint64_t done) const {
        SimulationResult simulated;
        simulated.simulations = done;
        for (const Node* node = &nodes_[0]; node->children > 0;) {
            const Node* next = &nodes_[std::size_t(node->first_child)];
            for (int i = 0; i < node->children; ++i) {
                const Node& child = nodes_[std::size_t(node->first_child + i)];
                if (child.visits > next->visits) next = &child;
            }
            if (next->visits == 0) break;
            if (simulated.line.empty()) simulated.mean = next->sum / next->visits;
            simulated.line.push_back(g_.column_of(next->bit));
            node = next;
        }
        if (!simulated.line.empty()) simulated.column = simulated.line.front();
        return simulated;
    }

    const Geometry<Word>& g_;
    RandomGenerator random_;
    std::vector<Node> nodes_;
    std::vector<int> path_;
};

}  // namespace connectk::players::CONNECTK_BUILD
