#include "explain.hpp"

#include <algorithm>
#include <map>

#include "answers.hpp"
#include "force.hpp"

namespace connectk::why {

namespace {

constexpr int longest_force = 12;  // drops
constexpr std::uint64_t solver_nodes = 1'000'000;
constexpr std::uint64_t quick_part = 20;  // of the work for one table, for a first try
constexpr int counted_twice = 2;  // a board that is reached in several ways is shown once, but counted each time

template <class G>
class Explainer {
public:
    using Word = typename G::Word;
    using Here = Moment<Word>;

    Explainer(Solver& solver, const Question& question, const Limits& limits)
        : g_(solver.variant()), solver_(solver), asked_(question), watch_(limits), limits_(limits), force_(g_) {}

    std::optional<std::vector<Page>> run() {
        const Here start{static_cast<Word>(asked_.keeper), static_cast<Word>(asked_.rival)};
        for (int most = 1; most <= counted_twice * asked_.most_boards && !watch_.over(); ++most) {
            const int root = asked_.keeper_to_move ? with_drop(start, most) : without_drop(start, most);
            if (root < 0) continue;
            std::vector<Page> pages = written(root);
            if (static_cast<int>(pages.size()) <= asked_.most_boards) return pages;
            break;
        }
        return std::nullopt;
    }

private:
    static constexpr int none = -1;

    struct Proof {
        Page page;  // its replies are proofs
        int boards = 1;
    };
    struct Known {
        int proof = none;
        int refuted = 0;  // so many boards are not enough
        bool table_tried = false;
        std::vector<bool> elsewhere;  // columns that no table answered
        std::vector<std::pair<int, std::vector<int>>> answers;
    };

    // A proof of at most so many boards for the rival to move.
    int without_drop(const Here& now, int most) {
        Known& known = known_[key(now)];
        if (known.proof != none && proofs_[known.proof].boards <= most) return known.proof;
        if (known.refuted >= most || watch_.over()) return none;
        if (!known.table_tried) try_tables(now, known);
        const int found = split(now, known, most);
        if (found == none && !watch_.over()) known.refuted = most;
        if (found != none) known.proof = found;
        return found;
    }

    // One board for the table, and more for the columns that it leaves out.
    int split(const Here& now, const Known& known, int most) {
        Proof proof;
        proof.page.answers = known.answers;
        int left = most - 1 - static_cast<int>(std::count(known.elsewhere.begin(), known.elsewhere.end(), true));
        if (left < 0) return none;
        for (int column = 0; column < g_.width; ++column) {
            if (!known.elsewhere[column]) continue;
            const int found = with_drop(after_rival(now, column), left + 1);
            if (found == none) return none;
            left -= proofs_[found].boards - 1;
            proof.page.replies.push_back({column, found});
            proof.boards += proofs_[found].boards;
        }
        proofs_.push_back(proof);
        return static_cast<int>(proofs_.size()) - 1;
    }

    // A proof of at most so many boards for the keeper to move, who cannot win at once.
    int with_drop(const Here& now, int most) {
        if (asked_.win) {
            if (const int found = by_force(now); found != none) return found;
        }
        int& known = moved_.try_emplace(key(now), none).first->second;
        if (known != none && proofs_[known].boards <= most) return known;
        const std::vector<int>& drops = good_drops(now);
        for (int few = 1; few <= most; ++few) {
            for (const int drop : drops) {
                const Here after{now.keeper | bit_at<Word>(drop), now.rival};
                const int found = without_drop(after, few);
                if (found == none) continue;
                Proof proof = proofs_[found];
                proof.page.drop = drop / g_.stride;
                proofs_.push_back(proof);
                return known = static_cast<int>(proofs_.size()) - 1;
            }
        }
        return none;
    }

    int by_force(const Here& now) {
        auto [at, is_new] = forces_.try_emplace(key(now), none);
        if (!is_new) return at->second;
        Proof proof;
        proof.page.force = force_.find(now, longest_force, watch_);
        if (proof.page.force.empty()) return none;
        proofs_.push_back(proof);
        return at->second = static_cast<int>(proofs_.size()) - 1;
    }

    // The keeper's drops, as cells, that keep what is to be shown.
    const std::vector<int>& good_drops(const Here& now) {
        auto [at, is_new] = drops_.try_emplace(key(now));
        if (!is_new) return at->second;
        const Word free = playable(g_, now.all());
        const Word blocks = completing_cells(g_, now.rival) & free;
        for (Word left = any(blocks) ? blocks : free; any(left);) {
            const int cell = take_lowest(left);
            if (keeps({now.keeper | bit_at<Word>(cell), now.rival})) at->second.push_back(cell);
        }
        return at->second;
    }

    // What the solver does not know soon is worth a try.
    bool keeps(const Here& after) {
        Limits limits = limits_;
        limits.max_nodes = solver_nodes;
        limits.seconds = limits_.seconds > 0 ? std::max(1e-3, limits_.seconds - watch_.seconds()) : 0;
        const Board board{static_cast<Bits>(after.rival), static_cast<Bits>(after.all())};
        const Bounds found = solver_.solve(board, Goal::result, limits);
        return asked_.win ? found.lower < 0 : found.lower <= 0;
    }

    Here after_rival(const Here& now, int column) const {
        const Word drop = playable(g_, now.all()) & (ones<Word>(g_.stride) << (column * g_.stride));
        return {now.keeper, now.rival | drop};
    }

    // The columns that need a board of their own, as few as greed finds, and a table for the rest.
    void try_tables(const Here& now, Known& known) {
        known.table_tried = true;
        known.elsewhere = hopeless(now);
        while (!watch_.over()) {
            int blamed = none;
            if (table_for(now, known, blamed)) return;
            if (blamed == none) break;
            known.elsewhere[blamed] = true;
        }
        known.elsewhere = open_columns(now);
    }

    // Columns that no table answers even alone.
    std::vector<bool> hopeless(const Here& now) {
        std::vector<bool> found(g_.width, false), all = open_columns(now);
        for (int column = 0; column < g_.width; ++column) {
            if (!all[column]) continue;
            Known alone;
            alone.elsewhere = all;
            alone.elsewhere[column] = false;
            int blamed;
            found[column] = !table_for(now, alone, blamed);
        }
        return found;
    }

    // The rival's columns that do not lose at once.
    std::vector<bool> open_columns(const Here& now) const {
        std::vector<bool> open(g_.width, false);
        for (int column = 0; column < g_.width; ++column) {
            const Here after = after_rival(now, column);
            open[column] = !(after == now) && !any(wins_now(g_, after.keeper, after.all()));
        }
        return open;
    }

    bool table_for(const Here& now, Known& known, int& blamed) {
        std::vector<std::uint64_t> blame(g_.width, 0);
        for (const Word& shut : asked_.win ? shut_parts(now) : std::vector<Word>{Word{0}}) {
            AnswerSearch<G> search(g_, now, asked_.win, shut, known.elsewhere);
            if (search.run(asked_.most_work, watch_)) return note(search.answers(), known), true;
            for (int column = 0; column < g_.width; ++column) blame[column] += search.blame()[column];
        }
        blamed = most_blamed(now, known, blame);
        return false;
    }

    static void note(const std::vector<std::vector<int>>& answers, Known& known) {
        for (std::size_t cell = 0; cell < answers.size(); ++cell) {
            if (!answers[cell].empty()) known.answers.push_back({static_cast<int>(cell), answers[cell]});
        }
    }

    int most_blamed(const Here& now, const Known& known, const std::vector<std::uint64_t>& blame) const {
        int worst = none;
        const std::vector<bool> open = open_columns(now);
        for (int column = 0; column < g_.width; ++column) {
            const bool counts = open[column] && !known.elsewhere[column];
            if (counts && (worst == none || blame[column] > blame[worst])) worst = column;
        }
        return worst;
    }

    // Where the keeper has a threat beneath which the rival must drop in the end: the cell under it and all above, in
    // one column or more, such that the rest is even in number.
    std::vector<Word> shut_parts(const Here& now) const {
        std::vector<Word> columns, parts;
        const Word empty = g_.cells & ~now.all();
        const Word threats = completing_cells(g_, now.keeper) & empty & ~playable(g_, now.all());
        for (int column = 0; column < g_.width; ++column) {
            const Word here = threats & (ones<Word>(g_.stride) << (column * g_.stride));
            if (any(here)) columns.push_back(empty & ~(ones<Word>(lowest_bit(here) - 1)) & part_of(column));
        }
        const std::size_t most = std::min<std::size_t>(columns.size(), 4);
        for (std::size_t chosen = 1; chosen < std::size_t{1} << most; ++chosen) {
            Word part{0};
            for (std::size_t i = 0; i < most; ++i) {
                if (chosen >> i & 1) part |= columns[i];
            }
            if (count_bits(empty & ~part) % 2 == 0) parts.push_back(part);
        }
        parts.push_back(Word{0});  // without such a threat, the keeper may still get one on the way
        return parts;
    }

    Word part_of(int column) const { return g_.cells & (ones<Word>(g_.stride) << (column * g_.stride)); }

    // The proof as a list of pages in which equal boards are shared.
    std::vector<Page> written(int root) const {
        std::vector<Page> pages;
        std::map<int, int> numbers;
        write(root, pages, numbers);
        return pages;
    }

    int write(int proof, std::vector<Page>& pages, std::map<int, int>& numbers) const {
        if (const auto at = numbers.find(proof); at != numbers.end()) return at->second;
        const int number = numbers[proof] = static_cast<int>(pages.size());
        pages.push_back(proofs_[proof].page);
        for (std::size_t i = 0; i < proofs_[proof].page.replies.size(); ++i) {
            pages[number].replies[i].second = write(proofs_[proof].page.replies[i].second, pages, numbers);
        }
        return number;
    }

    using Key = std::pair<Bits, Bits>;
    static Key key(const Here& now) { return {static_cast<Bits>(now.keeper), static_cast<Bits>(now.rival)}; }

    const G g_;
    Solver& solver_;
    const Question asked_;
    Watch watch_;
    const Limits limits_;
    ForceSearch<G> force_;
    std::vector<Proof> proofs_;
    std::map<Key, Known> known_;
    std::map<Key, int> forces_, moved_;
    std::map<Key, std::vector<int>> drops_;
};

template <class G>
std::optional<std::vector<Page>> quickly_or_not(Solver& solver, Question question, Limits limits) {
    const std::uint64_t most_work = question.most_work;
    const Watch watch(limits);
    const double seconds = limits.seconds;
    limits.seconds = seconds / 2;
    question.most_work = most_work / quick_part;
    if (auto found = Explainer<G>(solver, question, limits).run(); found || watch.over()) return found;
    limits.seconds = seconds > 0 ? std::max(1e-3, seconds - watch.seconds()) : 0;
    question.most_work = most_work;
    return Explainer<G>(solver, question, limits).run();
}

}  // namespace

std::optional<std::vector<Page>> explain(Solver& solver, const Question& question, const Limits& limits) {
    const Variant& v = solver.variant();
    const bool one_word = v.width * (v.height + 1) <= 64;
    if (v.run == 4 && one_word) return quickly_or_not<Sizes<std::uint64_t, 0, 4>>(solver, question, limits);
    if (v.run == 4) return quickly_or_not<Sizes<Bits, 0, 4>>(solver, question, limits);
    return quickly_or_not<Sizes<Bits>>(solver, question, limits);
}

}  // namespace connectk::why
