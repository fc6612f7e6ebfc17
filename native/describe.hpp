// The boundary between the core and its two hosts, Python and the page. Each answer, and each request of the page, is a plain
// struct that lists its fields once; generic code does the rest:
//
//     enum class Side { first, second };
//     constexpr auto names_of(Side) { return std::array{"first", "second"}; }  // an enum travels as a string
//
//     struct Choice {
//         int column = -1;
//         std::optional<double> score;
//         std::vector<std::pair<int, int>> cells;
//         Side side = Side::first;
//
//         static constexpr auto fields() {
//             return std::tuple{Field{"column", &Choice::column}, Field{"score", &Choice::score},
//                               Field{"cells", &Choice::cells}, Field{"side", &Choice::side}};
//         }
//     };
//
// For Python, `bind_struct<Choice>(m, "Choice")` (describe_python.hpp) makes a class with read-only attributes and
// `as_dict()`; its part of `_native.pyi` is checked against it by tests/test_native_stub.py. For the page, a function
// `Answer<Choice> choose(const Request&)` in a table of handlers (web/numbers.hpp) is called by name from JavaScript, which
// gets an object {column, score, cells, side}: the compiled file describes it to js/core/numbers.js.
//
// A field is int, bool, double, std::uint64_t (in JavaScript a number, exact up to 2^53), std::string, a described enum or
// struct, or a std::optional (null), std::vector, std::pair or std::array of these. Bytes are a std::vector<std::uint8_t>.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace connectk {

template <class Struct, class Type>
struct Field {
    const char* name;
    Type Struct::* member;

    constexpr Field(const char* name, Type Struct::* member) : name(name), member(member) {}
};

template <class T>
concept Described = requires { T::fields(); };

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires { names_of(E{}); };

template <NamedEnum E>
constexpr const char* name_of(E value) {
    return names_of(E{})[static_cast<std::size_t>(value)];
}

// Calls `visit(name, member)` for each field, in order.
template <Described T, class Visit>
constexpr void for_each_field(T& value, Visit&& visit) {
    std::apply([&](const auto&... field) { (visit(field.name, value.*field.member), ...); },
               std::remove_const_t<T>::fields());
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

// Whether fields that are absent are left out instead of being null.
template <class T>
inline constexpr bool omits_absent = requires { requires T::omits_absent; };

// Pairs and arrays: a fixed number of values without names.
template <class T>
concept Tuple = requires { std::tuple_size<T>::value; };

}  // namespace connectk
