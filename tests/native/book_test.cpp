// Tests the book's core by itself, for sanitizers: published counts, a small book that must give every score it was made
// from, and the GPU's search, compiled for the processor, compared with the shipped book.
// `book_test BOOK_FILE` prints the first disagreement and exits with 1.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "../../native/solver/book/gpu/walk.cuh"
#include "../../native/solver/book/write.hpp"

using namespace connectk::book;

namespace {

void expect(bool right, const char* what) {
    if (right) return;
    std::printf("wrong: %s\n", what);
    std::exit(1);
}

struct Counts {
    std::size_t no_win_on_the_move = 0, unforced = 0;
};

// 'Unforced': neither side could win with its next disc.
Counts count(const Shape& shape, int discs) {
    Counts counts;
    for (Bits key : open_positions(shape, discs)) {
        const Discs position = from_key(shape, key);
        const Bits playable = position.playable(shape);
        if (completing_cells(shape, position.mover) & playable) continue;
        ++counts.no_win_on_the_move;
        counts.unforced += (completing_cells(shape, position.other) & playable) == 0;
    }
    return counts;
}

void test_counts() {
    const Shape classic;
    expect(count(classic, 8).unforced == 67'557, "67,557 unforced positions of 8 discs");
    expect(count(classic, 12).no_win_on_the_move == 4'200'899, "4,200,899 of 12 discs without a win on the move");
    expect(frontier(classic, 12).size() == 4'064'135, "4,064,135 ends of chains of 12 discs");
}

void test_small_book() {
    const Shape shape{5, 4, 4};
    std::vector<Entry> entries;
    for (Bits key : frontier(shape, 6)) entries.push_back({key, static_cast<std::int8_t>(mix(key) % 9 - 4)});
    const Book book(write_book(shape, 6, entries));  // looks up every entry itself
    expect(book.header().discs == 6, "the depth of a small book");
}

struct PlainFrames {
    gpu::Frame frames[32];
    gpu::Frame& operator[](int depth) { return frames[depth]; }
};

gpu::u64 eight_bits_a_column(Bits bits) {
    gpu::u64 spread = 0;
    for (int c = 0; c < 7; ++c) spread |= (bits >> (7 * c) & 0x7f) << (8 * c);
    return spread;
}

void test_gpu_search(const Book& book) {
    std::vector<gpu::Word> words(std::size_t{8} << 16);
    const gpu::Table table{words.data(), 16};
    const std::vector<Bits> keys = frontier(Shape{}, 12);
    for (std::size_t i = 0; i < 40; ++i) {
        const Discs position = from_key(Shape{}, keys[2'500'000 + i]);
        const int discs = position.count();
        gpu::Walk<PlainFrames> walk{PlainFrames{}};
        walk.begin(eight_bits_a_column(position.mover), eight_bits_a_column(position.all()), -gpu::win_with(discs + 4),
                   gpu::win_with(discs + 3));
        while (!walk.done()) walk.step(table, 32);
        expect(walk.lower == book.lookup(position), "the GPU's search and the book");
    }
}

}  // namespace

int main(int count, char** words) {
    expect(count == 2, "usage: book_test BOOK_FILE");
    std::ifstream file(words[1], std::ios::binary);
    test_counts();
    test_small_book();
    test_gpu_search(Book({std::istreambuf_iterator<char>(file), {}}));
    std::puts("all right");
}
