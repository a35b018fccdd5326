#pragma once

#include <memory>
#include <mutex>

#include "core/src/runtime/backend.h"

/// Copies and fills of device memory by kernels of the backend's own. The commands are transfers, and barriers that
/// name transfers cost the next kernel 2.5 us more than those between kernels on an NVIDIA H200. Where no process has a
/// CUDA context, vkCmdCopyBuffer moves 0.4 to 1.7 TB/s there, a copy kernel 4 TB/s.
namespace weft::vulkan {

class Device;
class Kernel;

/// One of these kernels. It lives as long as somebody holds it, because it holds the device in turn; then it is made
/// anew. Thread-safe.
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

/// What one dispatch copies or fills: its groups fit every device, and its places 32 bits.
constexpr uint64_t max_dispatch_bytes = uint64_t{1} << 29;

/// Fills `region`, at most max_dispatch_bytes at a multiple of 4, with `word`.
BuiltInDispatch fill_dispatch(const Region& region, uint32_t word);

/// The bytes [begin, end) of a copy that the kernel takes; what is before and behind them is left to vkCmdCopyBuffer.
struct KernelShare {
  uint64_t begin = 0, end = 0;
};
/// The kernel writes whole words and reads those of the source that hold their bytes, none of which may be outside of
/// it. So it takes all of a copy between words, and of any other all but up to six bytes at each end; nothing of one
/// that is small, because the command has to come as well.
KernelShare kernel_share(const Region& source, const Region& destination);

/// Copies what the kernel takes of a copy, or a part of that from a multiple of 4 on, at most max_dispatch_bytes.
BuiltInDispatch copy_dispatch(const Region& source, const Region& destination);

}  // namespace weft::vulkan
