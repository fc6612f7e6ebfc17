// Wraps one kind of search in the `Searcher` interface. Only the files that compile an instance include it.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "instances.hpp"
#include "parallel_search.hpp"

namespace connectk::inline CONNECTK_BUILD {

template <class G>
class SearcherFor final : public Searcher {
public:
    SearcherFor(const Variant& variant, std::size_t table_bytes) : g_(variant), table_(g_, table_bytes) {}

    Bounds known_bounds(const Board& board) override {
        Watch watch;
        SearchContext context{watch};
        return Search<G>(g_, table_, context).known_bounds(Word(board.own), Word(board.all));
    }

    int ask(const Board& board, int target, SearchContext& context) override {
        const Word own(board.own), all(board.all);
        table_.set_shared(context.busy != nullptr || has_readers_);
        if (context.busy) return ParallelSearch<G>(g_, table_, context).ask(own, all, target);
        return Search<G>(g_, table_, context).ask(own, all, target);
    }

    void clear_table() override { table_.clear_table(); }
    std::size_t table_bytes() const override { return table_.bytes(); }

    void allow_readers() override {
        has_readers_ = true;
        table_.set_shared(true);
    }

    Bounds recorded_bounds(const Board& board) override {
        Watch watch;
        SearchContext context{watch};
        return Search<G>(g_, table_, context).recorded_bounds(Word(board.own), Word(board.all));
    }

    // Entries are spread evenly, so any part of the table is a sample.
    double table_fill() const override {
        constexpr std::size_t sample = 1 << 14;
        const std::size_t buckets = std::min(table_.buckets(), sample);
        std::size_t used = 0;
        table_.visit_entries(0, buckets, [&](const auto&) { ++used; });
        return double(used) / double(entries_per_bucket * buckets);
    }

    std::vector<KnownPosition> known_positions(std::size_t max_count) const override {
        const std::size_t buckets = table_.buckets();
        std::array<std::size_t, max_work + 1> count{};
        table_.visit_entries(0, buckets, [&](const auto& entry) { ++count[std::size_t(entry.work)]; });
        int least_work = max_work + 1;
        std::size_t total = 0;
        while (least_work > 0 && total + count[std::size_t(least_work - 1)] <= max_count) {
            total += count[std::size_t(--least_work)];
        }
        std::vector<KnownPosition> found;
        found.reserve(total);
        table_.visit_entries(0, buckets, [&](const auto& entry) {
            if (entry.work < least_work || found.size() >= max_count) return;  // other threads may add entries
            const auto& [lower, upper, column] = entry.known;
            found.push_back({Bits(entry.key), lower, upper, column, entry.work});
        });
        return found;
    }

    std::size_t add_known_positions(const std::vector<KnownPosition>& positions) override {
        std::size_t added = 0;
        for (const KnownPosition& one : positions) {
            if (!can_hold(one)) continue;
            const auto key = table_.key_of(Word(one.key));
            TableEntry known{one.lower, one.upper, one.column};
            if (TableEntry found; table_.find(key, found)) {
                known.lower = std::max(known.lower, found.lower);
                known.upper = std::min(known.upper, found.upper);
                if (known.lower > known.upper) continue;
            }
            table_.store(key, known, one.work);
            ++added;
            table_.count_stores(1);
            if (table_.wants_to_grow()) table_.grow();
        }
        return added;
    }

private:
    using Word = typename G::Word;

    bool can_hold(const KnownPosition& one) const {
        const int most = win_with_disc(g_.total, 2);  // positions in the table are not won with the next disc
        const bool on_board = !any(one.key & ~ones<Bits>(g_.width * g_.stride));
        return on_board && -most <= one.lower && one.lower <= one.upper && one.upper <= most && one.column >= 0 &&
               one.column < g_.width && one.work >= 0 && one.work <= max_work;
    }

    G g_;
    TableFor<G> table_;
    bool has_readers_ = false;
};

template <class G>
std::unique_ptr<Searcher> searcher_for(const Variant& variant, std::size_t table_bytes) {
    return std::make_unique<SearcherFor<G>>(variant, table_bytes);
}

}  // namespace connectk::inline CONNECTK_BUILD
