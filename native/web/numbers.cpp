#include "numbers.hpp"

#if defined(__wasm__)

#include <cstring>

namespace connectk::web {

namespace {

std::vector<std::int32_t> request_numbers, answer_numbers;

}  // namespace

std::int32_t Reader::next() { return request_numbers[at_++]; }

double Reader::next_double() {
    double number;
    copy_bytes(&number, sizeof number);
    return number;
}

void Reader::copy_bytes(void* into, std::size_t size) {
    std::memcpy(into, &request_numbers[at_], size);
    at_ += (size + 3) / 4;
}

void put_number(std::int32_t number) { answer_numbers.push_back(number); }

void put_double(double number) {
    std::int32_t halves[2];
    std::memcpy(halves, &number, sizeof number);
    put_number(halves[0]), put_number(halves[1]);
}

void put_bytes(const void* bytes, std::size_t size) {
    put_number(static_cast<std::int32_t>(size));
    const std::size_t at = answer_numbers.size();
    answer_numbers.resize(at + (size + 3) / 4);
    std::memcpy(answer_numbers.data() + at, bytes, size);
}

extern "C" {

__attribute__((import_module("page"), import_name("stopped"))) int page_stopped();

__attribute__((export_name("connectk_description"))) const char* connectk_description() {
    static std::string text;
    text = "[";
    Handlers::for_each([](const Handler& handler) {
        for (const char* part : {text.size() > 1 ? "," : "", "{\"name\":\"", handler.name,
                                 "\",\"asks\":", handler.request_type, ",\"answers\":", handler.answer_type, "}"})
            text += part;
    });
    text += "]";
    return text.c_str();
}

__attribute__((export_name("connectk_room"))) std::int32_t* connectk_room(int count) {
    request_numbers.resize(std::size_t(count));
    return request_numbers.data();
}

__attribute__((export_name("connectk_ask"))) int connectk_ask(int number) {
    answer_numbers.clear();
    Handlers::for_each([&number](const Handler& handler) {
        if (number-- != 0) return;
        Reader in;
        handler.answer(in);
    });
    return int(answer_numbers.size());
}

__attribute__((export_name("connectk_answer"))) const std::int32_t* connectk_answer() { return answer_numbers.data(); }
}

bool is_stopped() { return page_stopped() != 0; }

}  // namespace connectk::web

#endif
