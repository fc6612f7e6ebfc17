// Many games for Python. Arrays are exchanged without a copy with every library that supports DLPack or Python's
// buffers.
#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "../describe_python.hpp"
#include "../python.hpp"
#include "boards.hpp"
#include "element_types.hpp"
#include "opponents.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk::arrays {

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using Indices = std::vector<std::int64_t>;

struct PyBoards {
    Shape shape;
    std::unique_ptr<Boards> boards;
    mutable std::mutex mutex;  // guards the games, as Python's lock is released during the work

    PyBoards(const Shape& shape_, std::unique_ptr<Boards> boards_) : shape(shape_), boards(std::move(boards_)) {}

    // Runs `work` without Python's lock, one call at a time.
    template <class Work>
    auto without_python(const Work& work) const {
        nb::gil_scoped_release release;
        const std::lock_guard one_at_a_time(mutex);
        return work(*boards);
    }
};

template <class Number>
Indices to_integers(const AnyArray& array) {
    Indices numbers(array.shape(0));
    const auto* data = static_cast<const Number*>(array.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::int64_t(data[std::int64_t(i) * array.stride(0)]);
    return numbers;
}

// The numbers of an array of any integer type.
Indices integers_of(const AnyArray& array) {
    if (array.ndim() != 1) throw nb::value_error("an array of one dimension is wanted");
    const nb::dlpack::dtype type = array.dtype();
    if (type == nb::dtype<std::int64_t>()) return to_integers<std::int64_t>(array);
    if (type == nb::dtype<std::int32_t>()) return to_integers<std::int32_t>(array);
    if (type == nb::dtype<std::int16_t>()) return to_integers<std::int16_t>(array);
    if (type == nb::dtype<std::int8_t>()) return to_integers<std::int8_t>(array);
    if (type == nb::dtype<std::uint64_t>()) return to_integers<std::uint64_t>(array);
    if (type == nb::dtype<std::uint32_t>()) return to_integers<std::uint32_t>(array);
    if (type == nb::dtype<std::uint16_t>()) return to_integers<std::uint16_t>(array);
    if (type == nb::dtype<std::uint8_t>()) return to_integers<std::uint8_t>(array);
    throw nb::type_error("an array of whole numbers is wanted");
}

Indices masked_games(const AnyArray& mask, std::size_t count) {
    if (mask.ndim() != 1 || mask.shape(0) != count) throw nb::value_error("a mask has one place for each game");
    Indices games;
    const Indices marks = to_integers<std::uint8_t>(mask);
    for (std::size_t i = 0; i < count; ++i) {
        if (marks[i]) games.push_back(std::int64_t(i));
    }
    return games;
}

// The numbers of the chosen games, given as numbers or as a mask over all games.
Indices games_of(const AnyArray& which, std::size_t count) {
    if (which.dtype() == nb::dtype<bool>()) return masked_games(which, count);
    Indices games = integers_of(which);
    for (const std::int64_t game : games) {
        if (game < 0 || game >= std::int64_t(count)) throw nb::index_error("there is no such game");
    }
    return games;
}

std::size_t checked(const PyBoards& self, std::size_t game) {
    if (game >= self.boards->count()) throw nb::index_error("there is no such game");
    return game;
}

template <class Number>
nb::ndarray<nb::array_api, Number> new_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    auto* data = new Number[size];
    return nb::ndarray<nb::array_api, Number>(
        data, shape, nb::capsule(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); }));
}

std::optional<std::tuple<std::size_t, std::int64_t, int>> drop(PyBoards& self, const AnyArray& columns,
                                                               const std::optional<AnyArray>& which, int threads) {
    const std::size_t count = self.boards->count();
    Indices games, converted;
    if (which) games = games_of(*which, count);
    const std::size_t wanted = which ? games.size() : count;
    const bool as_is = columns.dtype() == nb::dtype<std::int64_t>() && columns.ndim() == 1 && columns.stride(0) == 1;
    if (!as_is) converted = integers_of(columns);
    if (columns.shape(0) != wanted) throw nb::value_error("one column for each game, please");
    const auto* data = as_is ? static_cast<const std::int64_t*>(columns.data()) : converted.data();
    const auto refusal = self.without_python(
        [&](Boards& boards) { return boards.drop(data, wanted, which ? games.data() : nullptr, threads); });
    if (!refusal) return std::nullopt;
    return std::tuple(refusal->game, refusal->column, int(refusal->error));
}

using WritableArray = nb::ndarray<nb::device::cpu>;

// The array as it is, never a copy: what is written must reach the caller.
WritableArray writable(const nb::object& given) {
    WritableArray array;
    if (!nb::try_cast(given, array, false))
        throw nb::type_error(
            "out must be a writable array in main memory, in the machine's byte order and with whole elements between "
            "neighbours");
    return array;
}

// Whether several elements may lie in one place: where a step along one dimension is not longer than the shorter steps
// together reach.
bool repeats_memory(const WritableArray& array) {
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // the length of a step, and how many there are
    for (std::size_t i = 0; i < array.ndim(); ++i) {
        if (array.shape(i) == 0) return false;
        if (array.shape(i) > 1) steps.emplace_back(std::abs(array.stride(i)), std::int64_t(array.shape(i)) - 1);
    }
    std::sort(steps.begin(), steps.end());
    std::int64_t reach = 0;
    for (const auto& [length, count] : steps) {
        if (length <= reach) return true;
        reach += length * count;
    }
    return false;
}

PlanesArray planes_array(const PyBoards& self, const WritableArray& out) {
    const std::size_t wanted[] = {self.boards->count(), 2, std::size_t(self.shape.height),
                                  std::size_t(self.shape.width)};
    bool fits = out.ndim() == 4;
    for (std::size_t i = 0; fits && i < 4; ++i) fits = out.shape(i) == wanted[i];
    if (!fits) throw nb::value_error("out has the wrong shape: planes are (games, 2, height, width)");
    const auto type = element_type(out.dtype());
    if (!type) throw nb::type_error("planes are written as bool, whole numbers or floats");
    PlanesArray planes{out.data(), type->dtype.bits / 8, type->one, {}};
    for (std::size_t i = 0; i < 4; ++i) planes.strides[i] = out.stride(i);
    if (repeats_memory(out))
        throw nb::value_error("out repeats the same memory: each element needs a place of its own");
    return planes;
}

void write_planes(const PyBoards& self, const nb::object& given, int threads) {
    const WritableArray out = writable(given);
    const PlanesArray planes = planes_array(self, out);
    self.without_python([&](Boards& boards) { boards.planes(planes, threads); });
}

// A new array for planes; its type is one of `element_types`, by its name.
nb::object new_planes(const PyBoards& self, const std::string& dtype) {
    const auto type = element_type(dtype);
    if (!type) throw nb::type_error("planes are bool, whole numbers or floats");
    const std::size_t shape[] = {self.boards->count(), 2, std::size_t(self.shape.height),
                                 std::size_t(self.shape.width)};
    const std::size_t size = shape[0] * shape[1] * shape[2] * shape[3];
    auto* data = new std::uint64_t[(size * type->dtype.bits / 8 + 7) / 8];
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
    return nb::cast(nb::ndarray<nb::array_api>(data, 4, shape, owner, nullptr, type->dtype));
}

// Drops, then returns the outcomes and the open columns and writes the planes. What `drop` refuses comes first, or None.
nb::tuple step(PyBoards& self, const AnyArray& columns, const nb::object& given, bool restart, int threads) {
    const WritableArray out = writable(given);
    const PlanesArray planes = planes_array(self, out);
    if (const auto refusal = drop(self, columns, std::nullopt, threads))
        return nb::make_tuple(*refusal, nb::none(), nb::none());
    auto outcome = new_array<std::int8_t>({self.boards->count()});
    auto legal = new_array<bool>({self.boards->count(), std::size_t(self.shape.width)});
    const Observation observation{outcome.data(), legal.data(), planes};
    self.without_python([&](Boards& boards) { boards.observe(observation, restart, threads); });
    return nb::make_tuple(nb::none(), outcome, legal);
}

// The games that lack a disc to take back: the first of them, or None.
std::optional<std::size_t> undo(PyBoards& self, const std::optional<AnyArray>& which) {
    const std::size_t count = self.boards->count();
    const Indices games = which ? games_of(*which, count) : Indices();
    return self.without_python(
        [&](Boards& boards) { return boards.undo(which ? games.data() : nullptr, which ? games.size() : count); });
}

nb::object choose(const PyBoards& self, OpponentKind kind, int number, players::Evaluation evaluation,
                  std::uint64_t seed, int threads, const nb::object& stopped) {
    auto out = new_array<std::int64_t>({self.boards->count()});
    std::int64_t* data = out.data();
    const bool done = run_without_gil(stopped, [&](const auto& stop_requested) {
        const std::lock_guard one_at_a_time(self.mutex);
        return choose_columns(*self.boards, self.shape, {kind, number, evaluation}, seed, data, threads,
                              stop_requested);
    });
    return done ? nb::cast(out) : nb::none();
}

// A copy of rows of 64-bit words from an array that offers DLPack alone.
nb::object words_of(const nb::object& given) {
    AnyArray rows;
    if (!nb::try_cast(given, rows, false)) throw nb::type_error("an array in main memory is wanted");
    if (rows.ndim() != 2) throw nb::value_error("an array of bits has two dimensions");
    if (rows.dtype() != nb::dtype<std::uint64_t>() && rows.dtype() != nb::dtype<std::int64_t>())
        throw nb::value_error("an array of bits holds 64-bit whole numbers");
    auto copy = new_array<std::uint64_t>({rows.shape(0), rows.shape(1)});
    const auto* from = static_cast<const std::uint64_t*>(rows.data());
    std::uint64_t* to = copy.data();
    for (std::int64_t i = 0; i < std::int64_t(rows.shape(0)); ++i)
        for (std::int64_t k = 0; k < std::int64_t(rows.shape(1)); ++k)
            *to++ = from[i * rows.stride(0) + k * rows.stride(1)];
    return nb::cast(copy);
}

std::vector<Disc> discs_of(const std::vector<std::int64_t>& columns, const std::vector<int>& sides) {
    std::vector<Disc> discs;
    for (std::size_t i = 0; i < columns.size(); ++i) discs.push_back({columns[i], std::uint8_t(sides[i])});
    return discs;
}

// The discs of a board that is given as bits; nothing if a disc floats or lies outside the board.
std::optional<std::vector<Disc>> discs_of_bits(const Shape& shape, const std::uint64_t* own, std::size_t words) {
    const std::uint64_t* all = own + words;
    const auto has = [](const std::uint64_t* bits, std::size_t bit) { return bits[bit / 64] >> bit % 64 & 1; };
    std::vector<Disc> discs;
    std::size_t seen = 0;
    for (std::int64_t c = 0; c < shape.width; ++c) {
        const auto foot = std::size_t(c * (shape.height + 1));
        for (std::int64_t r = 0; r < shape.height && has(all, foot + std::size_t(r)); ++r) {
            discs.push_back({c, std::uint8_t(has(own, foot + std::size_t(r)))});
        }
    }
    for (std::size_t word = 0; word < words; ++word) {
        if (own[word] & ~all[word]) return std::nullopt;
        for (std::uint64_t left = all[word]; left; left &= left - 1) ++seen;
    }
    if (seen != discs.size()) return std::nullopt;
    const std::uint8_t mover = seen & 1;
    for (Disc& disc : discs) disc.side = disc.side ? mover : 1 - mover;
    return discs;
}

// Sets all games up; returns the number of the first game with an impossible board, or -1.
std::int64_t set_bits(PyBoards& self,
                      const nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows) {
    const std::size_t words = rows.shape(1) / 2;
    const std::uint64_t* data = rows.data();
    return self.without_python([&](Boards& boards) {
        for (std::size_t i = 0; i < boards.count(); ++i) {
            const auto discs = discs_of_bits(self.shape, data + i * 2 * words, words);
            if (!discs || !boards.set_up(i, *discs)) return std::int64_t(i);
        }
        return std::int64_t(-1);
    });
}

PyBoards* selected(const PyBoards& self, const AnyArray& which) {
    const Indices games = games_of(which, self.boards->count());
    return new PyBoards(self.shape,
                        self.without_python([&](Boards& boards) { return boards.select(games.data(), games.size()); }));
}

}  // namespace

void bind_arrays(nb::module_& m) {
    m.attr("VAST") = max_dimension;
    m.attr("FAULT_OUTSIDE") = int(DropError::outside);
    m.attr("FAULT_FULL") = int(DropError::full);
    m.def("words_of", &words_of, "rows"_a);
    nb::class_<PyBoards>(m, "Boards")
        .def(
            "__init__",
            [](PyBoards* self, std::int64_t width, std::int64_t height, std::int64_t run, std::size_t count,
               bool keep_moves) {
                const Shape shape{width, height, run};
                new (self) PyBoards(shape, make_boards(shape, count, keep_moves));
            },
            "width"_a, "height"_a, "run"_a, "count"_a, "keep_moves"_a = false)
        .def("drop", &drop, "columns"_a, "which"_a = nb::none(), "threads"_a = 1)
        .def(
            "play_out",
            [](PyBoards& self, std::uint64_t seed, int threads) {
                self.without_python([&](Boards& boards) { boards.play_out(seed, threads); });
            },
            "seed"_a, "threads"_a = 1)
        .def(
            "reset",
            [](PyBoards& self, const std::optional<AnyArray>& which) {
                const std::size_t count = self.boards->count();
                const Indices games = which ? games_of(*which, count) : Indices();
                self.without_python([&](Boards& boards) {
                    boards.reset(which ? games.data() : nullptr, which ? games.size() : count);
                });
            },
            "which"_a = nb::none())
        .def("select", &selected, "which"_a, nb::rv_policy::take_ownership)
        .def(
            "copy",
            [](const PyBoards& self) {
                return new PyBoards(self.shape, self.without_python([](Boards& boards) {
                    return boards.select(nullptr, boards.count());
                }));
            },
            nb::rv_policy::take_ownership)
        .def(
            "legal",
            [](const PyBoards& self, int threads) {
                auto out = new_array<bool>({self.boards->count(), std::size_t(self.shape.width)});
                bool* data = out.data();
                self.without_python([&](Boards& boards) { boards.legal(data, threads); });
                return out;
            },
            "threads"_a = 1)
        .def("outcome",
             [](const PyBoards& self) {
                 auto out = new_array<std::int8_t>({self.boards->count()});
                 std::int8_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.outcome(data); });
                 return out;
             })
        .def("side_to_move",
             [](const PyBoards& self) {
                 auto out = new_array<std::int8_t>({self.boards->count()});
                 std::int8_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.side_to_move(data); });
                 return out;
             })
        .def("ply",
             [](const PyBoards& self) {
                 auto out = new_array<std::int64_t>({self.boards->count()});
                 std::int64_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.ply(data); });
                 return out;
             })
        .def(
            "random_columns",
            [](const PyBoards& self, std::uint64_t seed, int threads) {
                auto out = new_array<std::int64_t>({self.boards->count()});
                std::int64_t* data = out.data();
                self.without_python([&](Boards& boards) { boards.random_columns(data, seed, threads); });
                return out;
            },
            "seed"_a, "threads"_a = 1)
        .def("new_planes", &new_planes, "dtype"_a)
        .def("write_planes", &write_planes, "out"_a, "threads"_a = 1)
        .def("step", &step, "columns"_a, "out"_a, "restart"_a = false, "threads"_a = 1)
        .def("undo", &undo, "which"_a = nb::none())
        .def(
            "mirrored",
            [](const PyBoards& self) {
                return new PyBoards(self.shape, self.without_python([](Boards& boards) { return boards.mirrored(); }));
            },
            nb::rv_policy::take_ownership)
        .def("choose", &choose, "kind"_a, nb::kw_only(), "number"_a = 0, "evaluation"_a = players::Evaluation::combined,
             "seed"_a = 0, "threads"_a = 1, "stopped"_a = nb::none())
        .def_prop_ro("has_players", [](const PyBoards& self) { return has_opponents(self.shape); })
        .def("bits",
             [](const PyBoards& self) {
                 const auto words = std::size_t((self.shape.width * (self.shape.height + 1) + 63) / 64);
                 auto out = new_array<std::uint64_t>({self.boards->count(), 2 * words});
                 std::uint64_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.bits(data, words); });
                 return out;
             })
        .def("set_bits", &set_bits, "rows"_a)
        .def(
            "set_up",
            [](PyBoards& self, std::size_t game, const std::vector<std::int64_t>& columns,
               const std::vector<int>& sides) {
                checked(self, game);
                const auto discs = discs_of(columns, sides);
                return self.without_python([&](Boards& boards) { return boards.set_up(game, discs); });
            },
            "game"_a, "columns"_a, "sides"_a)
        .def(
            "discs",
            [](const PyBoards& self, std::size_t game) {
                checked(self, game);
                nb::list pairs;
                for (const Disc& disc : self.without_python([&](Boards& boards) { return boards.discs(game); })) {
                    pairs.append(nb::make_tuple(disc.column, disc.side));
                }
                return pairs;
            },
            "game"_a)
        .def(
            "moves",
            [](const PyBoards& self, std::size_t game) {
                checked(self, game);
                return self.without_python([&](Boards& boards) { return Indices(boards.moves(game)); });
            },
            "game"_a)
        .def_prop_ro("count", [](const PyBoards& self) { return self.boards->count(); })
        .def_prop_ro("nbytes", [](const PyBoards& self) { return self.boards->bytes(); })
        .def_prop_ro("keeps_moves", [](const PyBoards& self) { return self.boards->keeps_moves(); });
}

}  // namespace connectk::arrays
