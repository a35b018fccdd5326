#pragma once

#include <cstdint>
#include <memory>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/stream.h>

namespace weft {

/// Computes the workgroups of an indirect dispatch that has a workgroup for every `group_size` of `count` elements, and
/// writes them as Recorder::dispatch_indirect(), vkCmdDispatchIndirect and vkCmdDrawMeshTasksIndirectEXT read them:
/// three 32-bit words, {ceil(count / group_size), 1, 1}. The count usually is one that another plan has written.
///
/// For vkCmdDrawIndirect let that plan write its count, as 32 bits, to vertexCount or instanceCount of the command: see
/// CountOutput.
///
/// One dispatch of one invocation, no temporary storage. Results are the same on every device.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API IndirectGroups {
 public:
  /// Compiles for counts of up to `max_count`; larger ones in device memory are taken as `max_count`. Throws what
  /// Device::kernel() throws.
  IndirectGroups(const Device& device, uint64_t max_count);

  struct Arguments {
    View<uint32_t> groups;  ///< Three words; memory after them is left as it was.
    uint32_t group_size;    ///< Elements for each workgroup, 1 to 65535.
    Count count;
  };
  /// Throws invalid_argument if `groups` is too small or misaligned or overlaps the count, if `group_size` is out of
  /// range or so small that the plan's maximum needs more workgroups than the device dispatches in x, or if the count
  /// exceeds that maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
