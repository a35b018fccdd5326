#include "backends/vulkan/fill.h"

#include "backends/vulkan/kernel.h"
#include "weft_vulkan_kernels.h"

namespace weft::vulkan {
namespace {

// The push-constant block of kernels/fill.comp.
struct Block {
  uint64_t blocks;
  uint32_t begin, end, word;
};
constexpr uint64_t words_of_group = 4096;  // likewise

}  // namespace

FillKernel::Dispatch FillKernel::dispatch(const Region& region, uint32_t word) {
  const uint64_t begin = region.address() % 16 / 4, end = begin + region.bytes / 4;
  const uint64_t groups = (end + words_of_group - 1) / words_of_group;
  return {{uint32_t(groups), 1, 1}, Block{region.address() / 16 * 16, uint32_t(begin), uint32_t(end), word}};
}

std::shared_ptr<const Kernel> FillKernel::get(const std::shared_ptr<Device>& device) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Kernel> kernel = kernel_.lock();
  if (!kernel) {
    const Spirv module = kernels::fill();
    kernel_ = kernel = std::make_shared<Kernel>(device, module, KernelOptions{}, reflect(module));
  }
  return kernel;
}

}  // namespace weft::vulkan
