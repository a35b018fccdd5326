#pragma once

#include <optional>

#include "frames.h"

/// An image to draw to.
struct Target {
  VkImage image;
  VkImageView view;
  VkExtent2D size;
};

/// Where frames are shown: a window, or pictures in memory.
class Screen {
 public:
  virtual ~Screen() = default;

  virtual VkFormat format() const = 0;
  /// Chooses the target of a frame; its layout is undefined. Nothing if the window was closed.
  virtual std::optional<Target> begin(Frame& frame) = 0;
  /// Records what follows drawing. The target is a color attachment.
  virtual void end(const Frame& frame) = 0;
  /// Shows the frame, which was submitted.
  virtual void show(const Frame& frame) = 0;
};

/// A view of a color image.
VkImageView make_view(const Gpu& gpu, VkImage image, VkFormat format);
