// A game, move by move: what each drop was worth, how good it was, why a blunder was one, and where the game turned.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../players/chooser.hpp"
#include "../board/game_board.hpp"
#include "reasons.hpp"

namespace connectk::analysis {

inline constexpr int longest_shown_line = 9;  // discs of a line of play; a digit numbers each

// What a column is worth to the side that drops into it: it wins or loses in `count` discs of the winner, is a draw, or
// about an estimated score from -1 to 1.
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

// One move. Scores are for the side that made it: `before` with the best column, `after` with the one played.
struct MoveReview {
    int number = 0;  // which disc of the game it is, from 1
    Side side = Side::first;
    int column = 0, row = 0;
    double before = 0, after = 0;
    Worth worth_before{}, worth_after{};
    bool exact = true;   // a score for each column; otherwise estimates of two
    bool proven = true;  // both worths are certain
    std::vector<int> best_columns{};
    std::vector<std::pair<int, double>> scores{};  // of the columns that were judged
    Label label = Label::best;
    std::optional<double> mark{};  // for accuracy, 0 to 100; nothing where every column was as good
    double advantage = 0;          // the height of the graph, from -1 (second wins at once) to 1 (first wins at once)
    double advantage_before = 0;   // with best play
    std::optional<std::string> reason_kind{};  // of a blunder: as `Reason` has them
    ReasonFacts reason_facts{};
    std::vector<Cell> cells{};
    std::vector<int> better_line{}, refutation{};
    std::vector<Cell> better_cells{}, refutation_cells{};  // where the first discs of the lines come to lie

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
                          Field{"mark", &Move::mark},
                          Field{"advantage", &Move::advantage},
                          Field{"advantage_before", &Move::advantage_before},
                          Field{"reason_kind", &Move::reason_kind},
                          Field{"reason_facts", &Move::reason_facts},
                          Field{"cells", &Move::cells},
                          Field{"better_line", &Move::better_line},
                          Field{"refutation", &Move::refutation},
                          Field{"better_cells", &Move::better_cells},
                          Field{"refutation_cells", &Move::refutation_cells}};
    }
};

// The mean mark of each side's moves; nothing for a side that never had a choice.
struct Accuracy {
    std::optional<double> first, second;

    static constexpr auto fields() {
        return std::tuple{Field{"first", &Accuracy::first}, Field{"second", &Accuracy::second}};
    }
};

struct Review {
    std::optional<Side> winner;
    int given = 0;
    bool exact = true;
    Accuracy accuracy;
    std::optional<int> turning_point;  // the number of the last blunder
    double advantage = 0;              // before the first move
    std::vector<MoveReview> moves;

    static constexpr auto fields() {
        return std::tuple{Field{"winner", &Review::winner},
                          Field{"given", &Review::given},
                          Field{"exact", &Review::exact},
                          Field{"accuracy", &Review::accuracy},
                          Field{"turning_point", &Review::turning_point},
                          Field{"advantage", &Review::advantage},
                          Field{"moves", &Review::moves}};
    }
};

struct ReviewOptions {
    int moves = 0;       // so many of the last drops are judged
    int given = 0;       // of which the first ones were nobody's choice
    double seconds = 2;  // for each position
    int threads = 1;
    std::function<bool()> stopped{};          // asked every few milliseconds; may be empty
    std::function<bool(int done)> goes_on{};  // asked after each move; may be empty
};

// Nothing once it is stopped.
std::optional<Review> review_game(players::Chooser& chooser, GameBoard game, const ReviewOptions& options);

}  // namespace connectk::analysis
