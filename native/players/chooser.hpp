// All players on any board: random, greedy, minimax, the engine, simulations, perfect and the levels.
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

// The chosen column and what the search found. `score` is for the side to move, and exact if `proven`.
struct Choice {
    int column = -1;
    std::optional<double> score{};
    std::vector<int> line{};
    int depth = 0;            // 0: not reported
    std::uint64_t nodes = 0;  // 0: not reported
    bool proven = false;

    static constexpr auto fields() {
        return std::tuple{Field{"column", &Choice::column}, Field{"score", &Choice::score},
                          Field{"line", &Choice::line},     Field{"depth", &Choice::depth},
                          Field{"nodes", &Choice::nodes},   Field{"proven", &Choice::proven}};
    }
};

// How many more discs the winner needs, given the exact score and the number of discs on the board; 0 for a draw.
int discs_to_win(std::int64_t cells, int ply, std::int64_t score);

// Chooses columns as each of the players. Its tables are allocated on first use and kept between calls. Not thread-safe.
class Chooser {
public:
    // A solver table grows with the work if `solver_table_bytes` is 0.
    explicit Chooser(std::size_t solver_table_bytes = 0, std::size_t search_table_bytes = std::size_t(1) << 25)
        : solver_table_bytes_(solver_table_bytes), search_table_bytes_(search_table_bytes) {}

    void use_book(const book::Book* book);  // not owned
    void clear_table();

    // Whether the solver, and so `play_perfect`, supports this board; otherwise `solver_for` returns null.
    static bool is_solvable(const Variant& variant) { return supported(variant); }
    Solver* solver_for(const Variant& variant);

    // The functions below require a game that is not over.
    Choice play_random(const GameBoard& board, std::uint64_t seed);
    Choice play_greedy(const GameBoard& board);
    Choice play_minimax(const GameBoard& board, int depth, Evaluation evaluation, const Deadline& deadline);
    Choice play_simulations(const GameBoard& board, std::uint64_t games, std::uint64_t seed, const Deadline& deadline);
    Choice play_level(const GameBoard& board, int level, std::uint64_t seed, const Deadline& deadline);
    // Chooses as the engine does; the choice is perfect if the solver finishes within its share of the time.
    Choice play_engine(const GameBoard& board, const Deadline& deadline);
    // A best column of a solvable board; if the deadline passes first, the choice of a quick search.
    Choice play_perfect(const GameBoard& board, const Deadline& deadline);

    // The timed search alone: as deep as the limits allow, at most `depth` moves unless that is 0.
    Choice search(const GameBoard& board, int depth, const SearchLimits& limits);
    // The expected result for the side that has just moved, from -1 (loss) to 1 (win), by a search with its own table.
    double expected_after(const GameBoard& after, const Deadline& deadline);

private:
    struct ThinkerCache {  // the thinker of the most recent board
        Variant size{0, 0, 0};
        std::vector<int> closed;
        std::unique_ptr<Thinker> thinker;
    };

    bool has_book(const Variant& variant) const;
    Thinker& thinker(ThinkerCache& cache, const View& view, std::size_t table_bytes);
    std::optional<Choice> exact_choice(const GameBoard& board, const Deadline& deadline);
    std::vector<int> equally_good_columns(const GameBoard& board, int column, const Deadline& deadline);
    int hardest_to_answer(const GameBoard& board, const std::vector<int>& columns);
    Choice search_view(ThinkerCache& cache, std::size_t table_bytes, const GameBoard& board, int depth,
                       const SearchLimits& limits);

    const std::size_t solver_table_bytes_, search_table_bytes_;
    const book::Book* book_ = nullptr;
    std::unique_ptr<Solver> solver_;
    ThinkerCache search_, level_, quick_, estimate_, basic_;
};

// The solver's bitboard of a solvable board.
Board bits_of(const GameBoard& board);

}  // namespace connectk::players
