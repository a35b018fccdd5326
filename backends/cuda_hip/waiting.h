#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "core/src/runtime/patience.h"

namespace weft::cuda_hip {

/// Asks until `done` says yes: often at first, for work that takes microseconds, then less and less. (The vendors' own
/// waits know no time limit.) Throws timeout, with `device`'s name, when `timeout` is over, and what `done` throws.
/// `patience`: of the stream whose work it is.
void wait_until(const std::function<bool()>& done, std::chrono::nanoseconds timeout, const std::string& device,
                core::Patience& patience);

}  // namespace weft::cuda_hip
