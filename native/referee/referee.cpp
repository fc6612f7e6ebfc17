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

// How far the moves of a file go before each kind of trouble; all are numbers of moves.
struct Extent {
    std::size_t conforming;  // until a line that does not conform, or the end of the file
    std::size_t on_board;    // until a column greater than the width
    std::size_t with_room;   // until a drop into a full column

    static Extent all_fine(std::size_t moves) { return {moves, moves, moves}; }
};

struct Filling {
    std::size_t with_room;
    std::size_t tallest;  // discs in the highest column
};

template <class Column>
Filling fill(const Placement<Column>& placement, std::uint64_t height) {
    std::vector<Column> heights(placement.width);
    std::size_t drop = 0;
    for (; drop < placement.places.size(); ++drop) {
        const Column place = placement.places[drop];
        if (place == placement.nowhere) continue;
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

std::vector<Offence> offences(const Extent& extent, bool conforms, bool impossible,
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

// What is left to say of a game without an offence.
Code result(const Header& header, std::size_t moves, const std::optional<WinningDrop>& win) {
    if (win) return win->side == 0 ? Code::first_wins : Code::second_wins;
    return is_full(header, moves) ? Code::draw : Code::incomplete;
}

Verdict verdict(const Header& header, const Extent& extent, bool conforms, std::optional<WinningDrop> win) {
    Verdict verdict{.code = result(header, extent.conforming, win), .moves = extent.conforming};
    assert(extent.with_room <= extent.on_board && extent.on_board <= extent.conforming);
    // From the gravest down, so that of two offences on one line the graver is the first.
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

// `moves` are the first ones, all on the board, at most one more than fit; the extent is known but for with_room;
// `written` says how the file wrote a move.
template <class Column, class Written>
Verdict judge_moves(const Header& header, std::span<const Column> moves, Extent extent, bool conforms,
                    Written written) {
    if (is_impossible(header)) return verdict(header, Extent::all_fine(extent.conforming), conforms, {});
    const std::uint64_t height = header.height.clamped(), run = header.run.clamped();
    const Placer<Column> placer(moves, height, run);
    Placement<Column> placement = placer.placement();
    const Filling filling = fill(placement, height);
    if (filling.with_room < moves.size()) extent.with_room = filling.with_room;
    placement.places = placement.places.first(filling.with_room);
    std::optional<WinningDrop> win;
    if (std::optional<Win> found = LineSearch<Column>(placement, filling.tallest, run).first_win()) {
        win = WinningDrop{static_cast<int>(found->drop % 2), line_of_move(found->drop), written(found->drop),
                          std::move(found->cells)};
    }
    return verdict(header, extent, conforms, std::move(win));
}

// Discs that fill the board and one more, or `enough` if that is less: no later move is legal.
std::size_t most_moves_that_matter(const Header& header, std::size_t enough) {
    const std::uint64_t width = header.width.clamped(), height = header.height.clamped();
    return height < enough / width ? static_cast<std::size_t>(width * height) + 1 : enough;
}

template <class Column>
std::size_t count_on_board(std::span<const Column> moves, Column width) {
    const auto off_board = std::find_if(moves.begin(), moves.end(), [=](Column column) { return column > width; });
    return static_cast<std::size_t>(off_board - moves.begin());
}

// Moves that come too late to be legal still have to conform, and to name columns of the board.
template <class Column>
void look_over_rest(GameFileReader& reader, Column width, Extent& extent) {
    constexpr std::size_t moves_at_once = 4096;
    for (Columns<Column> moves(moves_at_once); !reader.finished(); moves.clear()) {
        reader.append_columns(moves);
        if (moves.values().empty()) return;
        if (extent.on_board == extent.conforming) extent.on_board += count_on_board(moves.values(), width);
        extent.conforming += moves.values().size();
    }
}

template <class Column>
Verdict judge_as(const Header& header, GameFileReader& reader) {
    const auto width = static_cast<Column>(header.width.clamped());
    Columns<Column> columns(most_moves_that_matter(header, reader.most_moves_left()));
    reader.append_columns(columns);
    const std::span<const Column> moves = columns.values();
    const std::size_t on_board = count_on_board(moves, width);
    Extent extent = Extent::all_fine(moves.size());
    if (on_board < moves.size()) extent.on_board = extent.with_room = on_board;
    look_over_rest(reader, width, extent);
    return judge_moves<Column>(header, moves.first(on_board), extent, reader.finished(),
                               [&](std::size_t drop) { return std::to_string(moves[drop]); });
}

Verdict judge_beyond_integers(const Header& header, GameFileReader& reader) {
    const std::vector<WrittenNumber> moves = reader.numbers();
    const auto off_board =
        std::find_if(moves.begin(), moves.end(), [&](const WrittenNumber& column) { return column > header.width; });
    const std::vector<std::uint64_t> on_board = closed_up({moves.begin(), off_board});
    return judge_moves<std::uint64_t>(header, on_board, {moves.size(), on_board.size(), on_board.size()},
                                      reader.finished(),
                                      [&](std::size_t drop) { return std::string(moves[drop].digits); });
}

// The largest Column stands for numbers that are larger still, so the width has to be smaller.
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
    return judge_beyond_integers(*header, reader);
}

Verdict judge_file(const std::string& path) {
    const std::optional<FileBytes> bytes = read_file(path);
    return bytes ? judge(bytes->view()) : Verdict{.code = Code::file_error};
}

}  // namespace connectk
