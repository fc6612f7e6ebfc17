// Many games for Python. Arrays come from, and go to, whatever speaks DLPack or Python's buffers, without a copy.
#include "bindings.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "boards.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace connectk::arrays {

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using Indices = std::vector<std::int64_t>;

struct Held {
    Shape shape;
    std::unique_ptr<Boards> boards;
    mutable std::mutex mutex;  // Python's lock is not held while the games are worked on

    Held(const Shape& shape_, std::unique_ptr<Boards> boards_) : shape(shape_), boards(std::move(boards_)) {}

    // Work without Python's lock, one call at a time.
    template <class Work>
    auto without_python(const Work& work) const {
        nb::gil_scoped_release release;
        const std::lock_guard one_at_a_time(mutex);
        return work(*boards);
    }
};

template <class Number>
Indices copied(const AnyArray& array) {
    Indices numbers(array.shape(0));
    const auto* data = static_cast<const Number*>(array.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::int64_t(data[std::int64_t(i) * array.stride(0)]);
    return numbers;
}

// A list of whole numbers; from an array of any kind of them.
Indices whole_numbers(const AnyArray& array) {
    if (array.ndim() != 1) throw nb::value_error("an array of one dimension is wanted");
    const nb::dlpack::dtype type = array.dtype();
    if (type == nb::dtype<std::int64_t>()) return copied<std::int64_t>(array);
    if (type == nb::dtype<std::int32_t>()) return copied<std::int32_t>(array);
    if (type == nb::dtype<std::int16_t>()) return copied<std::int16_t>(array);
    if (type == nb::dtype<std::int8_t>()) return copied<std::int8_t>(array);
    if (type == nb::dtype<std::uint64_t>()) return copied<std::uint64_t>(array);
    if (type == nb::dtype<std::uint32_t>()) return copied<std::uint32_t>(array);
    if (type == nb::dtype<std::uint16_t>()) return copied<std::uint16_t>(array);
    if (type == nb::dtype<std::uint8_t>()) return copied<std::uint8_t>(array);
    throw nb::type_error("an array of whole numbers is wanted");
}

Indices marked(const AnyArray& mask, std::size_t count) {
    if (mask.ndim() != 1 || mask.shape(0) != count) throw nb::value_error("a mask has one place for each game");
    Indices games;
    const Indices marks = copied<std::uint8_t>(mask);
    for (std::size_t i = 0; i < count; ++i) {
        if (marks[i]) games.push_back(std::int64_t(i));
    }
    return games;
}

// The games that are meant: by their numbers, or by a mask over all.
Indices games_of(const AnyArray& which, std::size_t count) {
    if (which.dtype() == nb::dtype<bool>()) return marked(which, count);
    Indices games = whole_numbers(which);
    for (const std::int64_t game : games) {
        if (game < 0 || game >= std::int64_t(count)) throw nb::index_error("there is no such game");
    }
    return games;
}

std::size_t checked(const Held& self, std::size_t game) {
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

std::optional<std::tuple<std::size_t, std::int64_t, int>> drop(Held& self, const AnyArray& columns,
                                                               const std::optional<AnyArray>& which, int threads) {
    const std::size_t count = self.boards->count();
    Indices games, converted;
    if (which) games = games_of(*which, count);
    const std::size_t wanted = which ? games.size() : count;
    const bool as_is = columns.dtype() == nb::dtype<std::int64_t>() && columns.ndim() == 1 && columns.stride(0) == 1;
    if (!as_is) converted = whole_numbers(columns);
    if (columns.shape(0) != wanted) throw nb::value_error("one column for each game, please");
    const auto* data = as_is ? static_cast<const std::int64_t*>(columns.data()) : converted.data();
    const auto refusal = self.without_python(
        [&](Boards& boards) { return boards.drop(data, wanted, which ? games.data() : nullptr, threads); });
    if (!refusal) return std::nullopt;
    return std::tuple(refusal->game, refusal->column, int(refusal->fault));
}

using Planes = nb::ndarray<nb::c_contig, nb::device::cpu>;

void write_planes(const Held& self, Planes& out, int threads) {
    const std::size_t wanted[] = {self.boards->count(), 2, std::size_t(self.shape.height),
                                  std::size_t(self.shape.width)};
    bool fits = out.ndim() == 4;
    for (std::size_t i = 0; fits && i < 4; ++i) fits = out.shape(i) == wanted[i];
    if (!fits) throw nb::value_error("the planes' array has the wrong shape");
    void* data = out.data();
    if (out.dtype() == nb::dtype<std::uint8_t>()) {
        self.without_python([&](Boards& boards) { boards.planes(static_cast<std::uint8_t*>(data), threads); });
    } else if (out.dtype() == nb::dtype<float>()) {
        self.without_python([&](Boards& boards) { boards.planes(static_cast<float*>(data), threads); });
    } else {
        throw nb::type_error("planes are written as uint8 or float32");
    }
}

std::vector<Disc> discs_of(const std::vector<std::int64_t>& columns, const std::vector<int>& sides) {
    std::vector<Disc> discs;
    for (std::size_t i = 0; i < columns.size(); ++i) discs.push_back({columns[i], std::uint8_t(sides[i])});
    return discs;
}

// The discs of a board that is written in bits; nothing where a disc floats or lies beside the board.
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

// Sets all games up; the number of the first that cannot be, or -1.
std::int64_t set_bits(Held& self,
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

Held* selected(const Held& self, const AnyArray& which) {
    const Indices games = games_of(which, self.boards->count());
    return new Held(self.shape,
                    self.without_python([&](Boards& boards) { return boards.select(games.data(), games.size()); }));
}

}  // namespace

void bind_arrays(nb::module_& m) {
    m.attr("VAST") = vast;
    m.attr("FAULT_OUTSIDE") = int(Fault::outside);
    m.attr("FAULT_FULL") = int(Fault::full);
    nb::class_<Held>(m, "Boards")
        .def(
            "__init__",
            [](Held* self, std::int64_t width, std::int64_t height, std::int64_t run, std::size_t count,
               bool keep_moves) {
                const Shape shape{width, height, run};
                new (self) Held(shape, make_boards(shape, count, keep_moves));
            },
            "width"_a, "height"_a, "run"_a, "count"_a, "keep_moves"_a = false)
        .def("drop", &drop, "columns"_a, "which"_a = nb::none(), "threads"_a = 1)
        .def(
            "play_out",
            [](Held& self, std::uint64_t seed, int threads) {
                self.without_python([&](Boards& boards) { boards.play_out(seed, threads); });
            },
            "seed"_a, "threads"_a = 1)
        .def(
            "reset",
            [](Held& self, const std::optional<AnyArray>& which) {
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
            [](const Held& self) {
                return new Held(self.shape, self.without_python(
                                                [](Boards& boards) { return boards.select(nullptr, boards.count()); }));
            },
            nb::rv_policy::take_ownership)
        .def(
            "legal",
            [](const Held& self, int threads) {
                auto out = new_array<bool>({self.boards->count(), std::size_t(self.shape.width)});
                bool* data = out.data();
                self.without_python([&](Boards& boards) { boards.legal(data, threads); });
                return out;
            },
            "threads"_a = 1)
        .def("outcome",
             [](const Held& self) {
                 auto out = new_array<std::int8_t>({self.boards->count()});
                 std::int8_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.outcome(data); });
                 return out;
             })
        .def("side_to_move",
             [](const Held& self) {
                 auto out = new_array<std::int8_t>({self.boards->count()});
                 std::int8_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.side_to_move(data); });
                 return out;
             })
        .def("ply",
             [](const Held& self) {
                 auto out = new_array<std::int64_t>({self.boards->count()});
                 std::int64_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.ply(data); });
                 return out;
             })
        .def(
            "random_columns",
            [](const Held& self, std::uint64_t seed, int threads) {
                auto out = new_array<std::int64_t>({self.boards->count()});
                std::int64_t* data = out.data();
                self.without_python([&](Boards& boards) { boards.random_columns(data, seed, threads); });
                return out;
            },
            "seed"_a, "threads"_a = 1)
        .def(
            "new_planes",
            [](const Held& self, bool floats) {
                const std::size_t count = self.boards->count(), height = std::size_t(self.shape.height);
                const std::size_t width = std::size_t(self.shape.width);
                if (floats) return nb::cast(new_array<float>({count, 2, height, width}));
                return nb::cast(new_array<std::uint8_t>({count, 2, height, width}));
            },
            "floats"_a)
        .def("write_planes", &write_planes, "out"_a, "threads"_a = 1)
        .def("bits",
             [](const Held& self) {
                 const auto words = std::size_t((self.shape.width * (self.shape.height + 1) + 63) / 64);
                 auto out = new_array<std::uint64_t>({self.boards->count(), 2 * words});
                 std::uint64_t* data = out.data();
                 self.without_python([&](Boards& boards) { boards.bits(data, words); });
                 return out;
             })
        .def("set_bits", &set_bits, "rows"_a)
        .def(
            "set_up",
            [](Held& self, std::size_t game, const std::vector<std::int64_t>& columns, const std::vector<int>& sides) {
                checked(self, game);
                const auto discs = discs_of(columns, sides);
                return self.without_python([&](Boards& boards) { return boards.set_up(game, discs); });
            },
            "game"_a, "columns"_a, "sides"_a)
        .def(
            "discs",
            [](const Held& self, std::size_t game) {
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
            [](const Held& self, std::size_t game) {
                checked(self, game);
                return self.without_python([&](Boards& boards) { return Indices(boards.moves(game)); });
            },
            "game"_a)
        .def_prop_ro("count", [](const Held& self) { return self.boards->count(); })
        .def_prop_ro("nbytes", [](const Held& self) { return self.boards->bytes(); })
        .def_prop_ro("keeps_moves", [](const Held& self) { return self.boards->keeps_moves(); });
}

}  // namespace connectk::arrays
