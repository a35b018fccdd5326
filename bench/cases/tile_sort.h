#pragma once

#include <cstdint>

namespace weft::bench {

/// Length of the runs that the case sorts.
constexpr uint32_t tile_sort_length = 1024;

}  // namespace weft::bench
