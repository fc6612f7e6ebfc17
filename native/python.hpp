// What the files that know Python share.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>

#include "solver/solver.hpp"

namespace connectk {

struct StopFlag {
    std::atomic<bool> raised{false};
};

inline Bits bits_of(const nanobind::int_& value) {
    namespace nb = nanobind;
    const std::uint64_t word = PyLong_AsUnsignedLongLong(value.ptr());
    if (word != ~std::uint64_t(0) || !PyErr_Occurred()) return word;
    PyErr_Clear();  // more than one word
    const auto low = nb::cast<std::uint64_t>(value & nb::int_(~std::uint64_t(0)));
    const auto high = nb::cast<std::uint64_t>(value >> nb::int_(64));
    return (Bits(high) << 64) | Bits(low);
}

void bind_book(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_crowd(nanobind::module_& m);
void bind_referee(nanobind::module_& m);
void bind_players(nanobind::module_& m);
void bind_why(nanobind::module_& m);

}  // namespace connectk
