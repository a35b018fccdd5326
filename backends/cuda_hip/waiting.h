#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "core/src/runtime/patience.h"

namespace weft::cuda_hip {

/// Polls `done` until it returns true: often at first, for work that takes microseconds, then less and less. (The
/// vendors' own waits have no time limit.) Throws timeout, with the name `device`, after `timeout`, and what `done`
/// throws. `patience` belongs to the stream of the work.
void wait_until(const std::function<bool()>& done, std::chrono::nanoseconds timeout, const std::string& device,
                core::Patience& patience);

}  // namespace weft::cuda_hip
