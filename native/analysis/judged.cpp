#include "judged.hpp"

#include <algorithm>

namespace connectk::analysis {
namespace {

constexpr double clear = 0.5;     // an estimate that falls by so much is a blunder ...
constexpr double notable = 0.15;  // ... and by so much a slip
constexpr double best_mark = 100, slip_mark = 75;
constexpr double half_mark = 25, whole_mark = 0;  // for half a point thrown away, and for a whole one

bool is_worse(const std::pair<const int, ColumnScore>& one, const std::pair<const int, ColumnScore>& other) {
    return one.second.score < other.second.score;
}

}  // namespace

double Judged::best() const { return std::max_element(columns.begin(), columns.end(), is_worse)->second.score; }

std::vector<int> Judged::best_columns() const {
    std::vector<int> found;
    for (const auto& [column, value] : columns)
        if (value.score == best()) found.push_back(column);
    return found;
}

bool Judged::is_blunder(int column) const {
    return exact ? sign(score(column)) < sign(best()) : best() - score(column) >= clear;
}

bool Judged::is_slip(int column) const { return best() - score(column) > (exact ? 0 : notable) && !is_blunder(column); }

Label Judged::label(int column) const {
    return is_blunder(column) ? Label::blunder : is_slip(column) ? Label::slip : Label::best;
}

std::optional<double> Judged::mark(int column) const {
    if (best_columns().size() == columns.size()) return std::nullopt;
    if (is_blunder(column)) return best() > 0 && score(column) < 0 ? whole_mark : half_mark;
    return is_slip(column) ? slip_mark : best_mark;
}

}  // namespace connectk::analysis
