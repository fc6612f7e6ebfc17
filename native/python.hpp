// Helpers that all bindings share.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>

#include "solver/solver.hpp"

namespace connectk {

struct StopFlag {
    std::atomic<bool> raised{false};
};

inline Bits bits_of(const nanobind::int_& value) {
    namespace nb = nanobind;
    const std::uint64_t word = PyLong_AsUnsignedLongLong(value.ptr());
    if (word != ~std::uint64_t(0) || !PyErr_Occurred()) return word;
    PyErr_Clear();  // the number needs more than one word
    const auto low = nb::cast<std::uint64_t>(value & nb::int_(~std::uint64_t(0)));
    const auto high = nb::cast<std::uint64_t>(value >> nb::int_(64));
    return (Bits(high) << 64) | Bits(low);
}

// Runs `work` without the interpreter's lock. Every few milliseconds it takes the lock to poll `stopped` and Ctrl-C; an
// exception from them is raised again once the work has returned.
template <class Work>
auto run_without_gil(const nanobind::object& stopped, const Work& work) {
    namespace nb = nanobind;
    std::exception_ptr raised;
    const std::function<bool()> stop_requested = [&] {
        nb::gil_scoped_acquire with_python;
        try {
            if (PyErr_CheckSignals() != 0) nb::raise_python_error();
            return !stopped.is_none() && nb::cast<bool>(stopped());
        } catch (...) {
            raised = std::current_exception();
            return true;
        }
    };
    const auto answer = [&] {
        nb::gil_scoped_release without_python;
        return work(stop_requested);
    }();
    if (raised) std::rethrow_exception(raised);
    return answer;
}

void bind_book(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_solver_pool(nanobind::module_& m);
void bind_referee(nanobind::module_& m);
void bind_players(nanobind::module_& m);
void bind_why(nanobind::module_& m);
void bind_analysis(nanobind::module_& m);
void bind_network(nanobind::module_& m);

}  // namespace connectk
