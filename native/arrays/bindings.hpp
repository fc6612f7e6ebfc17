#pragma once

#include <nanobind/nanobind.h>

namespace connectk::arrays {

void bind_arrays(nanobind::module_& m);

}  // namespace connectk::arrays
