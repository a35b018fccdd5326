#include "backends/vulkan/built_in.h"

#include <utility>

#include "backends/vulkan/device.h"
#include "core/src/runtime/prepared_kernel.h"
#include "weft_vulkan_kernels.h"

namespace weft::vulkan {
namespace {

constexpr uint64_t words_of_group = 4096;  // of kernels/copy.comp and kernels/fill.comp

/// The words of `region` in the form that both kernels take: indices from the 16-byte block that holds the first word.
struct Words {
  explicit Words(const Region& region)
      : blocks(region.address() / 16 * 16),
        begin(uint32_t(region.address() % 16 / 4)),
        end(uint32_t(begin + region.bytes / 4)) {}
  Groups groups() const { return {uint32_t((end + words_of_group - 1) / words_of_group), 1, 1}; }

  uint64_t blocks;
  uint32_t begin, end;
};

/// Source misalignment relative to the destination, in bytes (0-3).
uint64_t shift(const Region& source, const Region& destination) {
  return (source.address() - destination.address()) % 4;
}

/// If vkCmdCopyBuffer is needed for the ends, it copies everything below this size. On an NVIDIA H200 that takes 1.2 us
/// at the 849 GB/s measured there, or 2.5 us at 422 GB/s; an additional dispatch takes about 1.8 us.
constexpr uint64_t least_between_ends = uint64_t{1} << 19;

}  // namespace

std::vector<Spirv> built_in_kernels() { return {kernels::copy(), kernels::fill()}; }

void BuiltInPipelines::prepare() {
  if (ready_) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [pipeline, module] : {std::pair(&copy_, kernels::copy()), std::pair(&fill_, kernels::fill())}) {
    if (pipeline->pipeline) continue;
    const core::PreparedKernel kernel = core::prepared_kernel(module, KernelOptions{}, device_);
    *pipeline = make_pipeline(device_, {kernel.words, module.name}, KernelOptions{}, kernel.reflection);
  }
  ready_ = true;
}

const Pipeline& BuiltInPipelines::copy() {
  prepare();
  return copy_;
}

const Pipeline& BuiltInPipelines::fill() {
  prepare();
  return fill_;
}

void BuiltInPipelines::destroy() {
  vulkan::destroy(device_, copy_);
  vulkan::destroy(device_, fill_);
}

BuiltInDispatch fill_dispatch(const Region& region, uint32_t word) {
  struct Block {  // The push constants of kernels/fill.comp.
    uint64_t blocks;
    uint32_t begin, end, word;
  };
  const Words words(region);
  return {words.groups(), Block{words.blocks, words.begin, words.end, word}};
}

KernelShare kernel_share(const Region& source, const Region& destination) {
  const uint64_t before = shift(source, destination), behind = (4 - before) % 4;
  const uint64_t start = destination.address(), bytes = destination.bytes;
  const uint64_t begin = (start + before + 3) / 4 * 4 - start;
  const uint64_t past = (start + bytes - behind) / 4 * 4;  // end of the last whole word
  if (past <= start + begin) return {};
  const KernelShare share{begin, past - start};
  const bool whole = share.begin == 0 && share.end == bytes;
  return whole || bytes >= least_between_ends ? share : KernelShare{};
}

BuiltInDispatch copy_dispatch(const Region& source, const Region& destination) {
  struct Block {  // The push constants of kernels/copy.comp.
    uint64_t destination, source;
    uint32_t begin, end, shift, whole_blocks;
  };
  const Words words(destination);
  const uint64_t before = shift(source, destination);
  const uint64_t from = source.address() - before - uint64_t{words.begin} * 4;
  return {words.groups(),
          Block{words.blocks, from, words.begin, words.end, uint32_t(8 * before), from % 16 == 0 && before == 0}};
}

}  // namespace weft::vulkan
