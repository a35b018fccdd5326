#pragma once

#include <memory>
#include <mutex>

#include "core/src/runtime/backend.h"

/// Copies and fills of device memory by built-in kernels, because Vulkan's own commands are slow on an NVIDIA H200.
/// They are transfers, and a barrier for transfers delays the next kernel by 2.5 us more than one between kernels. If
/// no process has a CUDA context, vkCmdCopyBuffer moves 0.4 to 1.7 TB/s, a copy kernel 4 TB/s.
namespace weft::vulkan {

class Device;
class Kernel;

/// One of these kernels. A kernel keeps its device open, so this holds it weakly and recreates it on demand.
/// Thread-safe.
class BuiltInKernel {
 public:
  explicit BuiltInKernel(Spirv (*module)()) : module_(module) {}
  std::shared_ptr<const Kernel> get(const std::shared_ptr<Device>& device);

 private:
  Spirv (*module_)();
  std::mutex mutex_;
  std::weak_ptr<const Kernel> kernel_;
};

struct BuiltInKernels {
  BuiltInKernels();
  BuiltInKernel copy, fill;
};

struct BuiltInDispatch {
  Groups groups;
  Arguments arguments;
};

/// Limit for one dispatch: every device takes that many workgroups, and word indices fit 32 bits.
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
