#include "ledger.hpp"

#include <array>
#include <map>
#include <set>

namespace connectk::analysis {
namespace {

using Threats = std::array<std::set<Cell>, 2>;

// The row of the lowest threat of each column that has one.
std::map<int, int> lowest_rows(const Threats& threats) {
    std::map<int, int> rows;
    for (const auto& cells : threats)
        for (const auto& [column, row] : cells) {
            const auto [known, is_new] = rows.insert({column, row});
            if (!is_new && row < known->second) known->second = row;
        }
    return rows;
}

std::optional<HarmlessCount> count_harmless(const GameBoard& board, const Threats& threats) {
    const std::map<int, int> lowest = lowest_rows(threats);
    if (lowest.empty()) return std::nullopt;
    std::int64_t beneath = 0;  // the number of cells that are not harmless
    for (const auto& [column, row] : lowest) {
        if (row == board.height_of(column)) return std::nullopt;
        beneath += board.variant().height - (row - 1);
    }
    HarmlessCount count{.cells = int(board.cells() - board.ply() - beneath)};
    const int loser = (board.side_to_move() + count.cells) % 2;
    count.runs_out = Side(loser);
    for (const auto& [column, row] : lowest)
        if (!threats[std::size_t(1 - loser)].contains({column, row})) return count;
    count.winner = Side(1 - loser);
    return count;
}

ThreatCells by_parity(const std::set<Cell>& cells) {
    ThreatCells found;
    for (const Cell& cell : cells) (cell.second % 2 ? found.even : found.odd).push_back(cell);
    return found;
}

}  // namespace

Ledger ledger_of(const GameBoard& board) {
    if (board.over()) return {};
    const Threats threats{board.threats(0), board.threats(1)};
    return {{by_parity(threats[0]), by_parity(threats[1])}, count_harmless(board, threats)};
}

}  // namespace connectk::analysis
