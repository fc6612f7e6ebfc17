// The bytes of a whole file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace connectk {

struct FileBytes {
    std::unique_ptr<char[]> data;
    std::size_t size = 0;

    std::span<const char> view() const { return {data.get(), size}; }
};

/// Reads a whole file; returns nothing if it cannot be opened or read. The name is in the encoding of the file system.
std::optional<FileBytes> read_file(const std::string& path);

}  // namespace connectk
