// The players, the solver and the judgement of columns on any board, for where there is no Python: what the modules of
// connectk/players and connectk/play/jobs.py do there with the same searches.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../players/thinker.hpp"
#include "../solver/book/book.hpp"
#include "../solver/solver.hpp"
#include "view.hpp"

namespace connectk::web {

// A column and what the player thought; `score` is from the side to move, exact where it is proven.
struct Choice {
    int column = -1;
    std::optional<double> score{};
    std::vector<int> line{};
    int depth = 0;  // 0: it does not say
    std::uint64_t nodes = 0;
    bool proven = false;
};

struct ColumnScores {
    bool exact = true;
    std::vector<std::optional<Bounds>> bounds;  // nothing where no disc fits
    std::vector<std::optional<double>> estimates;
};

// How many discs the winner still drops in a game of this score, with so many on the board; 0 for a draw.
int discs_to_win(int cells, int ply, int score);

// When to be done: a moment, or whenever the caller says so.
class Until {
public:
    explicit Until(double seconds = 0, std::function<bool()> stopped = {});
    Until share(double part) const;  // of the time that is left
    double left() const;
    bool is_up() const;
    // From now on; with a clock all threads help, without one the answer is the same each time.
    SearchLimits limits() const;

private:
    double seconds_;  // 0: no limit
    std::chrono::steady_clock::time_point start_;
    std::function<bool()> stopped_;
};

class Mind {
public:
    void read_book(std::vector<std::uint8_t> file);
    bool has_book() const { return book_ != nullptr; }

    Choice play_level(const Witness& board, int level, std::uint64_t seed, const Until& until);
    Choice play_engine(const Witness& board, const Until& until);
    Choice play_perfect(const Witness& board, const Until& until);
    Choice play_minimax(const Witness& board, int depth, const Until& until);
    Choice play_simulations(const Witness& board, std::uint64_t games, std::uint64_t seed, const Until& until);
    Choice play_greedy(const Witness& board);
    Choice play_random(const Witness& board, std::uint64_t seed);

    // Exact within the time, or else the bounds that are known and, where they are wanted, the engine's estimates.
    ColumnScores score_columns(const Witness& board, const Until& until, bool estimates);
    std::vector<int> best_line(const Witness& board, const Until& until);  // to the end, or as far as it is found
    Bounds result(const Witness& board, const Until& until);               // who wins, as far as it is found
    Bounds solve(const Witness& board, const SearchLimits& limits);        // by an empty table
    void forget();

private:
    struct Kept {  // the thinker of the board seen last
        Variant size{0, 0, 0};
        std::vector<int> closed;
        std::unique_ptr<players::Thinker> thinker;
    };

    Solver* solver_for(const Variant& variant);
    void give_book(Solver& solver);
    players::Thinker& thinker(Kept& kept, const View& view, std::size_t table_bytes);
    std::optional<Choice> exact_choice(const Witness& board, const Until& until);
    int hardest_to_meet(const Witness& board, const std::vector<int>& columns);
    Choice look(Kept& kept, std::size_t table_bytes, const Witness& board, int depth, const Until& until,
                std::uint64_t most_nodes = 0);
    double expected(Witness after, const Until& until);

    std::unique_ptr<book::Book> book_;
    std::unique_ptr<Solver> solver_;
    Kept engine_, level_, glance_, estimate_, plain_;
};

}  // namespace connectk::web
