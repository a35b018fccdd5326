#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/array_file.h"

namespace weft::support {

/// Returns the array's numbers at `indices`.
std::vector<std::byte> gather(const Array& array, std::span<const uint64_t> indices);

/// Describes the first number whose bits differ: "element 7: got 3, expected 4", or "got nothing" if one side is
/// shorter. Returns nothing if there is no difference. `what` names one number.
std::optional<std::string> first_difference(ScalarType type, std::span<const std::byte> got,
                                            std::span<const std::byte> expected, const std::string& what = "element");

}  // namespace weft::support
