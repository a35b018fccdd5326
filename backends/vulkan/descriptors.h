#pragma once

#include <map>
#include <memory>
#include <vector>

#include <weft/arguments.h>

#include "backends/vulkan/kernel.h"

namespace weft::vulkan {

/// Descriptor sets of the commands of one batch or frame, reused when the commands are done. A kernel that binds the
/// same buffers as before costs no Vulkan call.
class DescriptorArena {
 public:
  explicit DescriptorArena(const Device& device) : device_(device) {}
  ~DescriptorArena();
  DescriptorArena(const DescriptorArena&) = delete;

  /// Sets for one dispatch of `kernel`, written with its bindings, in the order of Pipeline::sets.
  const std::vector<VkDescriptorSet>& write(const Kernel& kernel, const Arguments& arguments);
  /// No command that uses any of the sets is pending.
  void reset();

 private:
  static constexpr uint32_t sets_per_pool = 64;
  static constexpr uint32_t descriptors_per_pool = 512;

  struct Bound {
    uint32_t set = 0, binding = 0, element = 0;
    VkBuffer buffer = VK_NULL_HANDLE;
    uint64_t offset = 0, bytes = 0;
    uint64_t address = 0;  ///< Distinguishes a buffer from a later one with the same handle.
    bool operator==(const Bound&) const = default;
  };
  struct Sets {
    VkDescriptorPool pool = VK_NULL_HANDLE;
    std::vector<VkDescriptorSet> sets;
    std::vector<Bound> bound;
    bool used = false;
  };
  Sets& take(const Kernel& kernel, const std::vector<Bound>& wanted);
  Sets allocate(const Kernel& kernel);
  void add_pool(uint32_t descriptors, uint32_t sets);

  const Device& device_;
  std::vector<VkDescriptorPool> pools_;
  std::map<std::weak_ptr<const void>, std::vector<Sets>, std::owner_less<>> sets_;  ///< By Kernel::life().
};

}  // namespace weft::vulkan
