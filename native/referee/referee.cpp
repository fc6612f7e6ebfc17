#include "referee.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "gamefile.hpp"
#include "placement.hpp"
#include "read_file.hpp"

namespace connectk {

namespace {

constexpr std::size_t line_of_move(std::size_t index) { return index + 2; }  // line 1 is the header

// The number of moves that come before each kind of error.
struct LegalMoves {
    std::size_t conforming;  // before a line that does not conform, or the end of the file
    std::size_t on_board;    // before a column greater than the width
    std::size_t with_room;   // before a drop into a full column

    static LegalMoves all_legal(std::size_t moves) { return {moves, moves, moves}; }
};

struct ColumnFill {
    std::size_t with_room;
    std::size_t tallest;  // discs in the highest column
};

template <class Column>
ColumnFill fill(const Placement<Column>& placement, std::uint64_t height) {
    std::vector<Column> heights(placement.width);
    std::size_t drop = 0;
    for (; drop < placement.places.size(); ++drop) {
        const Column place = placement.places[drop];
        if (place == placement.irrelevant) continue;
        assert(place - placement.base < placement.width);
        Column& discs = heights[place - placement.base];
        if (discs == height) break;
        ++discs;
    }
    const auto tallest = std::max_element(heights.begin(), heights.end());
    return {drop, tallest == heights.end() ? 0 : static_cast<std::size_t>(*tallest)};
}

bool is_impossible(const Header& header) { return header.run > header.width && header.run > header.height; }

bool is_full(const Header& header, std::size_t discs) {
    const std::uint64_t width = header.width.clamped();
    return discs % width == 0 && discs / width == header.height.clamped();
}

Verdict invalid(std::size_t line) {
    const Offence offence{Code::invalid_file, line};
    return {.code = offence.code, .offence = offence, .first_offence = offence};
}

std::vector<Offence> offences(const LegalMoves& extent, bool conforms, bool impossible,
                              const std::optional<WinningDrop>& win) {
    std::vector<Offence> found;
    if (!conforms) found.push_back({Code::invalid_file, line_of_move(extent.conforming)});
    if (impossible) found.push_back({Code::illegal_game, 1});
    if (extent.on_board < extent.conforming) found.push_back({Code::illegal_column, line_of_move(extent.on_board)});
    if (extent.with_room < extent.on_board) found.push_back({Code::illegal_row, line_of_move(extent.with_room)});
    const bool continued = win && win->line + 1 < line_of_move(extent.conforming);
    if (continued) found.push_back({Code::illegal_continue, win->line + 1});
    return found;
}

// The code of a game without an offence.
Code result(const Header& header, std::size_t moves, const std::optional<WinningDrop>& win) {
    if (win) return win->side == 0 ? Code::first_wins : Code::second_wins;
    return is_full(header, moves) ? Code::draw : Code::incomplete;
}

Verdict verdict(const Header& header, const LegalMoves& extent, bool conforms, std::optional<WinningDrop> win) {
    Verdict verdict{.code = result(header, extent.conforming, win), .moves = extent.conforming};
    assert(extent.with_room <= extent.on_board && extent.on_board <= extent.conforming);
    // The most serious offence comes first, so that it is the one reported if one line has two.
    const std::vector<Offence> found = offences(extent, conforms, is_impossible(header), win);
    if (!found.empty()) {
        verdict.code = found.front().code;
        verdict.offence = found.front();
        verdict.first_offence = *std::min_element(found.begin(), found.end(),
                                                  [](const Offence& a, const Offence& b) { return a.line < b.line; });
    }
    verdict.win = std::move(win);
    return verdict;
}

// Judges the first moves of a game. All `moves` are on the board, and there is at most one more than the board has
// cells. `extent` is known except for with_room; `written` returns a move as it is written in the file.
template <class Column, class Written>
Verdict judge_moves(const Header& header, std::span<const Column> moves, LegalMoves extent, bool conforms,
                    Written written) {
    if (is_impossible(header)) return verdict(header, LegalMoves::all_legal(extent.conforming), conforms, {});
    const std::uint64_t height = header.height.clamped(), run = header.run.clamped();
    const ColumnCompressor<Column> compressor(moves, height, run);
    Placement<Column> placement = compressor.placement();
    const ColumnFill filling = fill(placement, height);
    if (filling.with_room < moves.size()) extent.with_room = filling.with_room;
    placement.places = placement.places.first(filling.with_room);
    std::optional<WinningDrop> win;
    if (std::optional<Win> found = LineSearch<Column>(placement, filling.tallest, run).first_win()) {
        win = WinningDrop{static_cast<int>(found->drop % 2), line_of_move(found->drop), written(found->drop),
                          std::move(found->cells)};
    }
    return verdict(header, extent, conforms, std::move(win));
}

// The number of cells plus one, since no later move can be legal, or `min_discs` if that is less.
std::size_t max_relevant_moves(const Header& header, std::size_t min_discs) {
    const std::uint64_t width = header.width.clamped(), height = header.height.clamped();
    return height < min_discs / width ? static_cast<std::size_t>(width * height) + 1 : min_discs;
}

template <class Column>
std::size_t count_on_board(std::span<const Column> moves, Column width) {
    const auto off_board = std::find_if(moves.begin(), moves.end(), [=](Column column) { return column > width; });
    return static_cast<std::size_t>(off_board - moves.begin());
}

// Checks the moves that come too late to be legal: they still have to conform and to name columns of the board.
template <class Column>
void check_remaining_moves(GameFileReader& reader, Column width, LegalMoves& extent) {
    constexpr std::size_t moves_per_batch = 4096;
    for (Columns<Column> moves(moves_per_batch); !reader.finished(); moves.clear()) {
        reader.append_columns(moves);
        if (moves.values().empty()) return;
        if (extent.on_board == extent.conforming) extent.on_board += count_on_board(moves.values(), width);
        extent.conforming += moves.values().size();
    }
}

template <class Column>
Verdict judge_as(const Header& header, GameFileReader& reader) {
    const auto width = static_cast<Column>(header.width.clamped());
    Columns<Column> columns(max_relevant_moves(header, reader.max_moves_left()));
    reader.append_columns(columns);
    const std::span<const Column> moves = columns.values();
    const std::size_t on_board = count_on_board(moves, width);
    LegalMoves extent = LegalMoves::all_legal(moves.size());
    if (on_board < moves.size()) extent.on_board = extent.with_room = on_board;
    check_remaining_moves(reader, width, extent);
    return judge_moves<Column>(header, moves.first(on_board), extent, reader.finished(),
                               [&](std::size_t drop) { return std::to_string(moves[drop]); });
}

Verdict judge_huge_numbers(const Header& header, GameFileReader& reader) {
    const std::vector<WrittenNumber> moves = reader.numbers();
    const auto off_board =
        std::find_if(moves.begin(), moves.end(), [&](const WrittenNumber& column) { return column > header.width; });
    const std::vector<std::uint64_t> on_board = compressed_columns({moves.begin(), off_board});
    return judge_moves<std::uint64_t>(header, on_board, {moves.size(), on_board.size(), on_board.size()},
                                      reader.finished(),
                                      [&](std::size_t drop) { return std::string(moves[drop].digits); });
}

// Whether a number is smaller than the largest Column, which stands for all larger numbers.
template <class Column>
bool fits(std::uint64_t number) {
    return number < std::numeric_limits<Column>::max();
}

}  // namespace

Verdict judge(std::span<const char> bytes) {
    GameFileReader reader(bytes);
    const std::optional<Header> header = reader.header();
    if (!header) return invalid(1);
    const std::uint64_t width = header->width.clamped();
    const std::uint64_t largest = std::max<std::uint64_t>(width, bytes.size());
    if (fits<std::uint32_t>(largest)) return judge_as<std::uint32_t>(*header, reader);
    if (fits<std::uint64_t>(width)) return judge_as<std::uint64_t>(*header, reader);
    return judge_huge_numbers(*header, reader);
}

Verdict judge_file(const std::string& path) {
    const std::optional<FileBytes> bytes = read_file(path);
    return bytes ? judge(bytes->view()) : Verdict{.code = Code::file_error};
}

}  // namespace connectk
