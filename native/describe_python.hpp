// Described structs for Python: read-only classes, plain dictionaries and named tuples.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <string_view>

#include "describe.hpp"

namespace nanobind::detail {

// A described enum is a string in Python.
template <typename E>
    requires connectk::NamedEnum<E>
struct type_caster<E, enable_if_t<std::is_enum_v<E>>> {
    NB_TYPE_CASTER(E, const_name("str"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
        const char* const text =
            PyUnicode_Check(source.ptr()) ? PyUnicode_AsUTF8AndSize(source.ptr(), nullptr) : nullptr;
        if (!text) return PyErr_Clear(), false;
        const auto names = names_of(E{});
        for (std::size_t i = 0; i < names.size(); ++i)
            if (std::string_view(names[i]) == text) return value = static_cast<E>(i), true;
        return false;
    }

    // Each name is made once. Threads that make it at the same time get the same interned string.
    static handle from_cpp(E source, rv_policy, cleanup_list*) noexcept {
        static std::array<std::atomic<PyObject*>, names_of(E{}).size()> made{};
        std::atomic<PyObject*>& name = made[static_cast<std::size_t>(source)];
        PyObject* known = name.load(std::memory_order_acquire);
        if (!known) {
            known = PyUnicode_InternFromString(connectk::name_of(source));
            if (!known) return {};
            name.store(known, std::memory_order_release);
        }
        return Py_NewRef(known);
    }
};

}  // namespace nanobind::detail

namespace connectk {

namespace nb = nanobind;

// Converts a value to dictionaries and lists, as they are used in JSON and messages.
template <class T>
nb::object as_plain(const T& value) {
    if constexpr (Described<T>) {
        nb::dict plain;
        for_each_field(value, [&](const char* name, const auto& member) {
            if constexpr (omits_absent<T> && is_optional<std::remove_cvref_t<decltype(member)>>)
                if (!member) return;
            plain[name] = as_plain(member);
        });
        return plain;
    } else if constexpr (is_optional<T>) {
        return value ? as_plain(*value) : nb::none();
    } else if constexpr (is_vector<T>) {
        nb::list plain;
        for (const auto& item : value) plain.append(as_plain(item));
        return plain;
    } else if constexpr (Tuple<T>) {
        return std::apply([](const auto&... items) { return nb::make_tuple(as_plain(items)...); }, value);
    } else {
        return nb::cast(value);
    }
}

// Makes a Python class with a read-only attribute for each field.
template <Described T>
nb::class_<T> bind_struct(nb::module_& m, const char* name) {
    nb::class_<T> bound(m, name);
    std::apply([&](const auto&... field) { (bound.def_ro(field.name, field.member), ...); }, T::fields());
    bound.def("as_dict", [](const T& self) { return nb::cast<nb::dict>(as_plain(self)); });
    return bound;
}

// Makes a Python class that is a named tuple with the fields of T, without a call into Python for each.
template <Described T>
class NamedTuple {
public:
    explicit NamedTuple(const nb::type_object& type) : type_(reinterpret_cast<PyTypeObject*>(type.ptr())) {
        static std::atomic<PyTypeObject*> known = nullptr;  // the class that was checked last
        if (type_ == known) return;
        nb::list names;
        std::apply([&](const auto&... field) { (names.append(field.name), ...); }, T::fields());
        if (!nb::object(type.attr("_fields")).equal(nb::tuple(names))) throw nb::type_error("a tuple of other fields");
        known = type_;
    }

    nb::object operator()(const T& value) const {
        PyObject* const made = PyType_GenericAlloc(type_, Py_ssize_t(std::tuple_size_v<decltype(T::fields())>));
        if (!made) nb::raise_python_error();
        Py_ssize_t i = 0;
        for_each_field(value, [&](const char*, const auto& member) {
            PyTuple_SetItem(made, i++, nb::cast(member).release().ptr());
        });
        return nb::steal(made);
    }

private:
    PyTypeObject* type_;
};

}  // namespace connectk
