#include "solver.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "engine.hpp"

namespace connectk {

namespace {

std::unique_ptr<Engine> fastest_engine(const Variant& variant, std::size_t table_bytes, Path path) {
#ifdef CONNECTK_HAS_X86_64_V3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
        return x86_64_v3::make_engine(variant, table_bytes, path);
    }
#endif
    return portable::make_engine(variant, table_bytes, path);
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
    const int discs = std::popcount(static_cast<std::uint64_t>(board.all)) +
                      std::popcount(static_cast<std::uint64_t>(board.all >> 64));
    return std::max(0, std::min(v.cells(), v.cells() + 2 - 2 * question) - discs);
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
bool answered_alone(Engine& engine, const Board& board, int target, Watch& watch, int& answer) {
    constexpr std::uint64_t easy = 16384;
    if (watch.nodes >= easy) return false;
    bool answered = true;
    watch.pause_at = easy;
    try {
        answer = engine.ask(board, target, watch, false);
    } catch (const Stopped&) {
        if (watch.over()) throw;
        answered = false;
    }
    watch.pause_at = ~std::uint64_t(0);
    return answered;
}

int ask_with_threads(Engine& engine, const Board& board, int target, Watch& watch, int threads) {
    if (threads <= 1) return engine.ask(board, target, watch, false);
    int answer = 0;
    if (answered_alone(engine, board, target, watch, answer)) return answer;
    std::atomic<bool> claimed{false};
    watch.answered = false;
    const auto work = [&] {
        try {
            const int value = engine.ask(board, target, watch, true);
            if (!claimed.exchange(true)) answer = value;
            watch.answered = true;
        } catch (const Stopped&) {
        }
    };
    {
        Helpers helpers(threads - 1, work);
        work();
    }
    if (!claimed) throw Stopped{};
    return answer;
}

}  // namespace

bool supported(const Variant& v) {
    return v.width >= 1 && v.height >= 1 && v.run >= 1 && v.width <= 64 && v.height <= 127 &&
           v.width * (v.height + 1) <= 128;
}

struct Solver::Parts {
    Variant variant;
    std::unique_ptr<Engine> engine;
};

Solver::Solver(const Variant& variant, std::size_t table_bytes, Path path) : parts_(new Parts{variant, nullptr}) {
    if (!supported(variant)) throw std::invalid_argument("a board of more than 128 bits cannot be solved");
    if (path == Path::one_word && variant.width * (variant.height + 1) > 64) {
        throw std::invalid_argument("a board of more than 64 bits does not fit in one word");
    }
    parts_->engine = fastest_engine(variant, table_bytes, path);
}

Solver::~Solver() = default;

void Solver::forget() { parts_->engine->forget(); }
const Variant& Solver::variant() const { return parts_->variant; }
std::size_t Solver::table_bytes() const { return parts_->engine->table_bytes(); }

Bounds Solver::solve(const Board& board, Goal goal, const Limits& limits, Progress* progress) {
    const int highest = (variant().cells() + 1) / 2;
    if (goal == Goal::score) return solve_window(board, -highest, highest, limits, progress);
    Bounds found = solve_window(board, -1, 1, limits, progress);
    found.lower = std::clamp(found.lower, -1, 1);
    found.upper = std::clamp(found.upper, -1, 1);
    return found;
}

Bounds Solver::solve_window(const Board& board, int alpha, int beta, const Limits& limits, Progress* progress) {
    const auto start = std::chrono::steady_clock::now();
    Watch watch;
    watch.stop = limits.stop;
    watch.max_nodes = limits.max_nodes;
    watch.progress = progress;

    Bounds found = parts_->engine->glance(board);
    try {
        while (found.lower < beta && found.upper > alpha && found.lower < found.upper) {
            const int lower = std::max(found.lower, alpha), upper = std::min(found.upper, beta);
            const int target = next_target(lower, upper);
            if (progress) {
                progress->lower = found.lower;
                progress->upper = found.upper;
                progress->depth = depth_of(variant(), board, target);
            }
            const int value = ask_with_threads(*parts_->engine, board, target, watch, limits.threads);
            (value >= target ? found.lower : found.upper) = value;
        }
    } catch (const Stopped&) {
    }
    found.nodes = watch.nodes;
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
