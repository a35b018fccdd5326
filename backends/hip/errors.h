#pragma once

#include <string>

#include "backends/hip/functions.h"

namespace weft::hip {

/// "hipErrorIllegalAddress (700): an illegal memory access was encountered", in the driver's words.
std::string text(const Functions& functions, hipError_t result);

/// Throws the weft::Error that `result` means unless it is a success: `what` says what was tried, e.g. "allocating
/// 4.0 GiB".
void check(const Functions& functions, hipError_t result, const std::string& what);

}  // namespace weft::hip
