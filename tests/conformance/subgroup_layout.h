#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/test.h"

namespace weft::test {

/// The subgroup, lane and subgroup size of each invocation of a workgroup.
struct SubgroupLayout {
  std::vector<uint32_t> subgroups, lanes, sizes;

  /// Returns the number of subgroups of the workgroup.
  uint32_t count() const;
  /// Returns the invocations of a subgroup, by lane.
  std::vector<uint32_t> members(uint32_t subgroup) const;
  /// Fails the running test if two invocations share a lane of a subgroup, or a lane is beyond its subgroup's size.
  void check_lanes() const;
};

/// Returns a kernel with local_size_x_id = 0 that stores these three words for each invocation in set 0, binding 0.
Spirv subgroup_layout_module();

SubgroupLayout read_subgroup_layout(const Device& device, Stream& stream, uint32_t workgroup, KernelOptions options);

}  // namespace weft::test
