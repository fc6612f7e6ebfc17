// Reads the numbers of a game file. This code knows the file format but not the rules of the game.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace connectk {

/// A positive integer of any length, kept as the digits in the file without leading zeros.
struct WrittenNumber {
    std::string_view digits;

    /// The value, or the largest std::uint64_t if the number is larger.
    std::uint64_t clamped() const;
};

std::strong_ordering operator<=>(const WrittenNumber& a, const WrittenNumber& b);
bool operator==(const WrittenNumber& a, const WrittenNumber& b);

/// Whether b is a plus one.
bool is_successor(const WrittenNumber& a, const WrittenNumber& b);

/// Line 1 of a game file.
struct Header {
    WrittenNumber width, height, run;
};

/// Moves as integers from 1; a number too large for Column becomes the largest Column.
template <class Column>
class Columns {
public:
    explicit Columns(std::size_t capacity)
        : values_(std::make_unique_for_overwrite<Column[]>(capacity)), capacity_(capacity) {}

    void append(std::uint64_t value) {
        assert(value > 0 && size_ < capacity_);
        constexpr std::uint64_t max_value = std::numeric_limits<Column>::max();
        values_[size_++] = static_cast<Column>(std::min(value, max_value));
    }
    void clear() { size_ = 0; }
    std::size_t room() const { return capacity_ - size_; }
    std::span<const Column> values() const { return {values_.get(), size_}; }

private:
    std::unique_ptr<Column[]> values_;  // not a vector, which would write or check every element twice
    std::size_t capacity_;
    std::size_t size_ = 0;
};

/// Reads a game file line by line and stops at the first line that does not conform.
class GameFileReader {
public:
    explicit GameFileReader(std::span<const char> bytes);

    /// Reads line 1; returns nothing if the line does not conform.
    std::optional<Header> header();

    /// The moves on all further lines, up to the end of the file or to the first line that does not conform.
    std::vector<WrittenNumber> numbers();

    /// The same moves as integers, as far as there is room for them.
    template <class Column>
    void append_columns(Columns<Column>& columns);

    /// Whether everything has been read and all of it conforms.
    bool finished() const { return at_ == end_; }

    /// The largest number of moves that can follow: a move takes at least a digit and a line end.
    std::size_t max_moves_left() const { return static_cast<std::size_t>(end_ - at_) / 2 + 1; }

private:
    void skip_blanks();
    bool skip_line_end();
    std::optional<WrittenNumber> number();
    std::optional<WrittenNumber> number_line();
    template <class Column>
    void append_plain_lines(Columns<Column>& columns);

    const char* at_;  // the start of the first line not yet read
    const char* end_;
};

}  // namespace connectk
