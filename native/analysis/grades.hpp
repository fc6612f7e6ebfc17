// The scores of a position's columns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace connectk::analysis {

// The score of one column for the side to move. If the exact score is known, both fields hold it; otherwise `score` is
// the expected result, from -1 (loss) to 1 (win).
struct ColumnScore {
    double score = 0;
    std::optional<std::int64_t> exact{};

    bool wins() const { return exact && *exact > 0; }
    bool loses() const { return exact && *exact < 0; }
};

inline int sign(double score) { return (score > 0) - (score < 0); }

// The scores of every open column if they are exact; otherwise of the engine's column and of the column that was
// played.
struct ColumnGrades {
    std::map<int, ColumnScore> columns;
    bool exact = true;

    const ColumnScore& best() const;
    std::vector<int> best_columns() const;
};

}  // namespace connectk::analysis
