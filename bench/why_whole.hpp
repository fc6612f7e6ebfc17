// Explains a whole board as one graph of boards: the keeper's moves in every position that the rival can reach.
//
// A node is a position with the keeper to move; a board and its mirror image are one node. A node is a leaf if the keeper
// wins by force. Otherwise each good drop is an option: a table of answers, and a node for each of the rival's next columns
// that the table leaves out. An option costs one board plus the cost of its nodes. The cost of a node is that of its best
// option, or before the node is expanded, the mean cost of nodes with as many discs. The search follows the best options to
// a node that is not expanded, expands it, and updates the nodes on the way (as AO* does) until the root is solved. Then it
// looks for cheaper options as long as time is left.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "solver/book/book.hpp"
#include "solver/solver.hpp"
#include "why/force.hpp"
#include "why/tables.hpp"
#include "why_holds.hpp"

namespace connectk::why {

struct Asked {
    Variant variant{7, 6, 4};
    std::string moves;                   // the drops to the position that is explained, columns from 1
    bool first = true;                   // the keeper
    bool win = true;                     // or at least a draw
    int discs = 8;                       // with fewer discs, searching for tables only costs time
    std::uint64_t work = 4'000;          // steps for one table
    int efforts = 4;                     // how often a node may be expanded again, each time with four times the work
    double sticky = 0.7;                 // another option replaces the chosen one only if its cost is below this share
    std::uint64_t max_solver_nodes = 0;  // for one drop; 0: no limit
    std::size_t solver_bytes = std::size_t(1) << 28;
    int threads = 1;
    double seconds = 60;
    std::string state, solution;  // files
};

template <class G>
class Whole {
public:
    using Word = typename G::Word;
    using Here = KeeperBoard<Word>;

    Whole(const Asked& asked, const book::Book* book) : asked_(asked), book_(book), g_(asked.variant) {
        root_ = &node(start());
        root_->rival_moves = asked.first == (asked.moves.size() % 2 == 1);
        load();
        if (!asked.state.empty()) file_.open(asked.state, std::ios::app);
    }

    bool run() {
        std::vector<std::thread> threads;
        for (int i = 0; i < asked_.threads; ++i) threads.emplace_back([this, i] { Worker(*this, i).run(); });
        for (std::thread& thread : threads) thread.join();
        report();
        return root_->solved;
    }

    // Writes the boards of the solution, one per line and the root first; `bench/why_whole.py` makes an explanation of
    // them. A later search may take this file as its state.
    void write_solution() {
        std::ofstream out(asked_.solution);
        for (const Node* node : solution()) {
            out << name(*node);
            if (!node->force.empty()) out << ' ' << text(node->force);
            else out << ' ' << text(node->options[node->selected]);
            out << '\n';
        }
    }

private:
    Here start() const {
        Here here{0, 0};
        for (std::size_t i = 0; i < asked_.moves.size(); ++i) {
            const Word column = ones<Word>(g_.stride) << ((asked_.moves[i] - '1') * g_.stride);
            (asked_.first == (i % 2 == 0) ? here.keeper : here.rival) |= playable(g_, here.all()) & column;
        }
        return here;
    }

    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr int max_force_drops = 12;  // drops
    static constexpr std::uint64_t look_again = 32;
    static constexpr std::int64_t trials = 5;  // positions for trying known tables, as a multiple of the work for one

    struct Node;
    struct Option {
        int drop;  // a column; -1: the rival is to move
        AnswerTable table;
        std::vector<Node*> children;
        double cost = 0;
        bool solved = false;
    };
    struct Node {
        Here here;
        bool rival_moves = false;  // only at the root
        std::vector<int> force;
        std::vector<Option> options;
        int selected = -1, effort = -1;  // not looked at yet
        double cost = 0;
        bool solved = false, busy = false, counted = false;

        bool looked_at() const { return effort >= 0; }
        int discs() const { return count_bits(here.all()); }
    };
    struct Hash {
        std::size_t operator()(const Here& here) const { return hash_of(here.keeper) * 3 + hash_of(here.rival); }
    };
    // The result of expanding a node: its options, and for each of their nodes whether there is a force.
    struct Seen {
        std::vector<Option> options;
        std::vector<std::vector<std::vector<int>>> forces;
    };

    // One thread, with its own solver and searches.
    class Worker {
    public:
        Worker(Whole& whole, int number)
            : whole_(whole),
              g_(whole.g_),
              asked_(whole.asked_),
              solver_(asked_.variant, asked_.solver_bytes),
              watch_(SearchLimits{nullptr, 1, 0, asked_.seconds}),
              force_(g_),
              dice_(number + 1),
              trial_(g_, asked_.win) {
            if (whole.book_) solver_.use(whole.book_);
            is_reporter_ = number == 0;
        }

        void run() {
            double reported = 0;
            while (!watch_.should_stop()) {
                if (is_reporter_ && watch_.seconds() - reported > 10) reported = watch_.seconds(), whole_.report();
                if (!look_at_one()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }

    private:
        bool look_at_one() {
            path_.clear();
            Node* node;
            {
                const std::lock_guard lock(whole_.mutex_);
                Node& root = *whole_.root_;
                node = root.solved ? whole_.cheaper(root, path_, dice_) : whole_.open(root, path_);
                if (!node) return false;
                node->busy = true;
            }
            const Seen seen = look(*node);
            const std::lock_guard lock(whole_.mutex_);
            node->busy = false;
            if (watch_.should_stop()) return false;  // cut short: the node is expanded again later
            whole_.add(*node, seen);
            whole_.write(*node, seen);
            for (std::size_t i = path_.size(); i-- > 0;) whole_.refresh(*path_[i]);
            return true;
        }

        Seen look(const Node& node) {
            const std::vector<int> drops = possible_drops(node);
            Seen seen;
            if (const auto one = known_table(node, drops)) return only(*one);
            std::vector<int> good;
            for (const int drop : drops) {
                if (drop < 0 || may_keep_claim(after(node, drop))) good.push_back(drop);
            }
            for (const int drop : good) {
                Option option{column_of(drop), table_for(after(node, drop), node.effort + 1), {}};
                const bool whole = option.table.split_off_count() == 0;
                if (whole) seen = {}, keep(option.table.answers);
                seen.forces.push_back(forces(after(node, drop), option.table));
                seen.options.push_back(std::move(option));
                if (whole) break;
            }
            return seen;
        }

        static Seen only(const Option& option) {
            Seen seen;
            seen.options.push_back(option);
            seen.forces.emplace_back();
            return seen;
        }

        bool too_early(const Here& after) const { return count_bits(after.all()) < asked_.discs; }

        // A table found elsewhere that holds after some drop, if there is one. No solver is needed for this.
        std::optional<Option> known_table(const Node& node, const std::vector<int>& drops) {
            if (looks_++ % look_again == 0) {
                const std::lock_guard lock(whole_.mutex_);
                books_ = whole_.library_.all();
            }
            std::int64_t steps = trials * static_cast<std::int64_t>(asked_.work);
            for (const auto& book : books_) {
                for (const int drop : drops) {
                    if (too_early(after(node, drop)) || !trial_.holds(after(node, drop), *book, steps)) continue;
                    const std::lock_guard lock(whole_.mutex_);
                    whole_.library_.used(book);
                    return Option{column_of(drop), {std::vector<bool>(g_.width, false), *book}, {}};
                }
            }
            return std::nullopt;
        }

        AnswerTable table_for(const Here& after, int effort) {
            if (too_early(after)) return {open_columns(g_, after), {}};
            return TableSearch<G>(g_, asked_.win, asked_.work << (2 * effort), watch_).search(after);
        }

        void keep(const Answers& answers) {
            const std::lock_guard lock(whole_.mutex_);
            whole_.library_.used(std::make_shared<const Answers>(answers));
        }

        int column_of(int drop) const { return drop < 0 ? -1 : drop / g_.stride; }
        Here after(const Node& node, int drop) const {
            return {drop < 0 ? node.here.keeper : node.here.keeper | bit_at<Word>(drop), node.here.rival};
        }

        std::vector<std::vector<int>> forces(const Here& after, const AnswerTable& table) {
            std::vector<std::vector<int>> found;
            for (int column = 0; column < g_.width; ++column) {
                if (!table.split_off[column]) continue;
                const Here next = whole_.upright(after_rival(g_, after, column));
                found.push_back(asked_.win ? force_.find(next, max_force_drops, watch_) : std::vector<int>{});
            }
            return found;
        }

        // The keeper's drops, as cells, that do not lose at once; -1 if the rival is to move.
        std::vector<int> possible_drops(const Node& node) const {
            if (node.rival_moves) return {-1};
            std::vector<int> drops;
            const Here& now = node.here;
            const Word free = playable(g_, now.all());
            const Word rivals = completing_cells(g_, now.rival) & ~now.all();
            for (Word left = (any(rivals & free) ? rivals & free : free) & ~(rivals >> 1); any(left);) {
                drops.push_back(take_lowest(left));
            }
            return drops;
        }

        bool may_keep_claim(const Here& after) {
            SearchLimits limits{nullptr, 1, asked_.max_solver_nodes, std::max(1e-3, asked_.seconds - watch_.seconds())};
            const Bounds found = solver_.solve({after.rival, after.all()}, Goal::result, limits);
            return asked_.win ? found.upper < 0 : found.lower <= 0;
        }

        Whole& whole_;
        const G& g_;
        const Asked& asked_;
        Solver solver_;
        Watch watch_;
        ForceSearch<G> force_;
        std::mt19937 dice_;
        Trial<G> trial_;
        std::vector<Library::Book> books_;  // a copy of the tables that all threads know, a few expansions old
        std::uint64_t looks_ = 0;
        std::vector<Node*> path_;
        bool is_reporter_;
    };

    // ---- going down

    // A node on the best options that is not expanded yet; `path` has the nodes that lead to it.
    Node* open(Node& node, std::vector<Node*>& path) {
        if (node.solved || node.busy || node.cost == never) return nullptr;
        path.push_back(&node);
        if (!node.looked_at()) return &node;
        if (node.selected >= 0) {
            if (Node* found = open_in(node.options[node.selected], path)) return found;
        }
        refresh(node);
        path.pop_back();
        return nullptr;
    }

    Node* open_in(const Option& option, std::vector<Node*>& path) {
        for (Node* child : option.children) {
            if (Node* found = open(*child, path)) return found;
        }
        return nullptr;
    }

    // From a solved node, one that may make another option cheaper, or one to expand again with more work.
    Node* cheaper(Node& node, std::vector<Node*>& path, std::mt19937& dice) {
        if (node.busy || !node.force.empty() || !node.solved) return nullptr;
        path.push_back(&node);
        refresh(node);
        for (const Option& option : node.options) {
            if (option.solved || option.cost > asked_.sticky * node.cost) continue;
            if (Node* found = open_in(option, path)) return found;
        }
        const bool again = node.cost > 1 && node.effort < asked_.efforts && node.discs() + 1 >= asked_.discs;
        if (again && dice() % 4 == 0) return &node;
        const Option& best = node.options[node.selected];
        double at = std::uniform_real_distribution<>(0, best.cost - 1)(dice);
        for (Node* child : best.children) {
            at -= child->cost;
            if (at <= 0) return cheaper(*child, path, dice);
        }
        return again ? &node : nullptr;
    }

    // ---- coming back

    void refresh(Node& node) {
        if (!node.looked_at() || !node.force.empty()) return;
        int best = -1;
        for (int i = 0; i < static_cast<int>(node.options.size()); ++i) {
            Option& option = node.options[i];
            count(option);
            if (best < 0 || rank(node, i) < rank(node, best)) best = i;
        }
        node.selected = best;
        node.cost = best < 0 ? never : node.options[best].cost;
        node.solved = best >= 0 && node.options[best].solved;
        if (node.solved && !node.counted) {
            node.counted = true;
            sums_[node.discs()] += node.cost;
            ++counts_[node.discs()];
        }
    }

    void count(Option& option) {
        option.cost = 1, option.solved = true;
        for (const Node* child : option.children) {
            option.cost += child->looked_at() ? child->cost : usual(child->discs());
            option.solved &= child->solved;
        }
    }

    // Solved options come first, and the previously chosen option has an advantage.
    std::pair<bool, double> rank(const Node& node, int i) const {
        const Option& option = node.options[i];
        return {!option.solved, option.cost * (i == node.selected ? asked_.sticky : 1.0)};
    }

    // The mean cost so far of nodes with this number of discs; before some are known, a guess from nodes with more
    // discs.
    double usual(int discs) const {
        constexpr int enough = 8;
        constexpr double growth = 2.5, late = 1.5;
        double factor = 1;
        for (; discs + 2 < g_.total; discs += 2, factor *= growth) {
            if (counts_[discs] >= enough) return factor * sums_[discs] / counts_[discs];
            if (discs >= g_.total / 2 + 4) break;
        }
        return factor * late;
    }

    // ---- nodes

    void add(Node& node, const Seen& seen) {
        ++node.effort;
        for (std::size_t i = 0; i < seen.options.size(); ++i) {
            Option option = seen.options[i];
            const auto same = [&](const Option& one) {
                return one.drop == option.drop && one.table.split_off == option.table.split_off &&
                       one.table.answers == option.table.answers;
            };
            if (std::any_of(node.options.begin(), node.options.end(), same)) continue;
            const Here after = after_drop(node, option);
            std::size_t next = 0;
            for (int column = 0; column < g_.width; ++column) {
                if (!option.table.split_off[column]) continue;
                Node& child = this->node(after_rival(g_, after, column));
                const std::vector<int>& force = seen.forces[i][next++];
                if (!child.looked_at() && !force.empty()) win_by_force(child, force);
                if (std::find(option.children.begin(), option.children.end(), &child) == option.children.end())
                    option.children.push_back(&child);
            }
            node.options.push_back(std::move(option));
        }
        refresh(node);
    }

    static void win_by_force(Node& node, const std::vector<int>& force) {
        node.force = force;
        node.effort = 0, node.cost = 1, node.solved = true;
    }

    Here after_drop(const Node& node, const Option& option) const {
        if (option.drop < 0) return node.here;
        const Word part = ones<Word>(g_.stride) << (option.drop * g_.stride);
        return {node.here.keeper | (playable(g_, node.here.all()) & part), node.here.rival};
    }

    Node& node(const Here& here) {
        const Here key = upright(here);
        std::unique_ptr<Node>& found = nodes_[key];
        if (!found) found = std::make_unique<Node>(), found->here = key;
        return *found;
    }

    Here upright(const Here& here) const {
        const Here other{g_.mirrored(here.keeper), g_.mirrored(here.rival)};
        const bool less = other.keeper < here.keeper || (other.keeper == here.keeper && other.rival < here.rival);
        return less ? other : here;
    }

    // ---- files: `keeper:rival` in hexadecimal, then !force, or options as drop/elsewhere/cell>answer,answer;...
    // followed by the forces against the columns elsewhere, each after a |

    std::string name(const Node& node) const {
        std::ostringstream out;
        out << std::hex << node.here.keeper << ':' << node.here.rival;
        return out.str();
    }

    static std::string joined(const std::vector<int>& numbers) {
        std::string out;
        for (const int number : numbers) out += (out.empty() ? "" : ",") + std::to_string(number);
        return out;
    }
    static std::string text(const std::vector<int>& force) { return "!" + joined(force); }
    static std::string text(const Option& option) {
        std::string out = std::to_string(option.drop) + '/';
        for (const bool one : option.table.split_off) out += one ? '1' : '0';
        out += '/';
        for (const auto& [cell, answers] : option.table.answers)
            out += std::to_string(cell) + '>' + joined(answers) + ';';
        return out;
    }

    void write(const Node& node, const Seen& seen) {
        if (!file_.is_open()) return;
        file_ << name(node);
        for (std::size_t i = 0; i < seen.options.size(); ++i) {
            file_ << ' ' << text(seen.options[i]);
            for (const std::vector<int>& force : seen.forces[i]) file_ << '|' << joined(force);
        }
        file_ << '\n';
        file_.flush();
    }

    void load() {
        std::ifstream in(asked_.state);
        for (std::string line; std::getline(in, line) && !in.eof();) read(line);  // a last line may be cut off
        std::vector<Node*> all;
        for (auto& [_, node] : nodes_) all.push_back(node.get());
        std::sort(all.begin(), all.end(), [](const Node* a, const Node* b) { return a->discs() > b->discs(); });
        for (Node* node : all) refresh(*node);
    }

    void read(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        const auto colon = word.find(':');
        Here here;
        here.keeper = std::stoull(word.substr(0, colon), nullptr, 16);
        here.rival = std::stoull(word.substr(colon + 1), nullptr, 16);
        Seen seen;
        while (words >> word) {
            if (word[0] == '!') win_by_force(node(here), numbers(word.substr(1)));
            else read_option(word, seen);
        }
        if (!seen.options.empty()) add(node(here), seen);
    }

    void read_option(const std::string& word, Seen& seen) {
        std::istringstream parts(word);
        std::string part, force;
        Option option;
        std::getline(parts, part, '/');
        option.drop = std::stoi(part);
        std::getline(parts, part, '/');
        for (const char c : part) option.table.split_off.push_back(c == '1');
        std::getline(parts, part, '|');
        std::istringstream answers(part);
        for (std::string one; std::getline(answers, one, ';');) {
            const auto mark = one.find('>');
            option.table.answers.push_back({std::stoi(one.substr(0, mark)), numbers(one.substr(mark + 1))});
        }
        std::vector<std::vector<int>> forces;
        while (static_cast<int>(forces.size()) < option.table.split_off_count()) {
            force.clear();
            std::getline(parts, force, '|');
            forces.push_back(numbers(force));
        }
        if (!option.table.split_off_count()) library_.used(std::make_shared<const Answers>(option.table.answers));
        seen.options.push_back(option);
        seen.forces.push_back(forces);
    }

    static std::vector<int> numbers(const std::string& text) {
        std::vector<int> found;
        std::istringstream in(text);
        for (std::string one; std::getline(in, one, ',');) found.push_back(std::stoi(one));
        return found;
    }

    // ---- reports

    std::vector<const Node*> solution() const {
        std::vector<const Node*> list{root_};
        std::unordered_set<const Node*> met{root_};
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!list[i]->force.empty() || list[i]->selected < 0) continue;
            for (const Node* child : list[i]->options[list[i]->selected].children) {
                if (met.insert(child).second) list.push_back(child);
            }
        }
        return list;
    }

    // The share of the rival's replies that is done, where all replies count the same.
    double share(const Node& node, std::unordered_map<const Node*, double>& known) const {
        if (node.solved) return 1;
        if (node.selected < 0) return 0;
        if (const auto at = known.find(&node); at != known.end()) return at->second;
        double sum = 0;
        const auto& children = node.options[node.selected].children;
        for (const Node* child : children) sum += share(*child, known);
        return known[&node] = sum / children.size();
    }

    void report() {
        const std::lock_guard lock(mutex_);
        std::unordered_map<const Node*, double> known;
        std::unordered_set<std::string> tables;
        int open = 0;
        const auto list = solution();
        for (const Node* node : list) {
            open += !node->solved && !node->looked_at();
            if (node->force.empty() && node->selected >= 0) tables.insert(text(node->options[node->selected]));
        }
        std::printf(
            "%.0f s: %zu nodes, estimate %.0f, done %.2f%%, solution %zu boards (%zu different tables), open %d;",
            clock_.seconds(), nodes_.size(), root_->cost, 100 * share(*root_, known), list.size(), tables.size(), open);
        for (int discs = 0; discs < g_.total; ++discs) {
            if (counts_[discs]) std::printf(" %d:%.1f/%d", discs, sums_[discs] / counts_[discs], counts_[discs]);
        }
        std::printf("\n");
        std::fflush(stdout);
    }

    const Asked asked_;
    const book::Book* const book_;
    const G g_;
    Watch clock_;
    std::mutex mutex_;
    std::unordered_map<Here, std::unique_ptr<Node>, Hash> nodes_;
    Node* root_;
    Library library_;
    std::array<double, 128> sums_{};
    std::array<int, 128> counts_{};
    std::ofstream file_;
};

}  // namespace connectk::why
