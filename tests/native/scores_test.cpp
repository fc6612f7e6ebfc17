// Checks that the scores found by a GPU (native/solver/book/gpu) make exactly the given book, byte by byte:
//
//     scores_test BOOK_FILE SCORES_FILE
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "../../native/solver/book/book.hpp"
#include "../../native/solver/book/write.hpp"

using namespace connectk::book;

namespace {

std::vector<std::uint8_t> bytes_of(const char* name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::puts("usage: scores_test BOOK_FILE SCORES_FILE"), 2;
    const std::vector<std::uint8_t> file = bytes_of(words[1]), scores = bytes_of(words[2]);
    const int discs = Book(file).header().discs;
    const std::vector<Bits> keys = frontier(Shape{}, discs);
    if (keys.size() != scores.size()) return std::puts("wrong: as many scores as positions"), 1;
    std::vector<Entry> entries(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) entries[i] = {keys[i], static_cast<std::int8_t>(scores[i])};
    if (write_book(Shape{}, discs, std::move(entries)) != file) return std::puts("wrong: another book"), 1;
    std::printf("the same book: %zu scores, %zu bytes\n", scores.size(), file.size());
}
