#include "solver.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "searcher.hpp"

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

// Which score to ask for next, when lower <= score <= upper is open. Positions that are decided early are decided by a
// quick win or loss, and asking whether there is one is cheap: so while much is open ask near the ends, then halve.
int next_target(int lower, int upper) {
    constexpr int wide = 17;
    int middle = (lower + upper) >> 1;
    if (upper - lower > wide) {
        if (middle <= 0 && lower / 2 < middle) middle = lower / 2;
        else if (middle >= 0 && upper / 2 > middle) middle = upper / 2;
    }
    return middle + 1;
}

// 'Is the score at least this?' asks about games that end by a certain disc: how many discs from now that is.
int depth_of(const Variant& v, const Board& board, int target) {
    const int question = target > 0 ? target : 1 - target;
    return std::max(0, std::min(v.cells(), v.cells() + 2 - 2 * question) - count_bits(board.all));
}

// Discs of the player who is not to move after a drop, and whether the column had room.
bool drop(const Variant& v, const Board& board, int column, Board& after) {
    const Bits foot = Bits(1) << (column * (v.height + 1));
    const Bits cell = (board.all + foot) & (((Bits(1) << v.height) - 1) << (column * (v.height + 1)));
    after.all = board.all | cell;
    after.own = board.all ^ board.own;
    return cell != 0;
}

Bounds seen_from_the_other_side(Bounds b) {
    std::swap(b.lower, b.upper);
    b.lower = -b.lower;
    b.upper = -b.upper;
    return b;
}

// Helpers ask the same question; each puts off the drops that others are searching and finds their results in the
// table. The first answer counts. Where the system gives no more threads, fewer help.
class Helpers {
public:
    template <class Work>
    Helpers(int count, const Work& work) {
        try {
            for (int i = 0; i < count; ++i) threads_.emplace_back(work);
        } catch (const std::system_error&) {
        }
    }
    ~Helpers() {
        for (std::thread& thread : threads_) thread.join();
    }

private:
    std::vector<std::thread> threads_;
};

// An easy position is solved before a thread could be started.
int ask_alone(Searcher& searcher, const Board& board, int target, Watch& watch) {
    constexpr std::uint64_t easy = 16384;
    if (watch.nodes() >= easy) return no_answer;
    Shared shared{watch, easy};
    return searcher.ask(board, target, shared);
}

int ask_with_threads(Searcher& searcher, const Board& board, int target, Watch& watch, int threads) {
    Shared shared{watch};
    if (threads <= 1) return searcher.ask(board, target, shared);
    if (const int value = ask_alone(searcher, board, target, watch); value != no_answer || watch.over()) return value;
    Busy busy;
    shared.busy = &busy;
    std::atomic<int> answer{no_answer};
    const auto work = [&] {
        const int value = searcher.ask(board, target, shared);
        int none = no_answer;
        if (value != no_answer && answer.compare_exchange_strong(none, value)) shared.answered = true;
    };
    {
        Helpers helpers(threads - 1, work);
        work();
    }
    return answer;
}

}  // namespace

bool supported(const Variant& v) {
    return v.width >= 1 && v.height >= 1 && v.run >= 1 && v.width <= 64 && v.height <= 127 &&
           v.width * (v.height + 1) <= 128;
}

struct Solver::Parts {
    Variant variant;
    std::unique_ptr<Searcher> searcher;
};

Solver::Solver(const Variant& variant, std::size_t table_bytes, Path path) : parts_(new Parts{variant, nullptr}) {
    if (!supported(variant)) throw std::invalid_argument("a board of more than 128 bits cannot be solved");
    if (path == Path::one_word && variant.width * (variant.height + 1) > 64) {
        throw std::invalid_argument("a board of more than 64 bits does not fit in one word");
    }
    parts_->searcher = fastest_searcher(variant, table_bytes, path);
}

Solver::~Solver() = default;

void Solver::forget() { parts_->searcher->forget(); }
const Variant& Solver::variant() const { return parts_->variant; }
std::size_t Solver::table_bytes() const { return parts_->searcher->table_bytes(); }

Bounds Solver::solve(const Board& board, Goal goal, const Limits& limits, Progress* progress) {
    const int highest = (variant().cells() + 1) / 2;
    if (goal == Goal::score) return solve_window(board, -highest, highest, limits, progress);
    Bounds found = solve_window(board, -1, 1, limits, progress);
    found.lower = std::clamp(found.lower, -1, 1);
    found.upper = std::clamp(found.upper, -1, 1);
    return found;
}

Bounds Solver::solve_window(const Board& board, int alpha, int beta, const Limits& limits, Progress* progress) {
    Watch watch(limits, progress);
    Bounds found = parts_->searcher->glance(board);
    while (found.lower < beta && found.upper > alpha && found.lower < found.upper) {
        const int lower = std::max(found.lower, alpha), upper = std::min(found.upper, beta);
        const int target = next_target(lower, upper);
        if (progress) {
            progress->lower = found.lower;
            progress->upper = found.upper;
            progress->depth = depth_of(variant(), board, target);
        }
        const int value = ask_with_threads(*parts_->searcher, board, target, watch, limits.threads);
        if (value == no_answer) break;
        (value >= target ? found.lower : found.upper) = value;
    }
    found.nodes = watch.nodes();
    found.seconds = watch.seconds();
    if (progress) {
        progress->lower = found.lower;
        progress->upper = found.upper;
    }
    return found;
}

std::vector<Bounds> Solver::score_columns(const Board& board, Goal goal, const Limits& limits, Progress* progress) {
    std::vector<Bounds> columns(variant().width, Bounds{no_score, no_score, 0, 0});
    for (int column = 0; column < variant().width; ++column) {
        Board after;
        if (!drop(variant(), board, column, after)) continue;
        columns[column] = seen_from_the_other_side(solve(after, goal, limits, progress));
    }
    return columns;
}

}  // namespace connectk
