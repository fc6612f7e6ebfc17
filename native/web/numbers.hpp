// How a web page and what was compiled for it talk: the page writes a question into `connectk_room`, calls `connectk_ask`
// with its kind, and reads as many numbers as that returns from `connectk_answer`; js/core/numbers.js is the other end.
#pragma once
#if defined(__wasm__)

#include <cstdint>
#include <cstring>
#include <vector>

namespace connectk::web {

extern std::vector<std::int32_t> question, answer;

bool is_stopped();  // whether the page wants no more

class Reader {
public:
    int next() { return question[at_++]; }
    std::uint64_t next_long() {
        const auto low = static_cast<std::uint32_t>(next());
        return low | std::uint64_t(static_cast<std::uint32_t>(next())) << 32;
    }
    std::vector<std::uint8_t> bytes() {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(next()));
        std::memcpy(bytes.data(), &question[at_], bytes.size());
        return bytes;
    }

private:
    std::size_t at_ = 0;
};

inline void put(int number) { answer.push_back(number); }
inline void put(const std::vector<int>& numbers) {
    put(int(numbers.size()));
    answer.insert(answer.end(), numbers.begin(), numbers.end());
}

}  // namespace connectk::web

#endif
