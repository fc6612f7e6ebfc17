// Why a side wins, or holds at least a draw: boards, each with answers that hold or a force, as few as can be found.
//
// What is found here is only a proposal; connectk.why.checker plays it through before anyone sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../describe.hpp"
#include "../solver/solver.hpp"

namespace connectk::why {

// One board of an explanation. Cells are bits: column * (height + 1) + row.
struct Page {
    int drop = -1;                                          // the keeper's, before the rival's turn; -1: none
    std::vector<int> force;                                 // or a force: the keeper's drops
    std::vector<std::pair<int, std::vector<int>>> answers;  // the rival's cell, and where to answer it
    std::vector<std::pair<int, int>> replies;               // the rival's next column, and the board that answers it

    static constexpr auto fields() {
        return std::tuple{Field{"drop", &Page::drop}, Field{"force", &Page::force}, Field{"answers", &Page::answers},
                          Field{"replies", &Page::replies}};
    }
};

struct WhyQuestion {
    Bits keeper{0}, rival{0};
    bool keeper_to_move = false;
    bool win = false;  // or at least a draw
    int most_boards = 15;
    std::uint64_t most_work = 20'000;  // steps for one table of answers
};

// The first board is the one asked about; nothing when no explanation of that size was found within the limits.
std::optional<std::vector<Page>> explain(Solver& solver, const WhyQuestion& question, const SearchLimits& limits);

}  // namespace connectk::why
