// Monte Carlo tree search guided by a network, on many boards at once. The caller evaluates the leaves:
//
//     do {
//         const std::size_t leaves = search->collect(256, planes, masks);
//         evaluate(planes, masks, leaves);                  // the caller's network
//         search->apply(values, logits);
//     } while (!search->is_done());
//     search->result(columns, visits, policies, values);
//
// Leaves of one board are collected together by virtual losses: a line that is being evaluated counts as lost until its
// value is there, so that the next one goes elsewhere. This code does not depend on Python. It is not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "board/variant.hpp"

namespace connectk::network {

struct SearchSettings {
    int simulations = 100;     // for each board, with the evaluation of the board itself
    double exploration = 1.5;  // the weight of the policy in PUCT
    int considered = 0;        // Gumbel: the most columns that the root considers; 0: PUCT in the root, too
    std::uint64_t seed = 0;    // of the Gumbel noise
};

// The arrays of the results, one row for each board; a game that is over has column -1 and zeros.
struct SearchResult {
    std::int64_t* columns;
    std::int32_t* visits;  // of each column
    float* policies;       // the improved policy: what the network should learn
    float* values;         // the mean result for the side to move
};

class TreeSearch {
public:
    virtual ~TreeSearch() = default;

    // Selects at most `room` leaves, and writes for each of them planes (2 * height * width numbers, the discs of the
    // side to move first, row 0 at the bottom) and which columns are open. Returns their number, which
    // is 0 where all visits ended in finished games.
    virtual std::size_t collect(std::size_t room, float* planes, bool* masks) = 0;

    virtual bool is_done() const = 0;  // whether the last collect() found nothing left to search

    // Takes the value of each leaf for its side to move, from -1 to 1, and one logit for each of its columns.
    virtual void apply(const float* values, const float* logits) = 0;

    virtual void result(const SearchResult& out) const = 0;
    virtual std::size_t simulations() const = 0;  // done so far, on all boards
};

// `bits` has a row for each board: the discs of the side to move, then all discs, in words of 64 bits.
std::unique_ptr<TreeSearch> make_tree_search(const Variant& variant, const std::uint64_t* bits, std::size_t boards,
                                             const SearchSettings& settings);

}  // namespace connectk::network
