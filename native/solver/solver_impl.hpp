// The private implementation of Solver.
#pragma once

#include <memory>

#include "book/book.hpp"
#include "searcher.hpp"

namespace connectk {

struct Solver::Impl {
    Variant variant;
    std::unique_ptr<Searcher> searcher;
    const book::Book* book = nullptr;

    // Searches without the book: narrows the bounds inside [alpha, beta] until they meet or the watch stops the search.
    Bounds close_gap(const Board& board, int alpha, int beta, Watch& watch, int threads);
};

}  // namespace connectk
