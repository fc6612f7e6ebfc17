#include "explain.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "force.hpp"
#include "sharing.hpp"
#include "tables.hpp"

namespace connectk::why {

namespace {

constexpr int max_force_drops = 12;  // the keeper's drops in a force
constexpr std::uint64_t max_solver_nodes = 1'000'000;
constexpr std::uint64_t first_try_divisor = 20;  // the first try gets 1/20 of the work for one table
constexpr std::uint64_t max_shortening_work = 3'000'000;
constexpr std::uint64_t alternative_divisor = 20;  // a table with other columns split off gets 1/20 of the work
constexpr int max_repeat_factor = 2;  // the search counts a shared board once for each way to it, the result once

template <class G>
class Explainer {
public:
    using Word = typename G::Word;
    using Here = KeeperBoard<Word>;

    Explainer(Solver& solver, const Board& position, const Claim& claim, const ExplainOptions& options,
              const SearchLimits& limits)
        : g_(solver.variant()),
          solver_(solver),
          position_(position),
          keeper_moves_(claim.side == side_to_move(position)),
          win_(claim.result == Promise::wins),
          options_(options),
          watch_(limits),
          limits_(limits),
          force_(g_) {}

    std::optional<std::vector<Page>> run() {
        const Word own(position_.own), other(position_.all ^ position_.own);
        const Here start = keeper_moves_ ? Here{own, other} : Here{other, own};
        for (int max_boards = 1; max_boards <= max_repeat_factor * options_.max_boards && !watch_.should_stop();
             ++max_boards) {
            const int root = keeper_moves_ ? with_drop(start, max_boards) : without_drop(start, max_boards);
            if (root < 0) continue;
            std::vector<Page> pages = pages_of(root);
            found_boards_ = int(pages.size());
            pages = joined(std::move(pages), start);
            if (static_cast<int>(pages.size()) <= options_.max_boards) return pages;
            break;
        }
        return std::nullopt;
    }

    // The number of boards that the search found, before boards were joined.
    int found_boards() const { return found_boards_; }

private:
    static constexpr int none = -1;

    struct Proof {
        std::optional<int> drop{};  // a column
        std::vector<int> force{};
        Answers answers{};
        std::vector<std::pair<int, int>> replies{};  // a column and a proof
        int boards = 1;
    };
    struct CachedProof {
        int proof = none;
        int refuted = 0;                  // the number of boards for which there is no proof
        std::vector<AnswerTable> tables;  // the first is the one that a greedy search finds
        bool has_alternatives = false;
    };

    // Finds a proof of at most `max_boards` boards with the rival to move.
    int without_drop(const Here& now, int max_boards) {
        CachedProof& known = proofs_of_[key(now)];
        if (known.proof != none && proofs_[known.proof].boards <= max_boards) return known.proof;
        if (known.refuted >= max_boards || watch_.should_stop()) return none;
        if (known.tables.empty())
            known.tables.push_back(TableSearch<G>(g_, win_, options_.max_work, watch_).search(now));
        int found = split(now, known.tables.front(), max_boards);
        if (found == none && max_boards > 1 && options_.max_alternative_columns) {
            if (!known.has_alternatives) add_alternatives(now, known);
            for (std::size_t i = 1; found == none && i < known.tables.size(); ++i)
                found = split(now, known.tables[i], max_boards);
        }
        if (found == none && !watch_.should_stop()) known.refuted = max_boards;
        if (found != none) known.proof = found;
        return found;
    }

    void add_alternatives(const Here& now, CachedProof& known) {
        TableSearch<G> search(g_, win_, options_.max_work / alternative_divisor, watch_);
        const int most = std::min(options_.max_alternative_columns, known.tables.front().split_off_count());
        for (AnswerTable& table : search.alternatives(now, known.tables.front(), most))
            known.tables.push_back(std::move(table));
        known.has_alternatives = true;
    }

    // Finds a proof with one board for the table, and more boards for the columns that are split off from it.
    int split(const Here& now, const AnswerTable& table, int max_boards) {
        Proof proof;
        proof.answers = table.answers;
        int left = max_boards - 1 - table.split_off_count();
        if (left < 0) return none;
        for (int column = 0; column < g_.width; ++column) {
            if (!table.split_off[column]) continue;
            const int found = with_drop(after_rival(g_, now, column), left + 1);
            if (found == none) return none;
            left -= proofs_[found].boards - 1;
            proof.replies.push_back({column, found});
            proof.boards += proofs_[found].boards;
        }
        proofs_.push_back(proof);
        return static_cast<int>(proofs_.size()) - 1;
    }

    // Finds a proof of at most `max_boards` boards with the keeper to move, who cannot win at once.
    int with_drop(const Here& now, int max_boards) {
        if (win_) {
            if (const int found = by_force(now); found != none) return found;
        }
        int& known = moved_.try_emplace(key(now), none).first->second;
        if (known != none && proofs_[known].boards <= max_boards) return known;
        const std::vector<int>& drops = claim_keeping_drops(now);
        for (int few = 1; few <= max_boards; ++few) {
            for (const int drop : drops) {
                const Here after{now.keeper | bit_at<Word>(drop), now.rival};
                const int found = without_drop(after, few);
                if (found == none) continue;
                Proof proof = proofs_[found];
                proof.drop = drop / g_.stride;
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
        proof.force = force_.find(now, max_force_drops, watch_);
        if (proof.force.empty()) return none;
        proofs_.push_back(proof);
        return at->second = static_cast<int>(proofs_.size()) - 1;
    }

    // The keeper's drops, as cells, after which the claim may still be true.
    const std::vector<int>& claim_keeping_drops(const Here& now) {
        auto [at, is_new] = drops_.try_emplace(key(now));
        if (!is_new) return at->second;
        const Word free = playable(g_, now.all());
        const Word blocks = completing_cells(g_, now.rival) & free;
        for (Word left = any(blocks) ? blocks : free; any(left);) {
            const int cell = take_lowest(left);
            if (may_keep_claim({now.keeper | bit_at<Word>(cell), now.rival})) at->second.push_back(cell);
        }
        return at->second;
    }

    // Whether the claim may still be true: false only if the solver refutes it within its node limit.
    bool may_keep_claim(const Here& after) {
        SearchLimits limits = limits_;
        limits.max_nodes = max_solver_nodes;
        limits.seconds = std::max(min_claim_seconds, limits_.seconds - watch_.seconds());
        const Board board{static_cast<Bits>(after.rival), static_cast<Bits>(after.all())};
        const Bounds found = solver_.solve(board, Goal::result, limits);
        return win_ ? found.lower < 0 : found.lower <= 0;
    }

    std::vector<Page> joined(std::vector<Page> pages, const Here& start) {
        return BoardSharer<G>(g_, start, win_, options_.max_work / alternative_divisor, watch_)
            .join(std::move(pages), max_readable_boards);
    }

    // The proof as a list of pages; equal boards share a page.
    std::vector<Page> pages_of(int root) const {
        std::vector<Page> pages;
        std::map<int, int> numbers;
        write(root, pages, numbers);
        return pages;
    }

    int write(int proof, std::vector<Page>& pages, std::map<int, int>& numbers) const {
        if (const auto at = numbers.find(proof); at != numbers.end()) return at->second;
        const int number = numbers[proof] = static_cast<int>(pages.size());
        pages.push_back(page_of(proofs_[proof]));
        for (const auto& [column, other] : proofs_[proof].replies) {
            const int page = write(other, pages, numbers);
            pages[number].replies.push_back({column, page});
        }
        return number;
    }

    Page page_of(const Proof& proof) const {
        Page page{proof.drop, proof.force};
        for (const auto& [cell, answers] : proof.answers) {
            std::vector<Cell> cells;
            for (const int answer : answers) cells.push_back(cell_of(answer));
            page.answers.push_back({cell_of(cell), cells});
        }
        return page;
    }
    Cell cell_of(int bit) const { return {bit / g_.stride, bit % g_.stride}; }

    using Key = std::pair<Bits, Bits>;
    static Key key(const Here& now) { return {static_cast<Bits>(now.keeper), static_cast<Bits>(now.rival)}; }

    const G g_;
    Solver& solver_;
    const Board position_;
    const bool keeper_moves_, win_;
    const ExplainOptions options_;
    Watch watch_;
    const SearchLimits limits_;
    ForceSearch<G> force_;
    int found_boards_ = 0;
    std::vector<Proof> proofs_;
    std::map<Key, CachedProof> proofs_of_;
    std::map<Key, int> forces_, moved_;
    std::map<Key, std::vector<int>> drops_;
};

// A quick try first. If it finds nothing, the second try does all the work; if it finds more boards than a person
// reads, the second try looks a little longer for fewer boards.
template <class G>
std::optional<std::vector<Page>> explain_in_two_tries(Solver& solver, const Board& position, const Claim& claim,
                                                      const ExplainOptions& options, SearchLimits limits) {
    const Watch watch(limits);
    const double seconds = limits.seconds;
    limits.seconds = seconds / 2;
    const ExplainOptions quick{options.max_boards, options.max_work / first_try_divisor, 0};
    Explainer<G> first_try(solver, position, claim, quick, limits);
    auto found = first_try.run();
    if (watch.should_stop() || (found && first_try.found_boards() <= max_readable_boards)) return found;
    limits.seconds = std::max(min_claim_seconds, seconds - watch.seconds());
    ExplainOptions thorough = options;
    if (found) {
        thorough.max_boards = int(found->size()) - 1;
        limits.max_nodes = max_shortening_work;
    }
    auto better = Explainer<G>(solver, position, claim, thorough, limits).run();
    return better ? better : found;
}

}  // namespace

std::optional<std::vector<Page>> explain(Solver& solver, const Board& position, const Claim& claim,
                                         const ExplainOptions& options, SearchLimits limits) {
    limits.seconds = std::max(limits.seconds, min_claim_seconds);
    const Variant& v = solver.variant();
    const bool one_word = v.width * (v.height + 1) <= 64;
    if (v.run == 4 && one_word)
        return explain_in_two_tries<Sizes<std::uint64_t, 0, 4>>(solver, position, claim, options, limits);
    if (v.run == 4) return explain_in_two_tries<Sizes<Bits, 0, 4>>(solver, position, claim, options, limits);
    return explain_in_two_tries<Sizes<Bits>>(solver, position, claim, options, limits);
}

}  // namespace connectk::why
