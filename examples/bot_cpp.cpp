// A bot in C++ that knows the swap rule: it completes lines, blocks them, and otherwise drops near the middle.
//
//     c++ -std=c++17 -O2 -o bot_cpp examples/bot_cpp.cpp
//     connectk arena ./bot_cpp random --games 20 --swap
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Board {
    int width = 7, height = 6, run = 4;
    std::vector<std::string> rows;  // the top row first

    char cell(int column, int row) const {
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        return inside ? rows[std::size_t(height - 1 - row)][std::size_t(column)] : '#';
    }

    int discs(int column) const {
        int row = 0;
        while (row < height && cell(column, row) != '.') ++row;
        return row;
    }

    char side_to_move() const {
        int balance = 0;
        for (const auto& row : rows)
            for (const char disc : row) balance += (disc == 'x') - (disc == 'o');
        return balance > 0 ? 'o' : 'x';
    }

    bool completes_line(int column, char side) const {
        const int row = discs(column);
        for (const auto& [right, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
            int length = 1;
            for (const int way : {1, -1})
                for (int step = way; cell(column + step * right, row + step * up) == side; step += way) ++length;
            if (length >= run) return true;
        }
        return false;
    }

    int value(int column) const {
        const char me = side_to_move();
        if (completes_line(column, me)) return 3 * width;
        if (completes_line(column, me == 'x' ? 'o' : 'x')) return 2 * width;
        return width - std::abs(2 * column - (width - 1));
    }

    int best_column() const {
        int best = -1;
        for (int column = 0; column < width; ++column)
            if (discs(column) < height && (best < 0 || value(column) > value(best))) best = column;
        return best;
    }

    // Whether the disc that lies there is near the middle, where a first disc is worth most.
    bool is_worth_taking() const {
        for (int column = width / 3; column < width - width / 3; ++column)
            if (cell(column, 0) == 'x') return true;
        return false;
    }
};

int main() {
    Board board;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, value;
        words >> command >> value;
        if (command == "connectk") {
            std::cout << "name bot in C++\nswap\nready" << std::endl;
        } else if (command == "variant") {
            char times = 'x';
            std::istringstream(value) >> board.width >> times >> board.height >> times >> board.run;
        } else if (command == "position") {
            board.rows.clear();
            std::istringstream rows(value);
            for (std::string row; std::getline(rows, row, '/');) board.rows.push_back(row);
        } else if (command == "swap") {
            std::cout << (board.is_worth_taking() ? "swap" : "keep") << std::endl;
        } else if (command == "go") {
            std::cout << "bestmove " << board.best_column() + 1 << std::endl;
        } else if (command == "quit") {
            break;
        }
    }
}
