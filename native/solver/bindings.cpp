// The solver, the solver pool and the opening book for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <bit>

#include "../describe_python.hpp"
#include "../memory.hpp"
#include "../python.hpp"
#include "book/write.hpp"
#include "solver_pool.hpp"
#include "rules.hpp"
#include "solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk {

namespace {

nb::int_ to_int(const Bits& bits) {
    const nb::int_ low(static_cast<std::uint64_t>(bits)), high(static_cast<std::uint64_t>(bits >> 64));
    return any(bits >> 64) ? nb::int_((high << nb::int_(64)) | low) : low;
}

SearchLimits limits_of(int threads, std::uint64_t max_nodes, const StopFlag* stop) {
    return SearchLimits{stop ? &stop->raised : nullptr, threads, max_nodes};
}

Path path_of(const std::string& name) {
    if (name == "automatic") return Path::automatic;
    if (name == "one_word") return Path::one_word;
    if (name == "wide_word") return Path::wide_word;
    throw nb::value_error("the path is automatic, one_word or wide_word");
}

Goal goal_of(bool result_only) { return result_only ? Goal::result : Goal::score; }

Goal goal_of(const nb::object& name) {
    if (name.equal(nb::str("score"))) return Goal::score;
    if (name.equal(nb::str("result"))) return Goal::result;
    throw nb::value_error("the goal is 'score' or 'result'");
}

// The bits of the board after these drops; nothing if a drop is against the rules.
std::optional<std::pair<nb::int_, nb::int_>> bits_after(int width, int height, int run,
                                                        const std::vector<int>& columns) {
    const auto board = board_after({width, height, run}, columns);
    if (!board) return std::nullopt;
    return std::pair(to_int(board->own), to_int(board->all));
}

// The number of discs in a column, given its code from Position.column_codes: a bit for each disc, under a marker bit.
int discs_in(const Bits& code) {
    const auto high = static_cast<std::uint64_t>(code >> 64), low = static_cast<std::uint64_t>(code >> 1);
    return high ? 63 + std::bit_width(high) : std::bit_width(low);
}

Board board_of_bits(const Solver& solver, const nb::int_& own, const nb::int_& all) {
    const Board board{bits_of(own), bits_of(all)};
    if (!possible(solver.variant(), board)) throw nb::value_error("no game shows this board");
    return board;
}

Board board_of_columns(const nb::tuple& columns, int height) {
    if (!supported({static_cast<int>(columns.size()), height, 1})) {
        throw nb::value_error("a board of more than 128 bits has no such bits");
    }
    Bits second{0}, all{0};
    int place = 0;
    for (const nb::handle column : columns) {
        const Bits code = bits_of(nb::borrow<nb::int_>(column));
        const Bits discs = ones<Bits>(discs_in(code));
        all |= discs << place;
        second |= (code & discs) << place;
        place += height + 1;
    }
    return {count_bits(all) % 2 ? second : all ^ second, all};
}

nb::tuple bits_of_columns(const nb::tuple& columns, int height) {
    const Board board = board_of_columns(columns, height);
    return nb::make_tuple(to_int(board.own), to_int(board.all));
}

// Known positions as bytes, the same on every machine. Each takes 20: the key as two words, lowest byte first, then
// lower bound, upper bound, column and work.
constexpr std::size_t saved_position_bytes = 20;

std::string saved_form(const std::vector<KnownPosition>& positions) {
    std::string bytes;
    bytes.reserve(saved_position_bytes * positions.size());
    for (const KnownPosition& one : positions) {
        for (int i = 0; i < 16; ++i) bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(one.key >> 8 * i)));
        for (const int number : {one.lower, one.upper, one.column, one.work}) {
            bytes.push_back(static_cast<char>(number));
        }
    }
    return bytes;
}

std::vector<KnownPosition> positions_in(const char* bytes, std::size_t size) {
    if (size % saved_position_bytes != 0) throw nb::value_error("these are no saved positions");
    std::vector<KnownPosition> positions(size / saved_position_bytes);
    for (KnownPosition& one : positions) {
        for (int i = 0; i < 16; ++i) one.key |= Bits(static_cast<std::uint8_t>(bytes[i])) << 8 * i;
        const auto number = [&](int at) { return int(static_cast<std::int8_t>(bytes[at])); };
        one.lower = number(16), one.upper = number(17), one.column = number(18), one.work = number(19);
        bytes += saved_position_bytes;
    }
    return positions;
}

// Python's `Found`: the bounds and what the caller asked for.
struct Found : Bounds {
    Goal goal = Goal::score;

    static constexpr auto fields() { return std::tuple_cat(Bounds::fields(), std::tuple{Field{"goal", &Found::goal}}); }
};

}  // namespace

void bind_solver(nb::module_& m) {
    nb::class_<StopFlag>(m, "StopFlag")
        .def(nb::init<>())
        .def("set", [](StopFlag& self) { self.raised = true; })
        .def("clear", [](StopFlag& self) { self.raised = false; })
        .def("is_set", [](const StopFlag& self) { return self.raised.load(); });
    nb::class_<Progress>(m, "Progress")
        .def(nb::init<>())
        .def_prop_ro("lower", [](const Progress& self) { return self.lower.load(); })
        .def_prop_ro("upper", [](const Progress& self) { return self.upper.load(); })
        .def_prop_ro("depth", [](const Progress& self) { return self.depth.load(); })
        .def_prop_ro("nodes", [](const Progress& self) { return self.nodes.load(); });
    bind_struct<Bounds>(m, "Bounds").def_prop_ro("exact", &Bounds::exact);
    m.def(
        "solver_supports", [](int width, int height, int run) { return supported({width, height, run}); }, "width"_a,
        "height"_a, "run"_a);

    bind_struct<Drops>(m, "Drops");
    m.def("available_memory", &available_memory);
    m.def("bits_of", &bits_of_columns, "columns"_a, "height"_a);
    m.def("bits_after", &bits_after, "width"_a, "height"_a, "run"_a, "columns"_a);

    nb::class_<Solver>(m, "Solver")
        .def(
            "__init__",
            [](Solver* self, int width, int height, int run, std::size_t table_bytes, const std::string& path,
               const book::Book* book) {
                new (self) Solver({width, height, run}, table_bytes, path_of(path));
                self->use(book);
            },
            "width"_a, "height"_a, "run"_a, "table_bytes"_a = 0, "path"_a = "automatic", "book"_a = nb::none(),
            nb::keep_alive<1, 7>())
        .def(
            "find",
            [](Solver& self, const nb::tuple& columns, const nb::type_object& found, const nb::object& goal,
               std::uint64_t max_nodes, bool clear_table) {
                const Board board = board_of_columns(columns, self.variant().height);
                const Goal wanted = goal_of(goal);
                Bounds bounds;
                {
                    nb::gil_scoped_release without_python;
                    if (clear_table) self.clear_table();
                    bounds = self.solve(board, wanted, limits_of(1, max_nodes, nullptr));
                }
                return NamedTuple<Found>(found)({bounds, wanted});
            },
            "columns"_a, "found"_a, "goal"_a, "max_nodes"_a, "clear_table"_a)
        .def(
            "solve",
            [](Solver& self, const nb::int_& own, const nb::int_& all, bool result_only, int threads,
               std::uint64_t max_nodes, const StopFlag* stop, Progress* progress) {
                const Board board = board_of_bits(self, own, all);
                nb::gil_scoped_release without_python;
                return self.solve(board, goal_of(result_only), limits_of(threads, max_nodes, stop), progress);
            },
            "own"_a, "all"_a, nb::kw_only(), "result_only"_a = false, "threads"_a = 1, "max_nodes"_a = 0,
            "stop"_a = nb::none(), "progress"_a = nb::none())
        .def(
            "solve_window",
            [](Solver& self, const nb::int_& own, const nb::int_& all, int alpha, int beta, int threads,
               std::uint64_t max_nodes, const StopFlag* stop, Progress* progress) {
                const Board board = board_of_bits(self, own, all);
                nb::gil_scoped_release without_python;
                return self.solve_window(board, alpha, beta, limits_of(threads, max_nodes, stop), progress);
            },
            "own"_a, "all"_a, "alpha"_a, "beta"_a, nb::kw_only(), "threads"_a = 1, "max_nodes"_a = 0,
            "stop"_a = nb::none(), "progress"_a = nb::none())
        .def(
            "score_columns",
            [](Solver& self, const nb::int_& own, const nb::int_& all, bool result_only, int threads,
               std::uint64_t max_nodes, const StopFlag* stop, Progress* progress) {
                const Board board = board_of_bits(self, own, all);
                const SearchLimits limits = limits_of(threads, max_nodes, stop);
                nb::gil_scoped_release without_python;
                return self.score_columns(board, goal_of(result_only), limits, progress);
            },
            "own"_a, "all"_a, nb::kw_only(), "result_only"_a = false, "threads"_a = 1, "max_nodes"_a = 0,
            "stop"_a = nb::none(), "progress"_a = nb::none())
        .def(
            "best_columns",
            [](Solver& self, const nb::int_& own, const nb::int_& all, int score, bool result_only, int threads,
               std::uint64_t max_nodes, const StopFlag* stop, Progress* progress) {
                const Board board = board_of_bits(self, own, all);
                const SearchLimits limits = limits_of(threads, max_nodes, stop);
                nb::gil_scoped_release without_python;
                return self.best_columns(board, score, goal_of(result_only), limits, progress);
            },
            "own"_a, "all"_a, "score"_a, nb::kw_only(), "result_only"_a = false, "threads"_a = 1, "max_nodes"_a = 0,
            "stop"_a = nb::none(), "progress"_a = nb::none())
        .def(
            "line",
            [](Solver& self, const nb::int_& own, const nb::int_& all, int score, int max_drops, bool result_only,
               int threads, std::uint64_t max_nodes, const StopFlag* stop, Progress* progress) {
                const Board board = board_of_bits(self, own, all);
                const SearchLimits limits = limits_of(threads, max_nodes, stop);
                nb::gil_scoped_release without_python;
                return self.line(board, score, goal_of(result_only), max_drops, limits, progress);
            },
            "own"_a, "all"_a, "score"_a, nb::kw_only(), "max_drops"_a = 0, "result_only"_a = false, "threads"_a = 1,
            "max_nodes"_a = 0, "stop"_a = nb::none(), "progress"_a = nb::none())
        .def("clear_table", &Solver::clear_table)
        .def_prop_ro("table_bytes", &Solver::table_bytes)
        .def("allow_readers", &Solver::allow_readers)
        .def_prop_ro("table_fill", &Solver::table_fill)
        .def(
            "recorded_bounds",
            [](Solver& self, const nb::int_& own, const nb::int_& all) {
                const Bounds bounds = self.recorded_bounds(board_of_bits(self, own, all));
                return std::pair(bounds.lower, bounds.upper);
            },
            "own"_a, "all"_a)
        .def(
            "save_positions",
            [](const Solver& self, std::size_t max_count) {
                std::string bytes;
                {
                    nb::gil_scoped_release without_python;
                    bytes = saved_form(self.known_positions(max_count));
                }
                return nb::bytes(bytes.data(), bytes.size());
            },
            "max_count"_a)
        .def(
            "load_positions",
            [](Solver& self, const nb::bytes& saved) {
                const std::vector<KnownPosition> positions =
                    positions_in(static_cast<const char*>(saved.data()), saved.size());
                nb::gil_scoped_release without_python;
                return self.add_known_positions(positions);
            },
            "saved"_a);
}

namespace {

// The board after a move string of plain digits; nothing for any other text, or if a move is against the rules.
std::optional<Board> board_of_text(const Variant& variant, const nb::handle& text) {
    Py_ssize_t length = 0;
    const char* digits = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (!digits) PyErr_Clear();
    if (!digits || variant.width > 9) return std::nullopt;
    std::vector<int> columns;
    for (Py_ssize_t i = 0; i < length; ++i) columns.push_back(digits[i] - '1');
    return board_after(variant, columns);
}

// Collects tasks that share variant, book and goal.
struct TaskBuilder {
    Variant variant;
    const book::Book* book;
    Goal goal;
    std::vector<SolverPool::Task> tasks{};

    void add(const Board& board) { tasks.push_back({variant, board, book, goal}); }
};

// The board of an item that has this variant. An item is a position, a tuple (variant, own, all) or moves as plain
// digits.
std::optional<Board> board_of_item(const nb::handle& item, const nb::type_object& position, const nb::object& variant,
                                   bool strings, const TaskBuilder& builder) {
    const auto is_of_it = [&](const nb::object& its) { return its.is(variant) || its.equal(variant); };
    if (item.type().is(position)) {
        if (!is_of_it(item.attr("variant"))) return std::nullopt;
        return board_of_columns(nb::borrow<nb::tuple>(item.attr("column_codes")()), builder.variant.height);
    }
    if (nb::isinstance<nb::str>(item)) return strings ? board_of_text(builder.variant, item) : std::nullopt;
    if (!nb::isinstance<nb::tuple>(item) || nb::len(item) != 3 || !is_of_it(item[0])) return std::nullopt;
    const Board board{bits_of(nb::cast<nb::int_>(item[1])), bits_of(nb::cast<nb::int_>(item[2]))};
    return possible(builder.variant, board) ? std::optional(board) : std::nullopt;
}

// Submits items from `first` on while they are boards of this variant; returns their number. Python handles the next
// item.
std::size_t submit_items(SolverPool& pool, const nb::list& items, std::size_t first, const nb::type_object& position,
                         const nb::object& variant, bool strings, TaskBuilder builder) {
    const std::size_t count = items.size();
    for (std::size_t i = first; i < count; ++i) {
        const auto board = board_of_item(items[i], position, variant, strings, builder);
        if (!board) break;
        builder.add(*board);
    }
    const std::size_t asked = builder.tasks.size();
    pool.submit(std::move(builder.tasks));
    return asked;
}

// Holds the bytes of any object that supports Python's buffers.
class Buffer {
public:
    explicit Buffer(const nb::object& object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) nb::raise_python_error();
    }
    ~Buffer() { PyBuffer_Release(&view_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    const char* data() const { return static_cast<const char*>(view_.buf); }
    std::size_t size() const { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
};

// Submits the rows from `first` on, at most `count`, up to the first impossible board, and returns how many.
std::size_t submit_rows(SolverPool& pool, const nb::object& bytes, std::size_t first, std::size_t count,
                        TaskBuilder builder) {
    const std::size_t words = builder.variant.width * (builder.variant.height + 1) <= 64 ? 1 : 2;
    const Buffer rows(bytes);
    if (rows.size() < 16 * words * (first + count)) throw nb::value_error("there are not so many rows");
    for (std::size_t i = first; i < first + count; ++i) {
        std::uint64_t word[4] = {};
        std::memcpy(word, rows.data() + 16 * words * i, 16 * words);
        const auto number = [&](std::size_t at) {
            return words == 1 ? Bits(word[at]) : Bits(word[2 * at]) | Bits(word[2 * at + 1]) << 64;
        };
        const Board board{number(0), number(1)};
        if (!possible(builder.variant, board)) break;
        builder.add(board);
    }
    const std::size_t asked = builder.tasks.size();
    pool.submit(std::move(builder.tasks));
    return asked;
}

}  // namespace

void bind_solver_pool(nb::module_& m) {
    nb::class_<SolverPool>(m, "SolverPool")
        .def(nb::init<int, std::size_t>(), "threads"_a, "table_bytes"_a = 0)
        .def(
            "submit",
            [](SolverPool& self, const nb::int_& own, const nb::int_& all, int width, int height, int run,
               const book::Book* book, bool result_only) {
                const Variant variant{width, height, run};
                const Board board{bits_of(own), bits_of(all)};
                if (!possible(variant, board)) return false;
                self.submit({{variant, board, book, goal_of(result_only)}});
                return true;
            },
            "own"_a, "all"_a, "width"_a, "height"_a, "run"_a, "book"_a.none(), "result_only"_a)
        .def(
            "submit_items",
            [](SolverPool& self, const nb::list& items, std::size_t first, const nb::type_object& position,
               const nb::object& variant, bool strings, int width, int height, int run, const book::Book* book,
               bool result_only) {
                const TaskBuilder builder{{width, height, run}, book, goal_of(result_only)};
                return submit_items(self, items, first, position, variant, strings, builder);
            },
            "items"_a, "first"_a, "position"_a, "variant"_a, "strings"_a, "width"_a, "height"_a, "run"_a,
            "book"_a.none(), "result_only"_a)
        .def(
            "submit_rows",
            [](SolverPool& self, const nb::object& rows, std::size_t first, std::size_t count, int width, int height,
               int run, const book::Book* book, bool result_only) {
                return submit_rows(self, rows, first, count, {{width, height, run}, book, goal_of(result_only)});
            },
            "rows"_a, "first"_a, "count"_a, "width"_a, "height"_a, "run"_a, "book"_a.none(), "result_only"_a)
        .def(
            "take",
            [](SolverPool& self, nb::list& into, const nb::type_object& found, const nb::object& goal,
               std::size_t min_count, double seconds) {
                const NamedTuple<Found> as_found(found);
                const Goal wanted = goal_of(goal);
                std::vector<Bounds> answers;
                {
                    nb::gil_scoped_release without_python;
                    answers = self.take(min_count, seconds);
                }
                for (const Bounds& one : answers) into.append(as_found({one, wanted}));
            },
            "into"_a, "found"_a, "goal"_a, "min_count"_a, "seconds"_a)
        .def("stop", &SolverPool::stop)
        .def("close", &SolverPool::close, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("open", &SolverPool::open)
        .def_prop_ro("nodes", &SolverPool::nodes);
}

namespace {

template <typename Number>
nb::bytes to_bytes(const std::vector<Number>& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

std::vector<std::uint8_t> write_book_file(const book::Shape& shape, int discs, const nb::bytes& keys,
                                          const nb::bytes& scores) {
    if (keys.size() != 8 * scores.size()) throw nb::value_error("there must be one score for each key");
    std::vector<book::Entry> entries(scores.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        std::memcpy(&entries[i].key, static_cast<const char*>(keys.data()) + 8 * i, 8);
        entries[i].score = static_cast<const std::int8_t*>(scores.data())[i];
    }
    nb::gil_scoped_release release;
    return book::write_book(shape, discs, std::move(entries));
}

// The scores of positions given by their keys, solved one after another with one table. If it is stopped, the list is
// shorter.
std::vector<std::int8_t> solve_keys(Solver& solver, const nb::bytes& keys, const StopFlag* stop) {
    std::vector<book::Bits> wanted(keys.size() / 8);
    std::memcpy(wanted.data(), keys.data(), 8 * wanted.size());
    const book::Shape shape(solver.variant());
    nb::gil_scoped_release without_python;
    std::vector<std::int8_t> scores;
    for (book::Bits key : wanted) {
        const book::Discs discs = book::from_key(shape, key);
        const Bounds found = solver.solve(Board{discs.mover, discs.all()}, Goal::score, limits_of(1, 0, stop));
        if (!found.exact()) break;
        scores.push_back(static_cast<std::int8_t>(found.lower));
    }
    return scores;
}

}  // namespace

void bind_book(nb::module_& m) {
    nb::class_<book::Book>(m, "Book")
        .def(
            "__init__",
            [](book::Book* self, const nb::bytes& file) {
                const auto* bytes = static_cast<const std::uint8_t*>(file.data());
                new (self) book::Book(std::vector<std::uint8_t>(bytes, bytes + file.size()));
            },
            "file"_a)
        .def(
            "score",
            [](const book::Book& self, std::uint64_t own, std::uint64_t all) { return self.score({own, all & ~own}); },
            "own"_a, "all"_a)
        .def(
            "stored_score",
            [](const book::Book& self, std::uint64_t own, std::uint64_t all) {
                if (!self.shape().can_show(own, all)) throw nb::value_error("no game shows this board");
                return self.lookup({own, all & ~own});
            },
            "own"_a, "all"_a)
        .def_prop_ro("variant",
                     [](const book::Book& self) {
                         return std::tuple(self.header().width, self.header().height, self.header().run);
                     })
        .def_prop_ro("discs", [](const book::Book& self) { return self.header().discs; })
        .def_prop_ro("entries", [](const book::Book& self) { return self.header().entries; });
    m.def(
        "book_frontier",
        [](int width, int height, int run, int discs) {
            std::vector<book::Bits> keys;
            {
                nb::gil_scoped_release release;
                keys = book::frontier({width, height, run}, discs);
            }
            return to_bytes(keys);
        },
        "width"_a, "height"_a, "run"_a, "discs"_a);
    m.def(
        "book_board",
        [](int width, int height, int run, std::uint64_t key) {
            const book::Discs discs = book::from_key({width, height, run}, key);
            return std::pair(discs.mover, discs.all());
        },
        "width"_a, "height"_a, "run"_a, "key"_a);
    m.def(
        "solve_keys",
        [](Solver& solver, const nb::bytes& keys, const StopFlag* stop) {
            return to_bytes(solve_keys(solver, keys, stop));
        },
        "solver"_a, "keys"_a, "stop"_a = nb::none());
    m.def(
        "write_book",
        [](int width, int height, int run, int discs, const nb::bytes& keys, const nb::bytes& scores) {
            return to_bytes(write_book_file({width, height, run}, discs, keys, scores));
        },
        "width"_a, "height"_a, "run"_a, "discs"_a, "keys"_a, "scores"_a);
}

}  // namespace connectk
