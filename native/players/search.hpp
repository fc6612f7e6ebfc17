// The timed search: iterative deepening alpha-beta with a transposition table and a heuristic evaluation.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "../helpers.hpp"
#include "quiet_evaluation.hpp"
#include "table.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

// A game won by the n-th disc scores win_score - n. Scores up to `max_estimate` are estimates.
inline constexpr int win_score = 30'000, max_estimate = 20'000;
inline constexpr int max_search_depth = 150;  // moves ahead, with forced replies; bounded by the thread's stack

inline bool is_decided(int score) { return std::abs(score) > max_estimate; }

// How a level's search is weakened (level_play.hpp). The default is no handicap.
template <class Word>
struct Handicap {
    QuietWeights weights{};
    bool quiescence = true;        // see Level::quiescence
    std::vector<Word> visible{};   // for each step of the geometry, the cells that the level sees; empty: all cells
    int max_noise = 0;             // the largest error of an evaluation
    std::uint64_t noise_seed = 0;  // the error of a position is a hash of the position and this seed

    Word filter(std::size_t i, const Word& cells) const { return visible.empty() ? cells : cells & visible[i]; }

    int noise(std::uint64_t hash) const {
        return max_noise ? int(mixed(hash ^ noise_seed) % std::uint64_t(2 * max_noise + 1)) - max_noise : 0;
    }
};

template <class Word>
class Search {
public:
    Search(const Geometry<Word>& g, Table& table, Watch& watch, int helper = 0, const Handicap<Word>& handicap = {})
        : g_(g), table_(table), counter_(watch, 128, helper == 0), helper_(helper), handicap_(handicap) {}

    Decision run(const Board<Word>& board, int depth_limit) {
        Decision decision;
        assert(g_.can_show(board.own, board.all));
        const int discs = count_bits(board.all), room = cells_left(board);
        last_disc_ = discs + max_search_depth;
        const int last = depth_limit ? std::min(depth_limit, max_search_depth) : max_search_depth;
        for (int depth = 1 + helper_ % 2; depth <= last; ++depth) {
            const bool to_the_end = depth >= room;
            const int score = search_root(board, discs, depth, decision);
            if (stopped_) break;
            decision.depth = std::min(depth, room);
            decision.proven = is_decided(score) || to_the_end;
            if (decision.proven) break;
        }
        decision.nodes = counter_.nodes();
        counter_.flush();
        return decision;
    }

    // Completes the decision's line with the best moves stored in the table.
    void follow(Board<Word> board, Decision& decision) const {
        decision.line = {decision.column};
        Word move = playable(g_, board) & g_.columns[std::size_t(decision.column)];
        for (int i = 1; i < decision.depth; ++i) {
            board = board.after(move);
            const Word moves = has_line(g_, board.other()) ? Word{} : playable(g_, board);
            const Word wins = moves & completing(g_, board.own, board.all);
            const TableEntry entry = table_.find(hash_of_board(board));
            if (any(wins)) move = bit_at<Word>(lowest_bit(wins));
            else if (entry.bound != Bound::none && entry.move >= 0) move = bit_at<Word>(entry.move) & moves;
            else return;
            if (!any(move)) return;
            decision.line.push_back(g_.column_of(lowest_bit(move)));
        }
    }

private:
    struct Move {
        int bit;
        int priority;
    };
    // The moves on one board: at most one for each column.
    struct Moves {
        Move list[max_board_bits / 2];
        int count = 0;
    };

    Word visible_threats(const Word& discs, const Word& all) const {
        return completing(g_, discs, all,
                          [this](std::size_t i, const Word& cells) { return handicap_.filter(i, cells); });
    }

    std::uint64_t hash_of_board(const Board<Word>& board) const {
        return mixed(hash_of(board.own) + 0x9E3779B97F4A7C15u * hash_of(board.all)) | 1;
    }

    int cells_left(const Board<Word>& board) const {
        Word open{};
        Word moves = playable(g_, board);
        while (any(moves)) open |= g_.columns[std::size_t(g_.column_of(take_lowest(moves)))];
        return count_bits(open & ~board.all);
    }

    // Updates the decision whenever a better move is found, so that a stopped search has the best so far.
    int search_root(const Board<Word>& board, int discs, int depth, Decision& decision) {
        const Threats<Word> threats{visible_threats(board.own, board.all), visible_threats(board.other(), board.all)};
        const Word all_moves = playable(g_, board), wins = all_moves & threats.own;
        if (any(wins)) return decide(decision, lowest_bit(wins), win_score - (discs + 1));
        const Word safe = safe_moves(all_moves, threats.other);
        if (!any(safe))
            return decide(decision, lowest_bit(longest_defence(all_moves, threats.other)), -(win_score - (discs + 2)));
        const int before = decision.column;
        Moves moves;
        sort_moves(board, safe, best_root_bit_, depth, moves);
        if (before < 0) decide(decision, moves.list[0].bit, 0);
        int best = -win_score;
        for (int i = 0; i < moves.count; ++i) {
            const Board<Word> next = board.after(bit_at<Word>(moves.list[i].bit));
            int score = i ? -value(next, discs + 1, depth - 1, -best - 1, -best) : -win_score;
            if (i == 0 || score > best) score = -value(next, discs + 1, depth - 1, -win_score, -best);
            if (stopped_) return best;
            if (score > best) best = decide(decision, moves.list[i].bit, score);
        }
        return best;
    }

    int decide(Decision& decision, int bit, int score) {
        assert(std::abs(score) < win_score);
        best_root_bit_ = bit;
        decision.column = g_.column_of(bit);
        decision.estimate = score;
        decision.result = is_decided(score) ? (score > 0 ? 1 : -1) : 0;
        decision.last_disc = decision.result ? win_score - std::abs(score) : 0;
        return score;
    }

    // The moves after which the opponent cannot win at once: they block every playable threat and do not lie beneath a
    // threat.
    Word safe_moves(Word moves, const Word& threats) const {
        const Word forced = moves & threats;
        if (any(forced)) moves = more_than_one(forced) ? Word{} : forced;
        return moves & ~(threats >> 1);
    }

    Word longest_defence(const Word& moves, const Word& threats) const {
        const Word forced = moves & threats;
        return any(forced) ? forced : moves;
    }

    int value(const Board<Word>& board, int discs, int depth, int alpha, int beta) {
        assert(alpha < beta && discs == count_bits(board.all) && g_.can_show(board.own, board.all));
        if (stopped_ || (stopped_ = counter_.count_and_check())) return 0;
        std::uint64_t hash = 0;
        if (depth > 0) table_.prefetch(hash = hash_of_board(board));
        const Word all_moves = playable(g_, board);
        if (!any(all_moves)) return 0;
        Threats<Word> threats;
        threats.own = visible_threats(board.own, board.all);
        if (!handicap_.quiescence && depth <= 0)
            return judged(board, {threats.own, visible_threats(board.other(), board.all)});
        if (any(threats.own & all_moves)) return win_score - (discs + 1);
        threats.other = visible_threats(board.other(), board.all);
        const Word moves = safe_moves(all_moves, threats.other);
        if (!any(moves)) return -(win_score - (discs + 2));
        alpha = std::max(alpha, -(win_score - (discs + 4)));
        beta = std::min(beta, win_score - (discs + 3));
        if (alpha >= beta) return alpha;
        const bool forced = !more_than_one(moves) && any(all_moves & threats.other);
        if (forced && handicap_.quiescence) ++depth;  // a forced reply costs no depth
        if (depth <= 0 || discs >= last_disc_) return judged(board, threats);
        return search_moves(board, hash ? hash : hash_of_board(board), moves, discs, depth, alpha, beta);
    }

    int judged(const Board<Word>& board, const Threats<Word>& threats) const {
        const int score = evaluate_quiet(g_, board, threats, handicap_.weights) + handicap_.noise(hash_of_board(board));
        return std::clamp(score, -max_estimate, max_estimate);
    }

    int search_moves(const Board<Word>& board, std::uint64_t hash, const Word& safe, int discs, int depth, int alpha,
                     int beta) {
        const TableEntry entry = table_.find(hash);
        if (causes_cutoff(entry, depth, alpha, beta)) return entry.score;
        Moves moves;
        sort_moves(board, safe, entry.bound == Bound::none ? -1 : entry.move, depth, moves);
        assert(moves.count > 0);
        const int original_alpha = alpha;
        int best = -win_score, best_bit = -1;
        for (int i = 0; i < moves.count; ++i) {
            const int bit = moves.list[i].bit;
            const int score =
                search_move(board.after(bit_at<Word>(bit)), discs + 1, depth - 1, std::max(alpha, best), beta, i);
            if (stopped_) return 0;
            if (score > best) best = score, best_bit = bit;
            if (best >= beta) {
                history_[std::size_t(bit)] += depth * depth;
                break;
            }
        }
        assert(any(safe & bit_at<Word>(best_bit)) && std::abs(best) < win_score);
        const Bound bound = best >= beta ? Bound::lower : best > original_alpha ? Bound::exact : Bound::upper;
        table_.store(hash, {best, depth, best_bit, bound});
        return best;
    }

    // Principal variation search: later moves get a null window and a reduced depth, and a full search only if they beat
    // the first.
    int search_move(const Board<Word>& next, int discs, int depth, int alpha, int beta, int index) {
        if (index == 0) return -value(next, discs, depth, -beta, -alpha);
        const int reduced = reduction(next, depth, index);
        int score = -value(next, discs, depth - reduced, -alpha - 1, -alpha);
        if (reduced && score > alpha) score = -value(next, discs, depth, -alpha - 1, -alpha);
        if (score > alpha && score < beta) score = -value(next, discs, depth, -beta, -alpha);
        return score;
    }

    // How much less deep a later move is searched. A search that reaches the end of the game is not reduced, so that
    // its answer is a proof.
    int reduction(const Board<Word>& next, int depth, int index) const {
        if (depth < 3 || index < 3 || depth >= count_bits(g_.cells & ~next.all)) return 0;
        return index < 6 ? 1 : 2;
    }

    static bool causes_cutoff(const TableEntry& entry, int depth, int alpha, int beta) {
        if (entry.bound == Bound::none || (entry.depth < depth && !is_decided(entry.score))) return false;
        if (entry.bound == Bound::exact) return true;
        return entry.bound == Bound::lower ? entry.score >= beta : entry.score <= alpha;
    }

    void sort_moves(const Board<Word>& board, Word safe, int first_bit, int depth, Moves& moves) {
        for (const int column : g_.order) {
            const Word move = safe & g_.columns[std::size_t(column)];
            if (!any(move)) continue;
            const int bit = lowest_bit(move);
            Move next{bit, bit == first_bit ? 1 << 30 : priority(board, move, bit, depth)};
            assert(moves.count < g_.width);
            int place = moves.count++;
            for (; place > 0 && moves.list[place - 1].priority < next.priority; --place)
                moves.list[place] = moves.list[place - 1];
            moves.list[place] = next;
        }
    }

    int priority(const Board<Word>& board, const Word& move, int bit, int depth) {
        int& history = history_[std::size_t(bit)];
        if (history > 1 << 20)
            for (int& one : history_) one /= 2;
        const int threats = depth < 2 ? 0 : count_bits(visible_threats(board.own | move, board.all | move));
        return threats * 4'096 + history;
    }

    const Geometry<Word>& g_;
    Table& table_;
    NodeCounter counter_;
    int helper_;
    Handicap<Word> handicap_;
    std::array<int, std::size_t(bits_in<Word>)> history_{};
    bool stopped_ = false;
    int best_root_bit_ = -1;
    int last_disc_ = 0;
};

// Lazy SMP: helpers search the same board and share the table; they stop when the main search does.
template <class Word>
Decision think(const Geometry<Word>& g, Table& table, const Board<Word>& board, int depth, const SearchLimits& limits) {
    struct StopOnExit {
        Watch& watch;
        ~StopOnExit() { watch.request_stop(); }
    };
    Watch watch(limits);
    Search<Word> search(g, table, watch);
    Decision decision;
    const auto help = [&](int helper) { Search<Word>(g, table, watch, helper).run(board, depth); };
    {
        const Helpers helpers(Helpers::available(limits.threads - 1), help);
        const StopOnExit stop_on_exit{watch};
        decision = search.run(board, depth);
    }
    decision.nodes = watch.nodes();
    if (decision.column >= 0) search.follow(board, decision);
    return decision;
}

}  // namespace connectk::players::CONNECTK_BUILD
