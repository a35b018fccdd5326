#pragma once

#include <vector>

#include <weft/arguments.h>

#include "backends/vulkan/kernel.h"

namespace weft::vulkan {

/// The descriptor sets of one batch of commands. All are freed together when the batch is done.
class DescriptorArena {
 public:
  explicit DescriptorArena(const Device& device) : device_(device) {}
  ~DescriptorArena();
  DescriptorArena(const DescriptorArena&) = delete;

  /// Allocates the sets for one dispatch of `kernel` and writes its bindings. Ordered like kernel.sets().
  std::vector<VkDescriptorSet> write(const Kernel& kernel, const Arguments& arguments);
  /// Frees all sets. No pending command may use them.
  void reset();

 private:
  static constexpr uint32_t sets_per_pool = 64;
  static constexpr uint32_t descriptors_per_pool = 512;

  std::vector<VkDescriptorSet> allocate(const Kernel& kernel);
  void add_pool(uint32_t descriptors, uint32_t sets);

  const Device& device_;
  std::vector<VkDescriptorPool> pools_;
  size_t current_ = 0;  ///< Index of the current pool; earlier ones are full.
};

}  // namespace weft::vulkan
