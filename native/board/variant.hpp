// A board's size and the run that wins on it: width, height, run, always in that order.
#pragma once

#include "portable.hpp"

namespace connectk {

struct Variant {
    int width = 7;
    int height = 6;
    int run = 4;

    CONNECTK_HOST_DEVICE int cells() const { return width * height; }
    bool operator==(const Variant&) const = default;
};

}  // namespace connectk
