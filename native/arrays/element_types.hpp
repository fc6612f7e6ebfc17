// The number types that planes are written in. Zero has no bits in any of them, and one has these.
#pragma once

#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace connectk::arrays {

struct ElementType {
    std::string_view name;
    nanobind::dlpack::dtype dtype;
    std::uint64_t one;
};

constexpr ElementType element(std::string_view name, nanobind::dlpack::dtype_code code, std::uint8_t bits,
                              std::uint64_t one) {
    return {name, {std::uint8_t(code), bits, 1}, one};
}

inline constexpr auto element_types = [] {
    using enum nanobind::dlpack::dtype_code;
    return std::array{
        element("bool", Bool, 8, 1),
        element("uint8", UInt, 8, 1),
        element("uint16", UInt, 16, 1),
        element("uint32", UInt, 32, 1),
        element("uint64", UInt, 64, 1),
        element("int8", Int, 8, 1),
        element("int16", Int, 16, 1),
        element("int32", Int, 32, 1),
        element("int64", Int, 64, 1),
        element("float16", Float, 16, 0x3C00),
        element("float32", Float, 32, 0x3F80'0000),
        element("float64", Float, 64, 0x3FF0'0000'0000'0000),
        element("bfloat16", Bfloat, 16, 0x3F80),
    };
}();

inline std::optional<ElementType> element_type(const nanobind::dlpack::dtype& dtype) {
    for (const ElementType& type : element_types)
        if (type.dtype == dtype) return type;
    return std::nullopt;
}

inline std::optional<ElementType> element_type(std::string_view name) {
    for (const ElementType& type : element_types)
        if (type.name == name) return type;
    return std::nullopt;
}

}  // namespace connectk::arrays
