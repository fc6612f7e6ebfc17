// How a web page calls the core. The page writes a request into the buffer that `connectk_room` returns, calls `connectk_ask`
// with the request's number, and reads as many numbers as that returns from `connectk_answer`. Requests and answers are
// described structs (describe.hpp); js/core/numbers.js, the counterpart, reads the descriptions from `connectk_description`.
//
//     Answer<Choice> choose(const ChooseRequest& request) { ... }                          // or a refusal
//     constexpr Handler all[] = {handler<choose>("choose"), handler<judge>("judge")};     // called by these names
//     const Handlers handlers(all);
//
// An int, a bool and an enum are one number, any other number is two: a double. A list, a text and bytes begin with their
// length, and a value that may be absent with 0 or 1.
#pragma once
#if defined(__wasm__)

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../board/game_board.hpp"
#include "../describe.hpp"

namespace connectk::web {

// These functions append to the answer.
void put_number(std::int32_t number);
void put_double(double number);
void put_bytes(const void* bytes, std::size_t size);

bool is_stopped();  // whether the page has cancelled the request

using Bytes = std::vector<std::uint8_t>;

template <class T>
using Answer = std::variant<T, Refusal>;

struct Nothing {
    static constexpr auto fields() { return std::tuple{}; }
};

template <class T>
inline constexpr bool is_answer = false;
template <class T>
inline constexpr bool is_answer<Answer<T>> = true;

template <class T>
concept OneNumber = std::is_same_v<T, int> || std::is_same_v<T, bool> || std::is_enum_v<T>;
template <class T>
concept TwoNumbers = std::is_arithmetic_v<T> && !OneNumber<T>;
template <class T>
concept Packed = std::is_same_v<T, Bytes> || std::is_same_v<T, std::string>;

class Reader {
public:
    template <class T>
    T read() {
        T value{};
        read(value);
        return value;
    }

private:
    std::int32_t next();
    double next_double();
    void copy_bytes(void* into, std::size_t size);

    template <OneNumber T>
    void read(T& value) {
        value = static_cast<T>(next());
    }
    template <TwoNumbers T>
    void read(T& value) {
        value = static_cast<T>(next_double());
    }
    template <Packed T>
    void read(T& value) {
        value.resize(static_cast<std::size_t>(next()));
        copy_bytes(value.data(), value.size());
    }
    template <class T>
    void read(std::optional<T>& value) {
        if (next()) read(value.emplace());
    }
    template <class T>
        requires(!Packed<std::vector<T>>)
    [[gnu::noinline]] void read(std::vector<T>& items) {
        items.resize(static_cast<std::size_t>(next()));
        for (T& item : items) read(item);
    }
    template <Described T>
    void read(T& value) {
        for_each_field(value, [this](const char*, auto& member) { read(member); });
    }
    template <Tuple T>
    void read(T& items) {
        std::apply([this](auto&... item) { (read(item), ...); }, items);
    }

    std::size_t at_ = 0;
};

template <OneNumber T>
void put(T value) {
    put_number(static_cast<std::int32_t>(value));
}
template <TwoNumbers T>
void put(T value) {
    put_double(static_cast<double>(value));
}
template <Packed T>
void put(const T& value) {
    put_bytes(value.data(), value.size());
}
template <class T>
void put(const std::optional<T>& value);
template <class T>
    requires(!Packed<std::vector<T>>)
void put(const std::vector<T>& items);
template <Described T>
void put(const T& value);
template <Tuple T>
void put(const T& items);

template <class T>
void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
}
template <class T>
    requires(!Packed<std::vector<T>>)
[[gnu::noinline]] void put(const std::vector<T>& items) {
    put_number(static_cast<std::int32_t>(items.size()));
    for (const T& item : items) put(item);
}
template <Described T>
[[gnu::noinline]] void put(const T& value) {
    for_each_field(value, [](const char*, const auto& member) { put(member); });
}
template <Tuple T>
void put(const T& items) {
    std::apply([](const auto&... item) { (put(item), ...); }, items);
}
template <class T>
void put(const Answer<T>& answer) {
    put_number(static_cast<std::int32_t>(answer.index()));
    if (const auto* value = std::get_if<T>(&answer)) put(*value);
    else put(std::get<Refusal>(answer));
}

// What a type is, as JSON: "int", {"list": ...}, {"maybe": ...}, {"all": [...]}, {"one": [names]}, {"fields": {...}} (with
// "omits" where absent ones are left out) or,
// of an answer that may be a refusal, {"answer": ..., "refusal": ...}.
class Description {
public:
    constexpr explicit Description(char* into) : into_(into) {}
    constexpr std::size_t size() const { return size_; }

    template <class T>
    constexpr void type() {
        if constexpr (std::is_same_v<T, int>) text("\"int\"");
        else if constexpr (std::is_same_v<T, bool>) text("\"bool\"");
        else if constexpr (std::is_same_v<T, std::string>) text("\"text\"");
        else if constexpr (std::is_same_v<T, Bytes>) text("\"bytes\"");
        else if constexpr (std::is_arithmetic_v<T>) text("\"number\"");
        else if constexpr (NamedEnum<T>) text("{\"one\":["), names<T>(), text("]}");
        else if constexpr (is_optional<T>) text("{\"maybe\":"), type<typename T::value_type>(), text("}");
        else if constexpr (is_vector<T>) text("{\"list\":"), type<typename T::value_type>(), text("}");
        else if constexpr (is_answer<T>) {
            text("{\"answer\":"), type<std::variant_alternative_t<0, T>>();
            text(",\"refusal\":"), type<Refusal>(), text("}");
        } else if constexpr (Described<T>) {
            text("{\"fields\":{"), members<T>(), text(omits_absent<T> ? "},\"omits\":true}" : "}}");
        } else text("{\"all\":["), items<T>(std::make_index_sequence<std::tuple_size_v<T>>()), text("]}");
    }

private:
    constexpr void text(const char* part) {
        for (; *part; ++part, ++size_)
            if (into_) into_[size_] = *part;
    }
    constexpr void quoted(const char* part, bool first) { text(first ? "\"" : ",\""), text(part), text("\""); }

    template <class E>
    constexpr void names() {
        const auto all = names_of(E{});
        for (const auto& name : all) quoted(name, &name == &all.front());
    }
    template <class T>
    constexpr void members() {
        bool first = true;
        std::apply([&](const auto&... field) { (member(field, std::exchange(first, false)), ...); }, T::fields());
    }
    template <class S, class T>
    constexpr void member(const Field<S, T>& field, bool first) {
        quoted(field.name, first), text(":"), type<T>();
    }
    template <class T, std::size_t... I>
    constexpr void items(std::index_sequence<I...>) {
        ((text(I ? "," : ""), type<std::tuple_element_t<I, T>>()), ...);
    }

    char* into_;
    std::size_t size_ = 0;
};

template <class T>
constexpr auto describe() {
    constexpr std::size_t size = [] {
        Description counted(nullptr);
        counted.type<T>();
        return counted.size();
    }();
    std::array<char, size + 1> text{};
    Description written(text.data());
    written.type<T>();
    return text;
}

template <class T>
inline constexpr auto description_of = describe<T>();

struct Handler {
    const char* name;
    const char* request_type;  // as JSON
    const char* answer_type;
    void (*answer)(Reader&);
};

template <class Function>
struct Signature;
template <class A, class Q>
struct Signature<A (*)(const Q&)> {
    using Request = Q;
    using Response = A;
};

template <auto function>
constexpr Handler handler(const char* name) {
    using Types = Signature<decltype(function)>;
    return {name, description_of<typename Types::Request>.data(), description_of<typename Types::Response>.data(),
            [](Reader& in) { put(function(in.read<typename Types::Request>())); }};
}

// A static list of handlers; a module may have several.
class Handlers {
public:
    template <std::size_t count>
    explicit Handlers(const Handler (&handlers)[count])
        : first_(handlers), count_(count), next_(std::exchange(all_, this)) {}

    // Visits the handlers in the order of their numbers.
    template <class Visit>
    static void for_each(const Visit& visit) {
        for (const Handlers* some = all_; some; some = some->next_)
            for (std::size_t i = 0; i < some->count_; ++i) visit(some->first_[i]);
    }

private:
    static inline constinit const Handlers* all_ = nullptr;

    const Handler* first_;
    std::size_t count_;
    const Handlers* next_;
};

}  // namespace connectk::web

#endif
