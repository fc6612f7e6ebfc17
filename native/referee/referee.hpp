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
    int side;  // 0: the side that moves first
    std::size_t line;
    std::string column;  // digits without leading zeros, as the number, from 1, may exceed every integer type
    std::vector<CellBeside> cells;  // all cells of all lines the disc completes
};

struct Verdict {
    Code code = Code::incomplete;
    std::size_t moves = 0;                      // the number of lines after line 1, up to a line that does not conform
    std::optional<Offence> offence = {};        // the most serious offence
    std::optional<Offence> first_offence = {};  // the first offence in the file
    std::optional<WinningDrop> win = {};
};

Verdict judge(std::span<const char> bytes);

/// Judges a file; its name is in the encoding of the file system.
Verdict judge_file(const std::string& path);

}  // namespace connectk
