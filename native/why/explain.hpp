// Searches for an explanation of why a side wins or holds a draw: as few boards as possible, each with answers or a force.
//
// The result is only a proposal: an independent checker plays it through before it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../solver/solver.hpp"
#include "../board/game_board.hpp"

namespace connectk::why {

// `holds` means at least a draw.
enum class Promise { wins, holds };
constexpr auto names_of(Promise) { return std::array{"wins", "holds"}; }

// What an explanation claims. The keeper is the side that the explanation is for; the rival is the other side.
struct Claim {
    Side side = Side::first;
    Promise result = Promise::wins;

    static constexpr auto fields() { return std::tuple{Field{"side", &Claim::side}, Field{"result", &Claim::result}}; }
};

// The rival's cell, and its answers: the first of these cells that is playable is the keeper's reply.
using CellAnswer = std::pair<Cell, std::vector<Cell>>;

// One board of an explanation, as stored in files.
struct Page {
    std::optional<int> drop{};  // the keeper's drop before the rival's turn
    std::vector<int> force{};   // a force: the keeper's drops; such a page has nothing else
    std::vector<CellAnswer> answers{};
    std::vector<std::pair<int, int>> replies{};  // the rival's next column, and the page for the board after it

    static constexpr auto fields() {
        return std::tuple{Field{"drop", &Page::drop}, Field{"force", &Page::force}, Field{"answers", &Page::answers},
                          Field{"replies", &Page::replies}};
    }
};

inline Side side_to_move(const Board& position) { return Side(count_bits(position.all) % 2); }
inline Side other_than(Side side) { return side == Side::first ? Side::second : Side::first; }

enum class PageKind { force, strategy, tree };
constexpr auto names_of(PageKind) { return std::array{"force", "strategy", "tree"}; }

inline PageKind kind_of(const Page& page) {
    if (!page.force.empty()) return PageKind::force;
    return page.replies.empty() ? PageKind::strategy : PageKind::tree;
}

struct ExplainOptions {
    int max_boards = 15;
    std::uint64_t max_work = 400'000;  // the limit on positions visited in the search for one table of answers
    int max_alternative_columns = 2;   // tables with other columns split off are tried, up to so many columns
};

constexpr int max_readable_boards = 3;      // an explanation with more boards may be worth another search
constexpr double min_claim_seconds = 1e-3;  // the shortest time limit for one claim

// Pages that may prove the claim, the first page for the position itself; none if the search fails within the limits. A
// time limit always applies, at least `min_claim_seconds`.
std::optional<std::vector<Page>> explain(Solver& solver, const Board& position, const Claim& claim,
                                         const ExplainOptions& options, SearchLimits limits);

}  // namespace connectk::why
