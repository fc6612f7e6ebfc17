// Every player around the search, on any board: random, greedy, minimax, the engine, simulations, perfect and the levels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../board/game_board.hpp"
#include "../solver/book/book.hpp"
#include "../solver/solver.hpp"
#include "deadline.hpp"
#include "thinker.hpp"
#include "view.hpp"

namespace connectk::players {

// A column and what the player thought; `score` is from the side to move, exact where it is proven.
struct Choice {
    int column = -1;
    std::optional<double> score{};
    std::vector<int> line{};
    int depth = 0;            // 0: it does not say
    std::uint64_t nodes = 0;  // the same
    bool proven = false;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Choice::column}, Field{"score", &Choice::score},
                          Field{"line", &Choice::line},     Field{"depth", &Choice::depth},
                          Field{"nodes", &Choice::nodes},   Field{"proven", &Choice::proven}};
    }
};

// How many discs the winner still drops in a game of this score, with so many on the board; 0 for a draw.
int discs_to_win(std::int64_t cells, int ply, std::int64_t score);

// It keeps its tables from one choice to the next; each is made when it is first needed. One call at a time.
class Chooser {
public:
    // By a solver with a table of so many bytes; 0: one that grows with the work.
    explicit Chooser(std::size_t solver_table_bytes = 0, std::size_t search_table_bytes = std::size_t(1) << 25)
        : solver_table_bytes_(solver_table_bytes), search_table_bytes_(search_table_bytes) {}

    void use_book(const book::Book* book);  // which must outlive its use
    void forget();

    // Whether `play_perfect` and the solver are there for this board; `solver_for` gives null where they are not.
    static bool is_solvable(const Variant& variant) { return supported(variant); }
    Solver* solver_for(const Variant& variant);

    // The game is open.
    Choice play_random(const GameBoard& board, std::uint64_t seed);
    Choice play_greedy(const GameBoard& board);
    Choice play_minimax(const GameBoard& board, int depth, Evaluation evaluation, const Deadline& deadline);
    Choice play_simulations(const GameBoard& board, std::uint64_t games, std::uint64_t seed, const Deadline& deadline);
    Choice play_level(const GameBoard& board, int level, std::uint64_t seed, const Deadline& deadline);
    // Perfect where the solver finishes in a part of the time.
    Choice play_engine(const GameBoard& board, const Deadline& deadline);
    // A best column of a board that is solvable; what looks best when the deadline comes first.
    Choice play_perfect(const GameBoard& board, const Deadline& deadline);

    // The search alone: as many moves ahead as the limits allow, at most `depth` if that is not 0.
    Choice search(const GameBoard& board, int depth, const SearchLimits& limits);
    // What to expect for the side that has just moved, from -1 for a loss to 1 for a win, by a search with its own table.
    double expected_after(const GameBoard& after, const Deadline& deadline);

private:
    struct Kept {  // the thinker of the board seen last
        Variant size{0, 0, 0};
        std::vector<int> closed;
        std::unique_ptr<Thinker> thinker;
    };

    bool has_book(const Variant& variant) const;
    Thinker& thinker(Kept& kept, const View& view, std::size_t table_bytes);
    std::optional<Choice> exact_choice(const GameBoard& board, const Deadline& deadline);
    std::vector<int> as_good_as(const GameBoard& board, int column, const Deadline& deadline);
    int hardest_to_meet(const GameBoard& board, const std::vector<int>& columns);
    Choice look(Kept& kept, std::size_t table_bytes, const GameBoard& board, int depth, const SearchLimits& limits);

    const std::size_t solver_table_bytes_, search_table_bytes_;
    const book::Book* book_ = nullptr;
    std::unique_ptr<Solver> solver_;
    Kept search_, level_, glance_, estimate_, plain_;
};

// The bits of a board that the solver knows.
Board bits_of(const GameBoard& board);

}  // namespace connectk::players
