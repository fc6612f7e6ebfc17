// What the columns of a position are worth, and how good it was to play one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "../describe.hpp"

namespace connectk::analysis {

// For the side to move. `exact` is the score of a column where that is known; otherwise `score` is the expected result,
// from -1 for a loss to 1 for a win.
struct ColumnScore {
    double score = 0;
    std::optional<std::int64_t> exact{};
};

// A slip keeps the result but wins slower or loses faster; a blunder throws it away. A given disc was nobody's choice.
enum class Label { best, slip, blunder, given };
constexpr auto names_of(Label) { return std::array{"best", "slip", "blunder", "given"}; }

inline int sign(double score) { return (score > 0) - (score < 0); }

// Exact scores are of every column that takes a disc; estimates of the column that looks best and the one played.
struct Judged {
    std::map<int, ColumnScore> columns;
    bool exact = true;

    double best() const;
    std::vector<int> best_columns() const;
    double score(int column) const { return columns.at(column).score; }

    Label label(int column) const;
    // What accuracy is the mean of, from 0 to 100; nothing where every column is as good.
    std::optional<double> mark(int column) const;

private:
    bool is_blunder(int column) const;
    bool is_slip(int column) const;
};

}  // namespace connectk::analysis
