// The bytes of a book file, little-endian throughout (docs/book.md draws the layout).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../throw_or_abort.hpp"

namespace connectk::book {

// Raised for a file that is not a book or is damaged.
struct BookError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

constexpr std::string_view magic = "connectk book 1\n";
constexpr int layer_step = 4;             // every fourth number of discs is stored; a short search covers the rest
constexpr std::size_t padding_bytes = 8;  // padding, so that a read of 64 bits near the end stays inside the file
constexpr std::uint64_t key_salt = 0x2545f4914f6cdd1dull;

// The checksum of the bytes. A change of a single 64-bit word always changes it, as each step is one-to-one.
inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t sum = 0xcbf29ce484222325ull ^ bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        const std::size_t here = bytes.size() - at < 8 ? bytes.size() - at : 8;
        for (std::size_t i = 0; i < here; ++i) word |= std::uint64_t{bytes[at + i]} << (8 * i);
        sum = (sum ^ word) * 0x100000001b3ull;
        sum ^= sum >> 29;
    }
    return sum;
}

class ByteWriter {
public:
    void text(std::string_view s) { bytes_.insert(bytes_.end(), s.begin(), s.end()); }
    void number(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void signed_number(std::int64_t value, int size) { number(static_cast<std::uint64_t>(value), size); }
    void append(std::span<const std::uint8_t> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
    std::size_t size() const { return bytes_.size(); }
    void overwrite(std::size_t at, std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i)
            bytes_[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    std::vector<std::uint8_t>& bytes() { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::span<const std::uint8_t> take(std::size_t size) {
        if (size > bytes_.size() - at_)
            throw_or_abort<BookError>("the opening book is damaged: a table runs past its end");
        at_ += size;
        return bytes_.subspan(at_ - size, size);
    }
    std::uint64_t number(int size) {
        const auto raw = take(static_cast<std::size_t>(size));
        std::uint64_t value = 0;
        for (int i = 0; i < size; ++i) value |= std::uint64_t{raw[static_cast<std::size_t>(i)]} << (8 * i);
        return value;
    }
    std::int64_t signed_number(int size) {
        const int unused = 64 - 8 * size;
        return static_cast<std::int64_t>(number(size) << unused) >> unused;
    }
    std::size_t at() const { return at_; }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

// The fixed part of the file: the variant and depth of the book, and the sizes of its tables.
struct Header {
    int width = 0, height = 0, run = 0;
    int discs = 0;                // the largest number of discs of a position in the book
    int symbols = 0, lowest = 0;  // symbol s stands for the score lowest + s of the first player
    std::uint32_t score_cuts = 0, spread_cuts = 0, weights = 0, shards = 0;
    std::uint64_t entries = 0;  // stored positions
    std::uint64_t file_size = 0;

    static constexpr std::size_t file_size_at = magic.size() + 6 + 4 * 4 + 8;
};

inline void write_header(ByteWriter& out, const Header& h) {
    out.text(magic);
    for (int small : {h.width, h.height, h.run, h.discs, h.symbols}) out.number(static_cast<std::uint64_t>(small), 1);
    out.signed_number(h.lowest, 1);
    for (std::uint32_t count : {h.score_cuts, h.spread_cuts, h.weights, h.shards}) out.number(count, 4);
    out.number(h.entries, 8);
    out.number(h.file_size, 8);
}

// Checks the whole file: its kind, its length and its checksum.
inline Header read_header(std::span<const std::uint8_t> file, ByteReader& in) {
    const auto kind = std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).substr(0, magic.size());
    if (kind != magic) throw_or_abort<BookError>("not an opening book of this version of connectk");
    if (file.size() < Header::file_size_at + 16) throw_or_abort<BookError>("the opening book is cut short");
    in.take(magic.size());
    Header h;
    for (int* small : {&h.width, &h.height, &h.run, &h.discs, &h.symbols}) *small = static_cast<int>(in.number(1));
    h.lowest = static_cast<int>(in.signed_number(1));
    for (std::uint32_t* count : {&h.score_cuts, &h.spread_cuts, &h.weights, &h.shards})
        *count = static_cast<std::uint32_t>(in.number(4));
    h.entries = in.number(8);
    h.file_size = in.number(8);
    if (file.size() < h.file_size)
        throw_or_abort<BookError>("the opening book is cut short: " + std::to_string(file.size()) + " of " +
                                  std::to_string(h.file_size) + " bytes");
    ByteReader tail(file.last(8));
    if (file.size() != h.file_size || tail.number(8) != checksum(file.first(file.size() - 8)))
        throw_or_abort<BookError>("the opening book is damaged: its checksum does not match");
    return h;
}

}  // namespace connectk::book
