#pragma once

#include <map>
#include <memory>
#include <vector>

#include <weft/arguments.h>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/kernel.h"

namespace weft::vulkan {

/// Descriptor sets of the commands of one batch or frame, reused when the commands are done. A kernel that binds the
/// same Buffers as before costs no Vulkan call. Handles and addresses do not say whether a VkBuffer is the same: once
/// it is destroyed, the next one may get both, and no set may be used that was written with the old one.
class DescriptorArena {
 public:
  explicit DescriptorArena(const Device& device) : device_(device) {}
  ~DescriptorArena();
  DescriptorArena(const DescriptorArena&) = delete;

  /// Sets for one dispatch of `kernel`, written with BoundArguments::bindings, in the order of Pipeline::sets.
  const std::vector<VkDescriptorSet>& write(const Kernel& kernel, std::span<const Region> bindings);
  /// No command that uses any of the sets is pending.
  void reset();

 private:
  static constexpr uint32_t sets_per_pool = 64;
  static constexpr uint32_t descriptors_per_pool = 512;

  struct Bound {
    uint32_t set = 0, binding = 0, element = 0;
    uint64_t offset = 0, bytes = 0;
    std::weak_ptr<const Buffer> buffer;  ///< Compared by owner, so it differs from that of every later Buffer.
    bool operator==(const Bound& other) const;
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
