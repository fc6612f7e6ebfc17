#include "solver.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "../helpers.hpp"
#include "../throw_or_abort.hpp"
#include "solver_impl.hpp"

namespace connectk {

namespace {

std::unique_ptr<Searcher> fastest_searcher(const Variant& variant, std::size_t table_bytes, Path path) {
#ifdef CONNECTK_HAS_X86_64_V3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
        return searchers::x86_64_v3::make(variant, table_bytes, path);
    }
#endif
    return searchers::portable::make(variant, table_bytes, path);
}

// The next target, given lower <= score <= upper. A search costs a third less for each point that its target is further
// from the score. So if the range is wide, first try a quick win and a quick loss; then who wins; then outwards from a
// draw, since most scores are near it and an answer often narrows the range by more than one point.
int next_target(int lower, int upper, int asked) {
    assert(lower < upper);
    constexpr int wide = 17;
    if (asked < 2 && upper - lower > wide) {
        const int quick = (asked == 0 ? upper : lower) * 3 / 5 + 1;
        if (lower < quick && quick <= upper) return quick;
    }
    if (lower < 0 && upper >= 0) return 0;
    return lower >= 0 ? lower + 1 : upper;
}

// How many discs ahead the question 'is the score at least `target`?' looks.
int depth_of(const Variant& v, const Board& board, int target) {
    const int question = target > 0 ? target : 1 - target;
    return std::max(0, std::min(v.cells(), v.cells() + 2 - 2 * question) - count_bits(board.all));
}

// Searches without helpers at first: easy positions are solved before a thread could be started.
int ask_alone(Searcher& searcher, const Board& board, int target, Watch& watch) {
    constexpr std::uint64_t easy = 16384;
    if (watch.nodes() >= easy) return no_answer;
    SearchContext context{watch, easy};
    return searcher.ask(board, target, context);
}

// Helpers search for the same target; each postpones the drops that others are searching and finds their results in the
// table. The first answer counts.
int ask_with_threads(Searcher& searcher, const Board& board, int target, Watch& watch, int threads) {
    SearchContext context{watch};
    const int helping = Helpers::available(threads - 1);
    if (helping < 1) return searcher.ask(board, target, context);
    if (const int value = ask_alone(searcher, board, target, watch); value != no_answer || watch.should_stop())
        return value;
    BusyPositions busy;
    context.busy = &busy;
    std::atomic<int> answer{no_answer};
    const auto work = [&](int) {
        const int value = searcher.ask(board, target, context);
        int none = no_answer;
        if (value != no_answer && answer.compare_exchange_strong(none, value)) context.answered = true;
    };
    {
        const Helpers helpers(helping, work);
        work(0);
    }
    return answer;
}

}  // namespace

bool supported(const Variant& v) {
    return v.width >= 1 && v.height >= 1 && v.run >= 1 && v.width <= 64 && v.height <= 127 &&
           v.width * (v.height + 1) <= 128;
}

Solver::Solver(const Variant& variant, std::size_t table_bytes, Path path)
    : impl_(new Impl{variant, nullptr, nullptr}) {
    if (!supported(variant)) throw_or_abort<std::invalid_argument>("a board of more than 128 bits cannot be solved");
    if (path == Path::one_word && variant.width * (variant.height + 1) > 64) {
        throw_or_abort<std::invalid_argument>("a board of more than 64 bits does not fit in one word");
    }
    impl_->searcher = fastest_searcher(variant, table_bytes, path);
}

Solver::~Solver() = default;

void Solver::clear_table() { impl_->searcher->clear_table(); }
const Variant& Solver::variant() const { return impl_->variant; }
std::size_t Solver::table_bytes() const { return impl_->searcher->table_bytes(); }

void Solver::allow_readers() { impl_->searcher->allow_readers(); }
Bounds Solver::recorded_bounds(const Board& board) { return impl_->searcher->recorded_bounds(board); }
double Solver::table_fill() const { return impl_->searcher->table_fill(); }
std::vector<KnownPosition> Solver::known_positions(std::size_t max_count) const {
    return impl_->searcher->known_positions(max_count);
}
std::size_t Solver::add_known_positions(const std::vector<KnownPosition>& positions) {
    return impl_->searcher->add_known_positions(positions);
}

void Solver::use(const book::Book* book) {
    if (book && book->variant() != variant())
        throw_or_abort<std::invalid_argument>("the opening book is of another board");
    impl_->book = book;
}

Bounds Solver::Impl::close_gap(const Board& board, int alpha, int beta, Watch& watch, int threads) {
    assert(alpha < beta && possible(variant, board));
    Bounds found = searcher->known_bounds(board);
    for (int asked = 0; found.lower < beta && found.upper > alpha && !found.exact() && !watch.should_stop(); ++asked) {
        const int target = next_target(std::max(found.lower, alpha), std::min(found.upper, beta), asked);
        watch.report(found.lower, found.upper, depth_of(variant, board, target));
        const int value = ask_with_threads(*searcher, board, target, watch, threads);
        if (value == no_answer) break;
        (value >= target ? found.lower : found.upper) = value;
        assert(found.lower <= found.upper);
    }
    watch.report(found.lower, found.upper, 0);
    return found;
}

}  // namespace connectk
