#pragma once

#include <array>
#include <chrono>
#include <vector>

#include "screen.h"

struct GLFWwindow;

/// A window of GLFW.
class Window {
 public:
  Window(uint32_t width, uint32_t height);
  ~Window();
  Window(const Window&) = delete;

  static std::vector<const char*> extensions();  ///< Instance extensions for make_surface().
  VkSurfaceKHR make_surface(VkInstance instance) const;

  bool closed() const;  ///< Handles events; Escape closes the window.
  /// Size in pixels; waits while the window is minimized.
  VkExtent2D size() const;
  void set_title(const std::string& title) const;

 private:
  GLFWwindow* window_ = nullptr;
};

/// The images that a window shows.
class Swapchain : public Screen {
 public:
  Swapchain(const Gpu& gpu, const Window& window);
  ~Swapchain() override;  ///< All frames must be done.

  VkFormat format() const override { return format_.format; }
  std::optional<Target> begin(Frame& frame) override;
  void end(const Frame& frame) override;
  void show(const Frame& frame) override;

 private:
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkSemaphore drawn = VK_NULL_HANDLE;
  };
  void create();
  void destroy_images();
  VkSemaphore make_semaphore() const;

  const Gpu& gpu_;
  const Window& window_;
  VkSurfaceFormatKHR format_{};
  VkExtent2D size_{};
  VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
  std::vector<Image> images_;
  std::array<VkSemaphore, Frames::in_flight> acquired_;
  uint32_t current_ = 0;  ///< Index of the frame's image.
  bool outdated_ = true;  ///< The window has another size now.
  std::chrono::steady_clock::time_point last_title_;
  uint64_t last_number_ = 0;  ///< The frame that was shown then.
};
