#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "memory.h"
#include "screen.h"

/// A screen without a window: pictures in memory, one for each frame in flight.
class Pictures : public Screen {
 public:
  Pictures(const Gpu& gpu, Memory& memory, VkExtent2D size);
  ~Pictures() override;  ///< All frames must be done.

  VkFormat format() const override { return VK_FORMAT_R8G8B8A8_UNORM; }
  std::optional<Target> begin(Frame& frame) override;
  void end(const Frame& frame) override;
  void show(const Frame&) override {}

  VkExtent2D size() const { return size_; }
  /// The RGBA pixels of a frame that is done.
  std::span<const std::byte> pixels(uint64_t frame) const;
  /// Writes them as a PNG file. Throws std::runtime_error on failure.
  void write(uint64_t frame, const std::string& file) const;

 private:
  struct Slot {
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    Memory::Part pixels;
  };

  const Gpu& gpu_;
  Memory& memory_;
  VkExtent2D size_;
  std::array<Slot, Frames::in_flight> slots_;
};
