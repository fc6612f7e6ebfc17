// The timed search: deeper and deeper until the time is up, with what each depth found guiding the next.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "../helpers.hpp"
#include "judgement.hpp"
#include "table.hpp"
#include "thinker.hpp"

namespace connectk::players::CONNECTK_BUILD {

// A game won by the n-th disc is worth win - n. Scores up to `most_estimate` are estimates.
inline constexpr int win = 30'000, most_estimate = 20'000;
inline constexpr int deepest = 150;  // moves ahead, forced replies included: the stack of a thread is not endless

inline bool is_decided(int score) { return std::abs(score) > most_estimate; }

// How well a player sees. These miss nothing; a level's do (level_play.hpp).
template <class Word>
struct Eyes {
    Weights weights{};
    bool looks_on = true;      // at the replies to the last move, and along forced ones
    std::vector<Word> seen{};  // for each step of the geometry, the cells that are noticed; all of them without it
    int misjudgement = 0;      // how far a judgement is off, at most
    std::uint64_t mood = 0;    // which of them are off, and how

    Word notice(std::size_t i, const Word& cells) const { return seen.empty() ? cells : cells & seen[i]; }

    int misjudge(std::uint64_t hash) const {
        return misjudgement ? int(mixed(hash ^ mood) % std::uint64_t(2 * misjudgement + 1)) - misjudgement : 0;
    }
};

template <class Word>
class Search {
public:
    Search(const Geometry<Word>& g, Table& table, Watch& watch, int helper = 0, const Eyes<Word>& eyes = {})
        : g_(g), table_(table), pace_(watch, 128, helper == 0), helper_(helper), eyes_(eyes) {}

    Decision run(const Board<Word>& board, int depth_limit) {
        Decision decision;
        assert(g_.can_show(board.own, board.all));
        const int discs = count_bits(board.all), room = cells_left(board);
        last_disc_ = discs + deepest;
        const int last = depth_limit ? std::min(depth_limit, deepest) : deepest;
        for (int depth = 1 + helper_ % 2; depth <= last; ++depth) {
            const bool to_the_end = depth >= room;
            const int score = search_root(board, discs, depth, decision);
            if (stopped_) break;
            decision.depth = std::min(depth, room);
            decision.proven = is_decided(score) || to_the_end;
            if (decision.proven) break;
        }
        decision.nodes = pace_.nodes();
        pace_.tell();
        return decision;
    }

    // The best moves that the table remembers, after the one chosen.
    void follow(Board<Word> board, Decision& decision) const {
        decision.line = {decision.column};
        Word move = playable(g_, board) & g_.columns[std::size_t(decision.column)];
        for (int i = 1; i < decision.depth; ++i) {
            board = board.after(move);
            const Word moves = has_line(g_, board.other()) ? Word{} : playable(g_, board);
            const Word wins = moves & completing(g_, board.own, board.all);
            const Seen seen = table_.find(hash_of_board(board));
            if (any(wins)) move = bit_at<Word>(lowest_bit(wins));
            else if (seen.bound != Bound::none && seen.move >= 0) move = bit_at<Word>(seen.move) & moves;
            else return;
            if (!any(move)) return;
            decision.line.push_back(g_.column_of(lowest_bit(move)));
        }
    }

private:
    struct Move {
        int bit;
        int promise;
    };
    // A board has at most as many moves as columns.
    struct Moves {
        Move list[most_bits / 2];
        int count = 0;
    };

    Word noticed(const Word& discs, const Word& all) const {
        return completing(g_, discs, all, [this](std::size_t i, const Word& cells) { return eyes_.notice(i, cells); });
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

    // Sets the decision whenever a better move is certain, so that a stopped search has the best so far.
    int search_root(const Board<Word>& board, int discs, int depth, Decision& decision) {
        const Threats<Word> threats{noticed(board.own, board.all), noticed(board.other(), board.all)};
        const Word all_moves = playable(g_, board), wins = all_moves & threats.own;
        if (any(wins)) return decide(decision, lowest_bit(wins), win - (discs + 1));
        const Word safe = safe_moves(all_moves, threats.other);
        if (!any(safe))
            return decide(decision, lowest_bit(longest_defence(all_moves, threats.other)), -(win - (discs + 2)));
        const int before = decision.column;
        Moves moves;
        sort_moves(board, safe, best_root_bit_, depth, moves);
        if (before < 0) decide(decision, moves.list[0].bit, 0);
        int best = -win;
        for (int i = 0; i < moves.count; ++i) {
            const Board<Word> next = board.after(bit_at<Word>(moves.list[i].bit));
            int score = i ? -value(next, discs + 1, depth - 1, -best - 1, -best) : -win;
            if (i == 0 || score > best) score = -value(next, discs + 1, depth - 1, -win, -best);
            if (stopped_) return best;
            if (score > best) best = decide(decision, moves.list[i].bit, score);
        }
        return best;
    }

    int decide(Decision& decision, int bit, int score) {
        assert(std::abs(score) < win);
        best_root_bit_ = bit;
        decision.column = g_.column_of(bit);
        decision.estimate = score;
        decision.result = is_decided(score) ? (score > 0 ? 1 : -1) : 0;
        decision.last_disc = decision.result ? win - std::abs(score) : 0;
        return score;
    }

    // Moves that do not lose to the next disc: they block what must be blocked, and do not lie beneath a threat.
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
        if (stopped_ || (stopped_ = pace_.is_over())) return 0;
        std::uint64_t hash = 0;
        if (depth > 0) table_.prefetch(hash = hash_of_board(board));
        const Word all_moves = playable(g_, board);
        if (!any(all_moves)) return 0;
        Threats<Word> threats;
        threats.own = noticed(board.own, board.all);
        if (!eyes_.looks_on && depth <= 0) return judged(board, {threats.own, noticed(board.other(), board.all)});
        if (any(threats.own & all_moves)) return win - (discs + 1);
        threats.other = noticed(board.other(), board.all);
        const Word moves = safe_moves(all_moves, threats.other);
        if (!any(moves)) return -(win - (discs + 2));
        alpha = std::max(alpha, -(win - (discs + 4)));
        beta = std::min(beta, win - (discs + 3));
        if (alpha >= beta) return alpha;
        const bool forced = !more_than_one(moves) && any(all_moves & threats.other);
        if (forced && eyes_.looks_on) ++depth;  // a forced reply costs no depth
        if (depth <= 0 || discs >= last_disc_) return judged(board, threats);
        return search_moves(board, hash ? hash : hash_of_board(board), moves, discs, depth, alpha, beta);
    }

    int judged(const Board<Word>& board, const Threats<Word>& threats) const {
        const int score = judge(g_, board, threats, eyes_.weights) + eyes_.misjudge(hash_of_board(board));
        return std::clamp(score, -most_estimate, most_estimate);
    }

    int search_moves(const Board<Word>& board, std::uint64_t hash, const Word& safe, int discs, int depth, int alpha,
                     int beta) {
        const Seen seen = table_.find(hash);
        if (answers(seen, depth, alpha, beta)) return seen.score;
        Moves moves;
        sort_moves(board, safe, seen.bound == Bound::none ? -1 : seen.move, depth, moves);
        assert(moves.count > 0);
        const int asked = alpha;
        int best = -win, best_bit = -1;
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
        assert(any(safe & bit_at<Word>(best_bit)) && std::abs(best) < win);
        const Bound bound = best >= beta ? Bound::lower : best > asked ? Bound::exact : Bound::upper;
        table_.keep(hash, {best, depth, best_bit, bound});
        return best;
    }

    // The first move is expected to be best: later ones only have to show that they are not, and less deeply.
    int search_move(const Board<Word>& next, int discs, int depth, int alpha, int beta, int index) {
        if (index == 0) return -value(next, discs, depth, -beta, -alpha);
        const int less = reduction(next, depth, index);
        int score = -value(next, discs, depth - less, -alpha - 1, -alpha);
        if (less && score > alpha) score = -value(next, discs, depth, -alpha - 1, -alpha);
        if (score > alpha && score < beta) score = -value(next, discs, depth, -beta, -alpha);
        return score;
    }

    // Nothing is skipped once the search reaches the end of the game: then its answer is a proof.
    int reduction(const Board<Word>& next, int depth, int index) const {
        if (depth < 3 || index < 3 || depth >= count_bits(g_.cells & ~next.all)) return 0;
        return index < 6 ? 1 : 2;
    }

    static bool answers(const Seen& seen, int depth, int alpha, int beta) {
        if (seen.bound == Bound::none || (seen.depth < depth && !is_decided(seen.score))) return false;
        if (seen.bound == Bound::exact) return true;
        return seen.bound == Bound::lower ? seen.score >= beta : seen.score <= alpha;
    }

    void sort_moves(const Board<Word>& board, Word safe, int first_bit, int depth, Moves& moves) {
        for (const int column : g_.order) {
            const Word move = safe & g_.columns[std::size_t(column)];
            if (!any(move)) continue;
            const int bit = lowest_bit(move);
            Move next{bit, bit == first_bit ? 1 << 30 : promise(board, move, bit, depth)};
            assert(moves.count < g_.width);
            int place = moves.count++;
            for (; place > 0 && moves.list[place - 1].promise < next.promise; --place)
                moves.list[place] = moves.list[place - 1];
            moves.list[place] = next;
        }
    }

    int promise(const Board<Word>& board, const Word& move, int bit, int depth) {
        int& history = history_[std::size_t(bit)];
        if (history > 1 << 20)
            for (int& one : history_) one /= 2;
        const int threats = depth < 2 ? 0 : count_bits(noticed(board.own | move, board.all | move));
        return threats * 4'096 + history;
    }

    const Geometry<Word>& g_;
    Table& table_;
    Pace pace_;
    int helper_;
    Eyes<Word> eyes_;
    std::array<int, std::size_t(bits_in<Word>)> history_{};
    bool stopped_ = false;
    int best_root_bit_ = -1;
    int last_disc_ = 0;
};

// Helpers fill the shared table beside the one that decides, and end with it.
template <class Word>
Decision think(const Geometry<Word>& g, Table& table, const Board<Word>& board, int depth, const SearchLimits& limits) {
    struct End {
        Watch& watch;
        ~End() { watch.end(); }
    };
    Watch watch(limits);
    Search<Word> search(g, table, watch);
    Decision decision;
    const auto help = [&](int helper) { Search<Word>(g, table, watch, helper).run(board, depth); };
    {
        const Helpers helpers(Helpers::at_hand(limits.threads - 1), help);
        const End end{watch};
        decision = search.run(board, depth);
    }
    decision.nodes = watch.nodes();
    if (decision.column >= 0) search.follow(board, decision);
    return decision;
}

}  // namespace connectk::players::CONNECTK_BUILD
