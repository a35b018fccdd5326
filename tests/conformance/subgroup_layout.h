#pragma once

#include <cstdint>
#include <vector>

#include "test.h"

namespace weft::test {

/// Where the invocations of one workgroup stand: for each its subgroup, its lane and the size of its subgroup.
struct SubgroupLayout {
  std::vector<uint32_t> subgroups, lanes, sizes;

  /// Subgroups of the workgroup.
  uint32_t count() const;
  /// Invocations of a subgroup, by lane.
  std::vector<uint32_t> members(uint32_t subgroup) const;
  /// Fails the running test when two invocations share a place or a lane is beyond its subgroup's size.
  void check_places() const;
};

/// A kernel with local_size_x_id = 0 that stores the three words of each invocation's place in set 0, binding 0.
Spirv subgroup_layout_module();

SubgroupLayout read_subgroup_layout(const Device& device, Stream& stream, uint32_t workgroup, KernelOptions options);

}  // namespace weft::test
