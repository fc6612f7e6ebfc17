// What the page's second module adds to the core: it is loaded when a review or an explanation is asked for.
// js/core/analysis.js is the other end.
#if defined(__wasm__)

#include "../web/ask.hpp"
#include "../why/plan.hpp"
#include "../why/steps.hpp"
#include "columns.hpp"
#include "review.hpp"

namespace connectk::analysis {
namespace {

players::Deadline within(double seconds) { return players::Deadline(seconds, web::is_stopped, web::all_threads); }

enum class Known { win, draw, loss, unknown };
constexpr auto names_of(Known) { return std::array{"win", "draw", "loss", "unknown"}; }

struct WhyQuestion : web::AskedGame {
    std::optional<Side> side;  // whose explanation is wanted; either's where nothing is said
    int boards = 0, ms = 0;    // at most

    static constexpr auto fields() {
        using Question = WhyQuestion;
        return std::tuple_cat(
            AskedGame::fields(),
            std::tuple{Field{"side", &Question::side}, Field{"boards", &Question::boards}, Field{"ms", &Question::ms}});
    }
};

struct Proposal {
    why::Claim claim;
    std::vector<why::Page> pages;

    static constexpr auto fields() {
        return std::tuple{Field{"claim", &Proposal::claim}, Field{"pages", &Proposal::pages}};
    }
};

// The explanation that is being looked for; the page checks one proposal before it asks for the next.
struct Search {
    Solver* solver;
    Board position;
    why::ExplanationPlan plan;
    why::ExplainOptions options;
};
std::optional<Search> search;

Known known_of(const Bounds& found) {
    if (found.lower > 0) return Known::win;
    if (found.upper < 0) return Known::loss;
    return found.exact() ? Known::draw : Known::unknown;
}

// Who wins, as far as the solver finds out; claims follow from it.
web::Answer<Known> begin_why(const WhyQuestion& asked) {
    Solver* const solver = web::chooser.solver_for(asked.variant);
    if (!solver) return web::too_large(Rule::too_large_for_solver, asked.variant);
    return web::about(asked, [&](const GameBoard& board) {
        search.emplace(solver, players::bits_of(board), why::ExplanationPlan(asked.ms / 1000.0));
        search->options.max_boards = asked.boards;
        const Bounds found =
            solver->solve(search->position, Goal::result, within(search->plan.solver_seconds()).limits());
        search->plan.consider(found, why::side_to_move(search->position), asked.side);
        return known_of(found);
    });
}

std::optional<Proposal> next_proposal(const web::Nothing&) {
    while (const auto attempt = search ? search->plan.next() : std::nullopt) {
        const SearchLimits limits{nullptr, 1, 0, attempt->seconds, web::is_stopped};
        auto pages = why::explain(*search->solver, search->position, attempt->claim, search->options, limits);
        if (pages) return Proposal{attempt->claim, std::move(*pages)};
    }
    return std::nullopt;
}

struct StepsQuestion : web::AskedGame {
    Side side = Side::first;  // the keeper
    std::vector<why::Page> pages;
    std::vector<web::Bytes> reached;  // by page: the rival's discs in every position, 16 bytes each

    static constexpr auto fields() {
        using Question = StepsQuestion;
        return std::tuple_cat(AskedGame::fields(),
                              std::tuple{Field{"side", &Question::side}, Field{"pages", &Question::pages},
                                         Field{"reached", &Question::reached}});
    }
};

struct Steps {
    why::PageKind kind = why::PageKind::strategy;  // of the first page
    int boards = 0;
    std::vector<why::Step> steps;

    static constexpr auto fields() {
        return std::tuple{Field{"kind", &Steps::kind}, Field{"boards", &Steps::boards}, Field{"steps", &Steps::steps}};
    }
};

// Of an explanation that the page has checked.
web::Answer<Steps> steps_of(const StepsQuestion& asked) {
    return web::about(asked, [&](const GameBoard& board) {
        why::CheckedExplanation found{
            asked.variant, players::bits_of(board), board.last(), asked.side, asked.pages, {}};
        for (const web::Bytes& boards : asked.reached)
            found.reached.push_back(why::unpacked(boards.data(), boards.size()));
        Steps steps{why::kind_of(asked.pages.front()), 0, {}};
        for (const why::ShownPage& page : why::shown_pages(found)) {
            ++steps.boards;
            steps.steps.insert(steps.steps.end(), page.steps.begin(), page.steps.end());
        }
        return steps;
    });
}

struct TimedQuestion : web::AskedGame {
    int ms = 0;

    static constexpr auto fields() {
        return std::tuple_cat(AskedGame::fields(), std::tuple{Field{"ms", &TimedQuestion::ms}});
    }
};

// Best play, where nothing is explained.
web::Answer<why::Step> line_of(const TimedQuestion& asked) {
    return web::about(asked, [&](const GameBoard& board) {
        const auto line = best_line(web::chooser.solver_for(board.variant()), board, within(asked.ms / 1000.0));
        return why::line_step(board.variant(), players::bits_of(board), board.last(), line);
    });
}

// What the checker looks for; who completes one it finds out by itself.
std::vector<StraightLine> lines_of(const web::Size& variant) { return every_line(variant); }

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

constexpr web::Question all[] = {web::question<review>("review"),
                                 web::question<begin_why>("begin_why"),
                                 web::question<next_proposal>("next_proposal"),
                                 web::question<steps_of>("steps"),
                                 web::question<line_of>("line_step"),
                                 web::question<lines_of>("lines")};
const web::Questions questions(all);

}  // namespace
}  // namespace connectk::analysis

#endif
