#include "gamefile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace connectk {

namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

constexpr std::uint64_t every_byte(std::uint64_t byte) { return byte * 0x0101010101010101; }

// Loads eight characters as a word; byte i of the little-endian word is the i-th character.
std::uint64_t load(const char* at) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

// The value of the first `count` characters of a word, 1 to 8; nothing if one of them is no digit. The code shifts the
// other characters out, then combines neighbouring numbers of 1, 2 and 4 digits.
std::optional<std::uint64_t> value_of_digits(std::uint64_t word, std::size_t count) {
    assert(count >= 1 && count <= 8);
    const auto push = static_cast<unsigned>(64 - 8 * count);
    std::uint64_t v = word << push ^ every_byte('0') << push;
    if ((((v + every_byte(0x76)) | v) & every_byte(0x80)) != 0) return std::nullopt;  // at least one byte is above 9
    v = (v * 10 + (v >> 8)) & 0x00FF00FF00FF00FF;
    v = (v * 100 + (v >> 16)) & 0x0000FFFF0000FFFF;
    return (v * 10000 + (v >> 32)) & 0xFFFFFFFF;
}

constexpr std::uint64_t powers_of_ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// The value of a line that is 1 to 16 digits and nothing else, and not zero; 0 for any other line.
std::uint64_t value_of_line(const char* line, std::size_t length) {
    if (length - 1 < 8) return value_of_digits(load(line), length).value_or(0);
    if (length - 1 >= 16) return 0;
    const auto high = value_of_digits(load(line), 8);
    const auto low = value_of_digits(load(line + 8), length - 8);
    return high && low ? *high * powers_of_ten[length - 8] + *low : 0;
}

// Bit i says whether byte i of a block is a line feed.
constexpr std::ptrdiff_t block_size = 64;

std::uint64_t line_feeds(const char* block) {
    std::uint64_t found = 0;
    for (unsigned i = 0; i < block_size; i += 8) {
        const std::uint64_t others = load(block + i) ^ every_byte('\n');
        const std::uint64_t zeros = ~(((others & every_byte(0x7F)) + every_byte(0x7F)) | others | every_byte(0x7F));
        found |= (zeros >> 7) * 0x0102040810204080 >> 56 << i;
    }
    return found;
}

}  // namespace

std::uint64_t WrittenNumber::clamped() const {
    constexpr std::uint64_t max_value = std::numeric_limits<std::uint64_t>::max();
    assert(!digits.empty() && digits[0] != '0');
    std::uint64_t value = 0;
    for (const char byte : digits) {
        const auto digit = static_cast<std::uint64_t>(byte - '0');
        if (value > (max_value - digit) / 10) return max_value;
        value = value * 10 + digit;
    }
    return value;
}

std::strong_ordering operator<=>(const WrittenNumber& a, const WrittenNumber& b) {
    if (a.digits.size() != b.digits.size()) return a.digits.size() <=> b.digits.size();
    return a.digits.compare(b.digits) <=> 0;
}

bool operator==(const WrittenNumber& a, const WrittenNumber& b) { return a.digits == b.digits; }

// Two successive numbers, such as 12999 and 13000, start with the same digits; then d is followed by nines in the first
// and d+1 by zeros in the second.
bool is_successor(const WrittenNumber& a, const WrittenNumber& b) {
    const std::string_view low = a.digits, high = b.digits;
    const std::size_t nines = low.size() - (low.find_last_not_of('9') + 1);
    const std::size_t zeros = high.size() - (high.find_last_not_of('0') + 1);
    if (nines == low.size()) return high.size() == low.size() + 1 && high[0] == '1' && zeros == low.size();
    if (low.size() != high.size() || zeros < nines) return false;
    const std::size_t step = low.size() - nines - 1;
    return high[step] == low[step] + 1 && low.substr(0, step) == high.substr(0, step);
}

GameFileReader::GameFileReader(std::span<const char> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

std::optional<Header> GameFileReader::header() {
    Header header;
    for (WrittenNumber* field : {&header.width, &header.height, &header.run}) {
        const char* const before = at_;
        skip_blanks();
        if (field != &header.width && at_ == before) return std::nullopt;
        const std::optional<WrittenNumber> value = number();
        if (!value) return std::nullopt;
        *field = *value;
    }
    skip_blanks();
    if (!skip_line_end()) return std::nullopt;
    return header;
}

std::vector<WrittenNumber> GameFileReader::numbers() {
    std::vector<WrittenNumber> numbers;
    while (!finished()) {
        const std::optional<WrittenNumber> move = number_line();
        if (!move) break;
        numbers.push_back(*move);
    }
    return numbers;
}

template <class Column>
void GameFileReader::append_columns(Columns<Column>& columns) {
    while (!finished() && columns.room() > 0) {
        append_plain_lines(columns);
        if (finished() || columns.room() == 0) break;
        const std::optional<WrittenNumber> move = number_line();
        if (!move) break;
        columns.append(move->clamped());
    }
}

// Reads lines of 1 to 16 digits that end with LF or CRLF, as nearly all lines do, until another kind of line comes.
// That line, and lines in the last few bytes of the file, are left to number_line(). Line ends are found a block ahead,
// so that no line has to wait for the length of the line before.
template <class Column>
void GameFileReader::append_plain_lines(Columns<Column>& columns) {
    if constexpr (std::endian::native != std::endian::little) return;
    constexpr std::ptrdiff_t bytes_read_from_line_start = 16;
    constexpr std::size_t max_lines_in_block = block_size / 2;
    const char* line = at_;
    const auto append_line = [&](const char* feed) {
        assert(feed >= line && *feed == '\n');
        const auto length = static_cast<std::size_t>(feed - line);
        const bool with_cr = length > 0 && feed[-1] == '\r';
        const std::uint64_t value = value_of_line(line, with_cr ? length - 1 : length);
        if (value == 0) return false;
        columns.append(value);
        line = feed + 1;
        return true;
    };
    const auto readable = [&](const char* block) {
        return end_ - block >= block_size + bytes_read_from_line_start && columns.room() >= max_lines_in_block;
    };
    bool plain = true;
    for (const char* block = at_; plain && readable(block); block += block_size) {
        for (std::uint64_t feeds = line_feeds(block); plain && feeds != 0; feeds &= feeds - 1)
            plain = append_line(block + std::countr_zero(feeds));
        plain &= line > block;
    }
    at_ = line;
}

template void GameFileReader::append_columns(Columns<std::uint32_t>&);
template void GameFileReader::append_columns(Columns<std::uint64_t>&);

// Reads one line; if the line does not conform, at_ stays at its start.
std::optional<WrittenNumber> GameFileReader::number_line() {
    const char* const start = at_;
    skip_blanks();
    const std::optional<WrittenNumber> value = number();
    skip_blanks();
    if (value && skip_line_end()) return value;
    at_ = start;
    return std::nullopt;
}

std::optional<WrittenNumber> GameFileReader::number() {
    const char* const past = std::find_if_not(at_, end_, is_digit);
    const char* const start = std::find_if_not(at_, past, [](char byte) { return byte == '0'; });
    at_ = past;
    if (start == past) return std::nullopt;  // the line has no digit, or its value is zero
    return WrittenNumber{std::string_view(start, past)};
}

void GameFileReader::skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
}

// Skips LF, CRLF or CR; returns false if there is neither a line end nor the end of the file.
bool GameFileReader::skip_line_end() {
    if (at_ == end_) return true;
    if (*at_ == '\n') return ++at_, true;
    if (*at_ != '\r') return false;
    ++at_;
    if (at_ != end_ && *at_ == '\n') ++at_;
    return true;
}

}  // namespace connectk
