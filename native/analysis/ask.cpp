// What the page's second module adds to the core: it is loaded when a review or an explanation is asked for. Cells are bits,
// as in why/explain.hpp; js/core/analysis.js is the other end.
#if defined(__wasm__)

#include <memory>

#include "../solver/book/book.hpp"
#include "../web/numbers.hpp"
#include "../why/explain.hpp"

namespace connectk::analysis {
namespace {

using web::put;

enum Kind { explain_position = 1, book_file };
constexpr std::size_t solver_table = std::size_t(1) << 25;

std::unique_ptr<book::Book> book;
std::unique_ptr<Solver> solver;

Solver& solver_for(const Variant& variant) {
    if (solver && solver->variant() == variant) return *solver;
    solver = std::make_unique<Solver>(variant, solver_table);
    if (book && variant == Variant{book->header().width, book->header().height, book->header().run})
        solver->use(book.get());
    return *solver;
}

Bits read_cells(web::Reader& in) {
    Bits cells{0};
    for (int left = in.next(); left > 0; --left) cells |= bit_at<Bits>(in.next());
    return cells;
}

void put_page(const why::Page& page, int stride) {
    const auto put_cell = [&](const Cell& cell) { put(cell.first * stride + cell.second); };
    put(page.drop.value_or(-1));
    put(page.force);
    put(int(page.answers.size()));
    for (const auto& [cell, answers] : page.answers) {
        put_cell(cell);
        put(int(answers.size()));
        for (const Cell& answer : answers) put_cell(answer);
    }
    put(int(page.replies.size()));
    for (const auto& [column, number] : page.replies) put(column), put(number);
}

// The pages; none where nothing was found.
void answer_why(web::Reader& in) {
    const int width = in.next(), height = in.next(), run = in.next();
    const Bits keeper = read_cells(in), rival = read_cells(in);
    const bool keeper_moves = in.next() != 0;
    const Board position{keeper_moves ? keeper : rival, keeper | rival};
    const Side mover = why::side_to_move(position);
    const auto promise = in.next() ? why::Promise::wins : why::Promise::holds;
    const why::ExplainOptions options{in.next()};
    SearchLimits limits;
    limits.seconds = in.next() / 1000.0;
    limits.stopped = web::is_stopped;
    const why::Claim claim{keeper_moves ? mover : why::other_than(mover), promise};
    const auto pages = why::explain(solver_for({width, height, run}), position, claim, options, limits);
    put(pages ? int(pages->size()) : 0);
    if (!pages) return;
    for (const why::Page& page : *pages) put_page(page, height + 1);
}

}  // namespace

extern "C" __attribute__((export_name("connectk_analyse"))) int connectk_analyse(int kind) {
    web::Reader in;
    web::answer.clear();
    if (kind == explain_position) answer_why(in);
    if (kind == book_file) {
        solver.reset();
        book = std::make_unique<book::Book>(in.bytes());
    }
    return int(web::answer.size());
}

}  // namespace connectk::analysis

#endif
