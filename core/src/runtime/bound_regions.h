#pragma once

#include <vector>

#include <weft/arguments.h>
#include <weft/kernel.h>

namespace weft::core {

/// What `arguments` bind, in the order of the kernel's bindings with descriptor arrays flattened: how translated
/// kernels take their buffers. A region of no buffer where nothing is bound.
std::vector<Region> bound_regions(const Reflection& reflection, const Arguments& arguments);

}  // namespace weft::core
