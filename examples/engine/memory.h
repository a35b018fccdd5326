#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <weft/interop/vulkan.h>

#include "gpu.h"

/// The engine's allocator: parts of large VkBuffers, one VkDeviceMemory each. Weft gets its memory here too.
/// Thread-safe.
class Memory {
 public:
  /// Part of a VkBuffer. Weft's type says all that the engine needs to know as well.
  using Part = weft::vulkan::HostBuffer;

  explicit Memory(const Gpu& gpu) : gpu_(gpu) {}
  ~Memory();
  Memory(const Memory&) = delete;

  /// At least `bytes` bytes at a multiple of 256; mapped and coherent if `host_visible`.
  Part allocate(uint64_t bytes, bool host_visible);
  void release(const Part& part);

  /// Index of a memory type among `allowed`, a mask, with `properties`. Throws std::runtime_error if there is none.
  static uint32_t type(const Gpu& gpu, uint32_t allowed, VkMemoryPropertyFlags properties);

 private:
  static constexpr uint64_t granularity = 256, block_bytes = 32 << 20;

  struct Block {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkDeviceAddress address = 0;
    std::byte* mapped = nullptr;
    bool host_visible = false;
    std::map<uint64_t, uint64_t> free;  ///< Sizes by offset; no two ranges touch.
  };
  Block make_block(uint64_t bytes, bool host_visible) const;

  const Gpu& gpu_;
  std::mutex mutex_;
  std::vector<Block> blocks_;
};
