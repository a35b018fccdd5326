#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "array_file.h"

namespace weft::tools {

/// The array's numbers at those places.
std::vector<std::byte> gather(const Array& array, std::span<const uint64_t> places);

/// "element 7: got 3, expected 4" of the first number of which `got` has other bits than `expected`, or which one of
/// them lacks ("got nothing"); nothing where there is none. `what` one of them is called.
std::optional<std::string> first_difference(ScalarType type, std::span<const std::byte> got,
                                            std::span<const std::byte> expected, const std::string& what = "element");

}  // namespace weft::tools
