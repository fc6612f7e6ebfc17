// What the page's second module adds to the core: it is loaded when a review or an explanation is asked for. Cells are bits,
// as in why/explain.hpp; js/core/analysis.js is the other end.
#if defined(__wasm__)

#include "../web/ask.hpp"
#include "../why/explain.hpp"
#include "review.hpp"

namespace connectk::analysis {
namespace {

struct ExplainQuestion {
    web::Size variant;
    std::vector<int> keeper, rival;  // cells
    bool keeper_moves = false, win = false;
    int boards = 0;  // at most
    int ms = 0;

    static constexpr auto fields() {
        using Question = ExplainQuestion;
        return std::tuple{Field{"variant", &Question::variant},
                          Field{"keeper", &Question::keeper},
                          Field{"rival", &Question::rival},
                          Field{"keeper_moves", &Question::keeper_moves},
                          Field{"win", &Question::win},
                          Field{"boards", &Question::boards},
                          Field{"ms", &Question::ms}};
    }
};

Bits bits_of(const std::vector<int>& cells) {
    Bits bits{0};
    for (const int cell : cells) bits |= bit_at<Bits>(cell);
    return bits;
}

// The pages of a board that is solvable, as the page asks about no other; nothing where nothing was found.
std::optional<std::vector<why::Page>> explain(const ExplainQuestion& asked) {
    const Bits keeper = bits_of(asked.keeper), rival = bits_of(asked.rival);
    const Board position{asked.keeper_moves ? keeper : rival, keeper | rival};
    const Side mover = why::side_to_move(position);
    const why::Claim claim{asked.keeper_moves ? mover : why::other_than(mover),
                           asked.win ? why::Promise::wins : why::Promise::holds};
    SearchLimits limits;
    limits.seconds = asked.ms / 1000.0;
    limits.stopped = web::is_stopped;
    Solver* const solver = web::chooser.solver_for(asked.variant);
    return solver ? why::explain(*solver, position, claim, {asked.boards}, limits) : std::nullopt;
}

struct ReviewQuestion : web::AskedGame {
    int given = 0;  // so many of the first moves were nobody's choice
    int ms = 0;     // for each position

    static constexpr auto fields() {
        return std::tuple_cat(AskedGame::fields(),
                              std::tuple{Field{"given", &ReviewQuestion::given}, Field{"ms", &ReviewQuestion::ms}});
    }
};

// Nothing once the page wants no more.
web::Answer<std::optional<Review>> review(const ReviewQuestion& asked) {
    return web::about(asked, [&](const GameBoard& game) {
        return review_game(web::chooser, game,
                           {.moves = int(asked.moves.size()),
                            .given = asked.given,
                            .seconds = asked.ms / 1000.0,
                            .threads = web::all_threads,
                            .stopped = web::is_stopped});
    });
}

constexpr web::Question all[] = {web::question<explain>("explain"), web::question<review>("review")};
const web::Questions questions(all);

}  // namespace
}  // namespace connectk::analysis

#endif
