// A board's size and the run that wins on it: width, height, run, always in that order.
#pragma once

namespace connectk {

struct Variant {
    int width = 7;
    int height = 6;
    int run = 4;
};

}  // namespace connectk
