#include "numbers.hpp"

#if defined(__wasm__)

namespace connectk::web {

std::vector<std::int32_t> question, answer;

extern "C" {

__attribute__((import_module("page"), import_name("stopped"))) int page_stopped();

__attribute__((export_name("connectk_room"))) std::int32_t* connectk_room(int count) {
    question.resize(std::size_t(count));
    return question.data();
}

__attribute__((export_name("connectk_answer"))) const std::int32_t* connectk_answer() { return answer.data(); }
}

bool is_stopped() { return page_stopped() != 0; }

}  // namespace connectk::web

#endif
