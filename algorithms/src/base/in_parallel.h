#pragma once

#include <functional>
#include <initializer_list>

#include <weft/device.h>

namespace weft::algorithms {

/// Runs the parts of making a plan, each of which creates kernels. If the device compiles kernels side by side, they
/// run on as many threads as the machine has cores, otherwise one after the other on this thread. Throws what the first
/// part that failed threw, after all have ended.
void in_parallel(const Device& device, std::initializer_list<std::function<void()>> parts);

}  // namespace weft::algorithms
