#pragma once

#include <vector>

#include <weft/arguments.h>
#include <weft/kernel.h>

namespace weft::core {

/// The bound regions in the order in which translated kernels take them: that of the kernel's bindings, with descriptor
/// arrays flattened. Unbound elements have a region without a buffer.
std::vector<Region> bound_regions(const Reflection& reflection, const Arguments& arguments);

}  // namespace weft::core
