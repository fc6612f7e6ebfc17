// Why a side wins, or holds at least a draw: boards, each with answers that hold or a force, as few as can be found.
//
// What is found here is only a proposal; a checker that shares nothing with it plays it through before anyone sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../solver/solver.hpp"
#include "../board/game_board.hpp"

namespace connectk::why {

// At least a draw is what `holds` means.
enum class Promise { wins, holds };
constexpr auto names_of(Promise) { return std::array{"wins", "holds"}; }

// What an explanation claims: the side that it is for is the keeper, the other one the rival.
struct Claim {
    Side side = Side::first;
    Promise result = Promise::wins;

    static constexpr auto fields() { return std::tuple{Field{"side", &Claim::side}, Field{"result", &Claim::result}}; }
};

// The rival's cell, and where a disc there is answered: the first of these cells that a disc can reach.
using CellAnswer = std::pair<Cell, std::vector<Cell>>;

// One board of an explanation, as files have it.
struct Page {
    std::optional<int> drop{};  // the keeper's, before the rival's turn
    std::vector<int> force{};   // or a force: the keeper's drops
    std::vector<CellAnswer> answers{};
    std::vector<std::pair<int, int>> replies{};  // the rival's next column, and the board that answers it

    static constexpr auto fields() {
        return std::tuple{Field{"drop", &Page::drop}, Field{"force", &Page::force}, Field{"answers", &Page::answers},
                          Field{"replies", &Page::replies}};
    }
};

inline Side side_to_move(const Board& position) { return Side(count_bits(position.all) % 2); }
inline Side other_than(Side side) { return side == Side::first ? Side::second : Side::first; }

// What most needs to be said of a page.
enum class PageKind { force, strategy, tree };
constexpr auto names_of(PageKind) { return std::array{"force", "strategy", "tree"}; }

inline PageKind kind_of(const Page& page) {
    if (!page.force.empty()) return PageKind::force;
    return page.replies.empty() ? PageKind::strategy : PageKind::tree;
}

struct ExplainOptions {
    int max_boards = 15;
    std::uint64_t max_work = 400'000;  // steps of the search for one table of answers
};

constexpr double min_seconds = 1e-3;  // for one claim

// Pages that may show what is claimed of a position, the first one about the position itself; nothing when none were
// found within the limits, which always have a clock.
std::optional<std::vector<Page>> explain(Solver& solver, const Board& position, const Claim& claim,
                                         const ExplainOptions& options, SearchLimits limits);

}  // namespace connectk::why
