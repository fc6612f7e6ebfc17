// Joins boards of an explanation: one table of answers, or one force, may serve after several replies of the rival.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "explain.hpp"
#include "force.hpp"
#include "tables.hpp"

namespace connectk::why {

template <class G>
class BoardSharer {
public:
    using Word = typename G::Word;
    using Here = KeeperBoard<Word>;

    BoardSharer(const G& g, const Here& start, bool win, std::uint64_t max_work, Watch& watch)
        : g_(g), start_(start), win_(win), max_work_(max_work), watch_(watch) {}

    // Joins pages until at most `enough` are left or no two can be joined. Only pages without replies are joined, other
    // than the first one.
    std::vector<Page> join(std::vector<Page> pages, std::size_t enough) {
        while (pages.size() > enough && join_two(pages));
        return pages;
    }

private:
    bool join_two(std::vector<Page>& pages) {
        const std::vector<std::vector<Here>> boards = boards_of(pages);
        for (const bool as_force : {true, false})
            for (std::size_t one = 1; one < pages.size(); ++one)
                for (std::size_t other = one + 1; other < pages.size(); ++other) {
                    if (!pages[one].replies.empty() || !pages[other].replies.empty() || watch_.should_stop()) continue;
                    std::vector<Here> both = boards[one];
                    both.insert(both.end(), boards[other].begin(), boards[other].end());
                    auto shared = as_force ? shared_force(pages[one], pages[other], both) : shared_table(both);
                    if (!shared) continue;
                    replace(pages, int(one), int(other), std::move(*shared));
                    return true;
                }
        return false;
    }

    // The boards on which each page begins, before the keeper's drop if it has one.
    std::vector<std::vector<Here>> boards_of(const std::vector<Page>& pages) const {
        std::vector<std::vector<Here>> boards(pages.size());
        std::vector<std::pair<int, Here>> pending{{0, start_}};
        while (!pending.empty()) {
            const auto [number, here] = pending.back();
            pending.pop_back();
            std::vector<Here>& known = boards[std::size_t(number)];
            if (std::find(known.begin(), known.end(), here) != known.end()) continue;
            known.push_back(here);
            const Page& page = pages[std::size_t(number)];
            const Here now = page.drop ? after_keeper(here, *page.drop) : here;
            for (const auto& [column, next] : page.replies) {
                const Here after = after_rival(g_, now, column);
                if (!(after == now) && !any(wins_now(g_, after.keeper, after.all()))) pending.push_back({next, after});
            }
        }
        return boards;
    }

    Here after_keeper(const Here& here, int column) const {
        return {here.keeper | (playable(g_, here.all()) & column_of(column)), here.rival};
    }

    // One of the two forces, if it works on all of these boards.
    std::optional<Page> shared_force(const Page& one, const Page& other, const std::vector<Here>& boards) const {
        for (const Page* page : {&one, &other}) {
            const auto works = [&](const Here& here) { return force_works(here, page->force); };
            if (!page->force.empty() && std::all_of(boards.begin(), boards.end(), works)) return *page;
        }
        return std::nullopt;
    }

    bool force_works(Here here, const std::vector<int>& drops) const {
        for (const int column : drops) {
            const Word drop = playable(g_, here.all()) & column_of(column);
            if (!any(drop)) return false;
            if (any(completing_cells(g_, here.keeper) & drop)) return true;
            here.keeper |= drop;
            Word safe{0}, room = playable(g_, here.all());
            if (!any(room)) return false;
            while (any(room)) {
                const Word reply = bit_at<Word>(take_lowest(room));
                const Word discs = here.rival | reply;
                if (has_line(g_, discs)) return false;
                if (!any(wins_now(g_, here.keeper, here.keeper | discs))) safe |= reply;
            }
            if (!any(safe)) return true;
            if (more_than_one(safe)) return false;
            here.rival |= safe;
        }
        return false;
    }

    // A table after one drop, for all of these boards.
    std::optional<Page> shared_table(const std::vector<Here>& boards) {
        for (int column = 0; column < g_.width; ++column) {
            std::vector<Here> starts;
            for (const Here& here : boards) {
                const Here after = after_keeper(here, column);
                const bool is_kept = !(after == here) && any(playable(g_, after.all()));
                if (is_kept && !has_line(g_, after.keeper)) starts.push_back(after);
            }
            if (starts.size() != boards.size()) continue;
            if (auto answers = TableSearch<G>(g_, win_, max_work_, watch_).search_shared(starts))
                return page_of(column, *answers);
        }
        return std::nullopt;
    }

    Page page_of(int column, const Answers& answers) const {
        Page page{column};
        for (const auto& [cell, some] : answers) {
            std::vector<Cell> cells;
            for (const int answer : some) cells.push_back(cell_of(answer));
            page.answers.push_back({cell_of(cell), std::move(cells)});
        }
        return page;
    }

    // Puts `shared` in place of the first page and removes the other one.
    static void replace(std::vector<Page>& pages, int one, int other, Page shared) {
        pages[std::size_t(one)] = std::move(shared);
        pages.erase(pages.begin() + other);
        for (Page& page : pages)
            for (auto& [_, number] : page.replies) {
                if (number == other) number = one;
                else if (number > other) --number;
            }
    }

    Cell cell_of(int bit) const { return {bit / g_.stride, bit % g_.stride}; }
    Word column_of(int column) const { return ones<Word>(g_.stride) << (column * g_.stride); }

    const G& g_;
    const Here start_;
    const bool win_;
    const std::uint64_t max_work_;
    Watch& watch_;
};

}  // namespace connectk::why
