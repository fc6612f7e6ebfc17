// Searches a few positions of every kind of board with one thread and prints their scores and node counts. It needs
// neither exceptions nor threads, so it runs wherever the search compiles, and must print the same everywhere.
#include "solver/searcher.hpp"

#include <cstdio>

using namespace connectk;

namespace {

struct Case {
    Variant variant;
    const char* moves;
};

// Every height with a search of its own, then boards of two words, then the general searches.
constexpr Case cases[] = {
    {{7, 6, 4}, "343344214752647"},
    {{6, 2, 4}, ""},
    {{7, 3, 4}, ""},
    {{6, 4, 4}, ""},
    {{5, 5, 4}, ""},
    {{5, 6, 4}, "3333"},
    {{5, 7, 4}, "3333"},
    {{4, 8, 4}, "2222"},
    {{4, 9, 4}, "222233"},
    {{4, 10, 4}, "22223333"},
    {{4, 11, 4}, "32423311433422"},
    {{4, 12, 4}, "34142343443331441424"},
    {{4, 13, 4}, "113222424433433222443411"},
    {{4, 14, 4}, "414141221124342221134134231131"},
    {{4, 15, 4}, "212334131221323332221114"},
    {{8, 7, 4}, "1326384178672446167572"},
    {{10, 6, 4}, ""},
    {{9, 7, 4}, "941135999323386179523715598528444591721"},
    {{8, 8, 4}, ""},
    {{7, 9, 4}, ""},
    {{9, 9, 5}, "458251758533898693791245221672781224235833373251"},
    {{5, 4, 3}, ""},
    {{6, 5, 5}, "33"},
};

Board board_after(const Variant& v, const char* moves) {
    Board board;
    for (; *moves; ++moves) {
        const int foot = (*moves <= '9' ? *moves - '1' : *moves - 'a' + 9) * (v.height + 1);
        const Bits cell = (board.all + bit_at<Bits>(foot)) & (ones<Bits>(v.height) << foot);
        board = {board.all ^ board.own, board.all | cell};
    }
    return board;
}

void report(const Case& one) {
    const auto searcher = searchers::portable::make(one.variant, std::size_t(1) << 20, Path::automatic);
    const Board board = board_after(one.variant, one.moves);
    Limits limits;
    limits.max_nodes = 100'000;
    Watch watch(limits);
    Shared shared{watch};
    Bounds found = searcher->glance(board);
    while (!found.exact()) {
        const int target = (found.lower + found.upper + 1) >> 1;
        const int value = searcher->ask(board, target, shared);
        if (value == no_answer) break;
        (value >= target ? found.lower : found.upper) = value;
    }
    const auto [width, height, run] = one.variant;
    std::printf("%dx%dx%d %s: %d to %d, %llu nodes\n", width, height, run, one.moves, found.lower, found.upper,
                static_cast<unsigned long long>(watch.nodes()));
}

}  // namespace

int main() {
    for (const Case& one : cases) report(one);
}
