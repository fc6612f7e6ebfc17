// What a Solver is made of; for the files that are the solver, not for those who ask it.
#pragma once

#include <memory>

#include "book/book.hpp"
#include "searcher.hpp"

namespace connectk {

struct Solver::Parts {
    Variant variant;
    std::unique_ptr<Searcher> searcher;
    const book::Book* book = nullptr;

    // Closes the gap between the bounds inside [alpha, beta], unless the watch ends it: one search, without a book.
    Bounds close_gap(const Board& board, int alpha, int beta, Watch& watch, int threads);
};

}  // namespace connectk
