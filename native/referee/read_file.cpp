#include "read_file.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace connectk {

namespace {

constexpr std::size_t initial_buffer_bytes = 1 << 14;  // most game files are smaller

// The size of a buffer for the whole file and one more byte, so that the next read meets the end. A pipe does not tell
// its size.
std::size_t larger_buffer_size(std::size_t room, std::FILE* file) {
    const long here = std::ftell(file);
    if (here < 0 || std::fseek(file, 0, SEEK_END) != 0) return 2 * room;
    const long size = std::ftell(file);
    std::fseek(file, here, SEEK_SET);
    return std::max(2 * room, size < 0 ? 0 : static_cast<std::size_t>(size) + 1);
}

}  // namespace

std::optional<FileBytes> read_file(const std::string& path) {
    if (path.find('\0') != std::string::npos) return std::nullopt;  // no file has such a name; fopen would cut it short
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) return std::nullopt;
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    std::size_t room = initial_buffer_bytes;
    FileBytes bytes{std::make_unique_for_overwrite<char[]>(room)};
    while (const std::size_t read = std::fread(bytes.data.get() + bytes.size, 1, room - bytes.size, file.get())) {
        bytes.size += read;
        if (bytes.size < room) continue;
        room = larger_buffer_size(room, file.get());
        auto larger = std::make_unique_for_overwrite<char[]>(room);
        std::copy_n(bytes.data.get(), bytes.size, larger.get());
        bytes.data = std::move(larger);
    }
    if (std::ferror(file.get())) return std::nullopt;
    return bytes;
}

}  // namespace connectk
