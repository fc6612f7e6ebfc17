// The search of `bench/why_whole.py`, as a separate program that needs only a compiler:
//
//     c++ -std=gnu++20 -O3 -march=native -Inative bench/why_whole.cpp $(find native -name '*.cpp' ! -name bindings.cpp) -lpthread
//     why_whole variant=7x6x4 keeper=first promise=wins state=known.txt solution=found.txt seconds=600 threads=16
#include "why_whole.hpp"

#include <cstdlib>
#include <map>

using namespace connectk;

namespace {

std::map<std::string, std::string> words_of(int count, char** words) {
    std::map<std::string, std::string> found;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto mark = word.find('=');
        if (mark == std::string::npos) std::fprintf(stderr, "not name=value: %s\n", word.c_str()), std::exit(2);
        found[word.substr(0, mark)] = word.substr(mark + 1);
    }
    return found;
}

template <class Value>
void take(std::map<std::string, std::string>& words, const char* name, Value& value) {
    const auto at = words.find(name);
    if (at == words.end()) return;
    std::istringstream(at->second) >> value;
    words.erase(at);
}

why::Asked asked_by(std::map<std::string, std::string>& words) {
    why::Asked asked;
    std::string variant = "7x6x4", keeper = "first", promise = "wins";
    take(words, "variant", variant);
    take(words, "moves", asked.moves);
    take(words, "keeper", keeper);
    take(words, "promise", promise);
    std::sscanf(variant.c_str(), "%dx%dx%d", &asked.variant.width, &asked.variant.height, &asked.variant.run);
    asked.first = keeper == "first", asked.win = promise == "wins";
    take(words, "discs", asked.discs);
    take(words, "work", asked.work);
    take(words, "efforts", asked.efforts);
    take(words, "sticky", asked.sticky);
    take(words, "solver_nodes", asked.max_solver_nodes);
    take(words, "solver_bytes", asked.solver_bytes);
    take(words, "threads", asked.threads);
    take(words, "seconds", asked.seconds);
    take(words, "state", asked.state);
    take(words, "solution", asked.solution);
    return asked;
}

std::unique_ptr<book::Book> book_in(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return nullptr;
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return std::make_unique<book::Book>(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

template <class G>
int run(const why::Asked& asked, const book::Book* book) {
    why::Whole<G> whole(asked, book);
    if (!whole.run()) return 1;
    if (!asked.solution.empty()) whole.write_solution();
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    auto words = words_of(count, arguments);
    const why::Asked asked = asked_by(words);
    std::string file;
    take(words, "book", file);
    if (!words.empty()) return std::fprintf(stderr, "unknown: %s\n", words.begin()->first.c_str()), 2;
    const auto book = book_in(file);
    const Variant& v = asked.variant;
    if (!supported(v) || v.width * (v.height + 1) > 64) return std::fprintf(stderr, "more than 64 bits\n"), 2;
    if (v == Variant{7, 6, 4}) return run<Sizes<std::uint64_t, 6, 4, 7>>(asked, book.get());
    if (v.run == 4) return run<Sizes<std::uint64_t, 0, 4>>(asked, book.get());
    return run<Sizes<std::uint64_t>>(asked, book.get());
}
