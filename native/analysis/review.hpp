// The review of a game: each drop's score and label, the reasons of mistakes, and the turning point.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../players/chooser.hpp"
#include "../board/game_board.hpp"
#include "ledger.hpp"
#include "reasons.hpp"
#include "severity.hpp"

namespace connectk::analysis {

inline constexpr int max_shown_line_discs = 9;  // one digit numbers each disc

// The worth of a column for the side that drops there: a win or loss in `count` discs of the winner, a draw, or an estimated
// score from -1 to 1.
enum class WorthKind { wins, draw, loses, about };
constexpr auto names_of(WorthKind) { return std::array{"wins", "draw", "loses", "about"}; }

struct Worth {
    WorthKind kind = WorthKind::draw;
    int count = 0;
    double score = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"kind", &Worth::kind}, Field{"count", &Worth::count}, Field{"score", &Worth::score}};
    }
};

// One move. Scores are for the side that made the move: `before` is for the best column, `after` for the played column.
struct MoveReview {
    int number = 0;  // the number of the disc in the game, from 1
    Side side = Side::first;
    int column = 0, row = 0;
    double before = 0, after = 0;
    Worth worth_before{}, worth_after{};
    bool exact = true;   // every column has an exact score; otherwise two columns have estimates
    bool proven = true;  // both worths are certain
    std::vector<int> best_columns{};
    std::vector<std::pair<int, double>> scores{};  // the graded columns with their scores
    Label label = Label::best;
    std::optional<int> seen_by{};   // how many levels see what this move threw away, if a better move was there
    bool was_lost = false;          // several levels already saw a loss that no move could avoid
    std::optional<double> mark{};   // the mark for accuracy, 0 to 100; none if all columns were equally good
    double advantage = 0;           // the height of the graph, from -1 (second wins at once) to 1 (first wins at once)
    double advantage_before = 0;    // the same with best play
    std::vector<Reason> reasons{};  // the reasons, for a fine point or a worse move
    std::vector<int> better_line{}, refutation{};
    std::vector<Cell> better_cells{}, refutation_cells{};  // where the first discs of the lines land
    Ledger ledger{};                                       // the ledger after the move

    static constexpr auto fields() {
        using Move = MoveReview;
        return std::tuple{Field{"number", &Move::number},
                          Field{"side", &Move::side},
                          Field{"column", &Move::column},
                          Field{"row", &Move::row},
                          Field{"before", &Move::before},
                          Field{"after", &Move::after},
                          Field{"worth_before", &Move::worth_before},
                          Field{"worth_after", &Move::worth_after},
                          Field{"exact", &Move::exact},
                          Field{"proven", &Move::proven},
                          Field{"best_columns", &Move::best_columns},
                          Field{"scores", &Move::scores},
                          Field{"label", &Move::label},
                          Field{"seen_by", &Move::seen_by},
                          Field{"was_lost", &Move::was_lost},
                          Field{"mark", &Move::mark},
                          Field{"advantage", &Move::advantage},
                          Field{"advantage_before", &Move::advantage_before},
                          Field{"reasons", &Move::reasons},
                          Field{"better_line", &Move::better_line},
                          Field{"refutation", &Move::refutation},
                          Field{"better_cells", &Move::better_cells},
                          Field{"refutation_cells", &Move::refutation_cells},
                          Field{"ledger", &Move::ledger}};
    }
};

// The number of marks that the accuracy is the mean of, and how many of them are estimates.
struct Marks {
    int count = 0, estimated = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"count", &Marks::count}, Field{"estimated", &Marks::estimated}};
    }
};

struct Review {
    std::optional<Side> winner;
    int given = 0;
    bool exact = true;
    BySide<std::optional<double>> accuracy;  // the mean mark; none for a side that never had a choice
    BySide<Marks> marks;
    std::optional<int> turning_point;  // the number of the move that a coach would point out
    std::optional<int> lost_at;        // the number of the last move that turned a win or a draw into a loss
    double advantage = 0;              // the height of the graph before the first move
    std::vector<MoveReview> moves;

    static constexpr auto fields() {
        return std::tuple{Field{"winner", &Review::winner},   Field{"given", &Review::given},
                          Field{"exact", &Review::exact},     Field{"accuracy", &Review::accuracy},
                          Field{"marks", &Review::marks},     Field{"turning_point", &Review::turning_point},
                          Field{"lost_at", &Review::lost_at}, Field{"advantage", &Review::advantage},
                          Field{"moves", &Review::moves}};
    }
};

struct ReviewOptions {
    int moves = 0;       // how many of the last drops to grade
    int given = 0;       // how many of these, from the first, were not a player's choice
    double seconds = 2;  // the time for each position
    int threads = 1;
    std::function<bool()> stopped{};               // polled every few milliseconds; may be empty
    std::function<bool(int done)> on_move_done{};  // called after each move, false cancels; may be empty
};

// The review of the game's last moves; none if it is stopped.
std::optional<Review> review_game(players::Chooser& chooser, GameBoard game, const ReviewOptions& options);

// The review of all moves of a game, which may have been graded in parts.
Review sum_up(std::vector<MoveReview> moves, std::optional<Side> winner);

}  // namespace connectk::analysis
