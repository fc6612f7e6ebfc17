#include "perft.hpp"

#include <string>
#include <unordered_set>

#include "game_board.hpp"

namespace connectk {
namespace {

std::uint64_t sequences(GameBoard& board, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    for (const int column : board.legal_columns()) {
        board.drop(column);
        total += sequences(board, depth - 1);
        board.undo();
    }
    return total;
}

}  // namespace

std::uint64_t perft(Variant variant, int depth) {
    GameBoard board(variant);
    return sequences(board, depth);
}

std::vector<std::uint64_t> count_positions(Variant variant, int depth) {
    std::vector<std::uint64_t> counts{1};
    std::vector<std::vector<int>> layer{{}};  // for each distinct position, one sequence of drops that leads to it
    while (static_cast<int>(counts.size()) <= depth) {
        std::unordered_set<std::string> seen;
        std::vector<std::vector<int>> next;
        for (const auto& drops : layer) {
            GameBoard board(variant);
            for (const int column : drops) board.drop(column);
            for (const int column : board.legal_columns()) {
                board.drop(column);
                if (seen.insert(board.key()).second) next.push_back(board.drops());
                board.undo();
            }
        }
        counts.push_back(next.size());
        layer = std::move(next);
    }
    return counts;
}

}  // namespace connectk
