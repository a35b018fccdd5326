#pragma once

#include <atomic>
#include <mutex>

#include "backends/vulkan/pipeline.h"
#include "core/src/runtime/backend.h"

/// Copies and fills of device memory by built-in kernels, because Vulkan's own commands are slow on an NVIDIA H200.
/// They are transfers, and a barrier for transfers delays the next kernel by 2.5 us more than one between kernels. If
/// no process has a CUDA context, vkCmdCopyBuffer moves 0.4 to 1.7 TB/s, a copy kernel 4 TB/s.
namespace weft::vulkan {

class Device;

/// The two kernels' pipelines. They belong to the device: made once, when a stream first copies or fills. A Recording
/// compiles nothing, so for those they are made with a wrapped device's first kernel, or the first arena of a device of
/// Weft's own. Thread-safe.
class BuiltInPipelines {
 public:
  explicit BuiltInPipelines(Device& device) : device_(device) {}

  /// Compiles what has not been compiled yet. Throws what Device::kernel() throws.
  void prepare();
  bool ready() const { return ready_; }
  /// These prepare() first.
  const Pipeline& copy();
  const Pipeline& fill();
  /// No work uses them, and the device is about to go.
  void destroy();

 private:
  Device& device_;
  std::mutex mutex_;
  std::atomic<bool> ready_ = false;
  Pipeline copy_, fill_;
};

/// Both kernels, for packs.
std::vector<Spirv> built_in_kernels();

struct BuiltInDispatch {
  Groups groups;
  Arguments arguments;
};

/// Limit for one dispatch: every device supports the workgroups this needs, and word indices fit 32 bits.
constexpr uint64_t max_dispatch_bytes = uint64_t{1} << 29;

/// Fills `region` with `word`. At most max_dispatch_bytes, at a multiple of 4 bytes.
BuiltInDispatch fill_dispatch(const Region& region, uint32_t word);

/// The bytes [begin, end) of a copy that the kernel copies. vkCmdCopyBuffer copies the rest at either end.
struct KernelShare {
  uint64_t begin = 0, end = 0;
};
/// The kernel writes whole words and reads the source words that hold their bytes, all of which must be inside the
/// source. So it copies everything if both sides are word-aligned, else all but up to six bytes at each end. It copies
/// nothing of a small unaligned region, which needs the command anyway.
KernelShare kernel_share(const Region& source, const Region& destination);

/// Copies a kernel's share, or a part of it that starts at a multiple of 4 bytes. At most max_dispatch_bytes.
BuiltInDispatch copy_dispatch(const Region& source, const Region& destination);

}  // namespace weft::vulkan
