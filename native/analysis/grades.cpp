#include "grades.hpp"

#include <algorithm>

namespace connectk::analysis {
namespace {

bool is_worse(const std::pair<const int, ColumnScore>& one, const std::pair<const int, ColumnScore>& other) {
    return one.second.score < other.second.score;
}

}  // namespace

const ColumnScore& ColumnGrades::best() const {
    return std::max_element(columns.begin(), columns.end(), is_worse)->second;
}

std::vector<int> ColumnGrades::best_columns() const {
    std::vector<int> found;
    for (const auto& [column, value] : columns)
        if (value.score == best().score) found.push_back(column);
    return found;
}

}  // namespace connectk::analysis
