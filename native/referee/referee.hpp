// The referee on bytes: the verdict of a whole game file, as fast as its numbers can be read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "line_search.hpp"

namespace connectk {

enum class Code {
    draw = 0,
    first_wins = 1,
    second_wins = 2,
    incomplete = 3,
    illegal_continue = 4,
    illegal_row = 5,
    illegal_column = 6,
    illegal_game = 7,
    invalid_file = 8,
    file_error = 9,
};

/// A broken rule and the line, counted from 1, that breaks it.
struct Offence {
    Code code;
    std::size_t line;
};

/// The winning disc of a game that was won before anything in its file was wrong.
struct WinningDrop {
    int side;  // 0 is the player who moves first
    std::size_t line;
    std::string column;             // as written, from 1, without leading zeros: it may be longer than any integer
    std::vector<CellBeside> cells;  // all cells of all lines the disc completes
};

struct Verdict {
    Code code = Code::incomplete;
    std::size_t moves = 0;                      // lines after the first, up to one that does not conform
    std::optional<Offence> offence = {};        // the gravest
    std::optional<Offence> first_offence = {};  // the first in the file
    std::optional<WinningDrop> win = {};
};

Verdict judge(std::span<const char> bytes);

/// The same for a file, whose name is in the encoding of the file system.
Verdict judge_file(const std::string& path);

}  // namespace connectk
