#pragma once

#include <array>
#include <cstdint>

#include "gpu.h"

/// A frame in flight: one command buffer, submitted once.
struct Frame {
  uint64_t number = 0;  ///< Counts from 1; 0: the slot is unused.
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkSemaphore acquired = VK_NULL_HANDLE;  ///< Signalled when the image to draw to is free; null without a window.
  VkSemaphore drawn = VK_NULL_HANDLE;     ///< To be signalled for the presentation; null without a window.
};

/// The frames in flight, two at a time.
class Frames {
 public:
  static constexpr uint64_t in_flight = 2;
  static uint64_t slot(uint64_t frame) { return frame % in_flight; }

  explicit Frames(const Gpu& gpu);
  ~Frames();  ///< All frames must be done.
  Frames(const Frames&) = delete;

  /// Waits until frame `number`, if it was submitted, is done.
  void wait(uint64_t number);
  /// Begins the command buffer of frame `number`; frame `number` - in_flight must be done.
  Frame begin(uint64_t number);
  /// Ends the command buffer and submits it.
  void submit(const Frame& frame);

 private:
  struct Slot {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence done = VK_NULL_HANDLE;
    uint64_t submitted = 0;  ///< The frame that `done` is for.
  };

  const Gpu& gpu_;
  std::array<Slot, in_flight> slots_;
};
