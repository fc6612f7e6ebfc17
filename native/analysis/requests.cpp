// The page's requests for reviews and explanations, compiled into a second module that is loaded on first use.
// js/core/analysis.js sends them.
#if defined(__wasm__)

#include "../web/requests.hpp"
#include "../why/coach.hpp"
#include "../why/plan.hpp"
#include "../why/steps.hpp"
#include "columns.hpp"
#include "review.hpp"

namespace connectk::analysis {
namespace {

players::Deadline deadline_in(double seconds) { return players::Deadline(seconds, web::is_stopped, web::max_threads); }

enum class KnownResult { win, draw, loss, unknown };
constexpr auto names_of(KnownResult) { return std::array{"win", "draw", "loss", "unknown"}; }

struct ExplanationRequest : web::GameRequest {
    std::optional<Side> side;  // the side to explain for; none: either side
    int boards = 0, ms = 0;    // limits

    static constexpr auto fields() {
        using Request = ExplanationRequest;
        return std::tuple_cat(
            GameRequest::fields(),
            std::tuple{Field{"side", &Request::side}, Field{"boards", &Request::boards}, Field{"ms", &Request::ms}});
    }
};

// The current search for an explanation; the page checks each proposal before it requests the next.
struct Search {
    Solver* solver;
    Board position;
    why::ExplanationPlan plan;
    why::ExplainOptions options;
};
std::optional<Search> search;

KnownResult known_result(const Bounds& found) {
    if (found.lower > 0) return KnownResult::win;
    if (found.upper < 0) return KnownResult::loss;
    return found.exact() ? KnownResult::draw : KnownResult::unknown;
}

// Starts a search: solves the position within its share of the time and queues the claims that the result allows.
web::Answer<KnownResult> begin_why(const ExplanationRequest& request) {
    Solver* const solver = web::chooser.solver_for(request.variant);
    if (!solver) return web::too_large(Rule::too_large_for_solver, request.variant);
    return web::with_position(request, [&](const GameBoard& board) {
        search.emplace(solver, players::bits_of(board), why::ExplanationPlan(request.ms / 1000.0));
        search->options.max_boards = request.boards;
        const Bounds found =
            solver->solve(search->position, Goal::result, deadline_in(search->plan.solver_seconds()).limits());
        search->plan.add_claims(found, why::side_to_move(search->position), request.side);
        return known_result(found);
    });
}

std::optional<why::Proposal> next_proposal(const web::Nothing&) {
    if (!search) return std::nullopt;
    const SearchLimits limits{nullptr, 1, 0, 0, web::is_stopped};
    return search->plan.next(*search->solver, search->position, search->options, limits);
}

struct StepsRequest : web::GameRequest {
    why::Claim claim;
    std::vector<why::Page> pages;
    std::vector<web::Bytes>
        reached;  // for each page, the other side's discs in every position that the checker reached, 16 bytes each

    static constexpr auto fields() {
        using Request = StepsRequest;
        return std::tuple_cat(GameRequest::fields(),
                              std::tuple{Field{"claim", &Request::claim}, Field{"pages", &Request::pages},
                                         Field{"reached", &Request::reached}});
    }
};

struct Steps {
    why::PageKind kind = why::PageKind::strategy;  // the kind of the first page
    int boards = 0;
    std::vector<why::Step> steps;
    std::vector<why::CoachSentence> coach;

    static constexpr auto fields() {
        return std::tuple{Field{"kind", &Steps::kind}, Field{"boards", &Steps::boards}, Field{"steps", &Steps::steps},
                          Field{"coach", &Steps::coach}};
    }
};

// The steps of an explanation that the page has checked.
web::Answer<Steps> steps_of(const StepsRequest& request) {
    return web::with_position(request, [&](const GameBoard& board) {
        why::CheckedExplanation found{request.variant,
                                      players::bits_of(board),
                                      board.last(),
                                      request.claim.side,
                                      request.claim.result,
                                      request.pages,
                                      {}};
        for (const web::Bytes& boards : request.reached)
            found.reached.push_back(why::unpack_boards(boards.data(), boards.size()));
        Steps steps{why::kind_of(request.pages.front()), 0, {}, why::coach(found)};
        for (const why::ShownPage& page : why::shown_pages(found)) {
            ++steps.boards;
            steps.steps.insert(steps.steps.end(), page.steps.begin(), page.steps.end());
        }
        return steps;
    });
}

struct TimedRequest : web::GameRequest {
    int ms = 0;

    static constexpr auto fields() {
        return std::tuple_cat(GameRequest::fields(), std::tuple{Field{"ms", &TimedRequest::ms}});
    }
};

// The line of best play, shown when there is no explanation.
web::Answer<why::Step> line_of(const TimedRequest& request) {
    return web::with_position(request, [&](const GameBoard& board) {
        const auto line = best_line(web::chooser.solver_for(board.variant()), board, deadline_in(request.ms / 1000.0));
        return why::line_step(board.variant(), players::bits_of(board), board.last(), line);
    });
}

// What a coach says about a position that has no explanation.
web::Answer<std::vector<why::CoachSentence>> coach_columns_of(const TimedRequest& request) {
    return web::with_position(request, [&](const GameBoard& board) {
        std::vector<why::CoachSentence> sentences;
        Solver* const solver = web::chooser.solver_for(board.variant());
        const Board bits = players::bits_of(board);
        const auto deadline = deadline_in(request.ms / 1000.0);
        if (solver && !board.over())
            sentences =
                why::coach_columns(board.variant(), bits, solver->score_columns(bits, Goal::score, deadline.limits()));
        return sentences;
    });
}

// All winning lines of a board. The page's checker finds out by itself which side completes a line.
std::vector<StraightLine> lines_of(const web::Size& variant) { return every_line(variant); }

struct ReviewRequest : web::GameRequest {
    int given = 0;  // how many of the first moves were not a player's choice
    int ms = 0;     // for each position

    static constexpr auto fields() {
        return std::tuple_cat(GameRequest::fields(),
                              std::tuple{Field{"given", &ReviewRequest::given}, Field{"ms", &ReviewRequest::ms}});
    }
};

// The review of a game; none if the page cancels the request.
web::Answer<std::optional<Review>> review(const ReviewRequest& request) {
    return web::with_position(request, [&](const GameBoard& game) {
        return review_game(web::chooser, game,
                           {.moves = int(request.moves.size()),
                            .given = request.given,
                            .seconds = request.ms / 1000.0,
                            .threads = web::max_threads,
                            .stopped = web::is_stopped});
    });
}

constexpr web::Handler analysis_handlers[] = {web::handler<review>("review"),
                                              web::handler<begin_why>("begin_why"),
                                              web::handler<next_proposal>("next_proposal"),
                                              web::handler<steps_of>("steps"),
                                              web::handler<line_of>("line_step"),
                                              web::handler<coach_columns_of>("coach_columns"),
                                              web::handler<lines_of>("lines")};
const web::Handlers handlers(analysis_handlers);

}  // namespace
}  // namespace connectk::analysis

#endif
