#include "window.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "barriers.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

Window::Window(uint32_t width, uint32_t height) {
  if (!glfwInit()) throw std::runtime_error("GLFW finds no display; use --frames with --output or --check");
  if (!glfwVulkanSupported()) throw std::runtime_error("GLFW finds no Vulkan");
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  window_ = glfwCreateWindow(int(width), int(height), "Weft in an engine", nullptr, nullptr);
  if (!window_) throw std::runtime_error("GLFW cannot open a window");
}

Window::~Window() { glfwTerminate(); }

std::vector<const char*> Window::extensions() {
  uint32_t count = 0;
  const char** const names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names + count};
}

VkSurfaceKHR Window::make_surface(VkInstance instance) const {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  check(glfwCreateWindowSurface(instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
  return surface;
}

bool Window::closed() const {
  glfwPollEvents();
  return glfwWindowShouldClose(window_) || glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS;
}

VkExtent2D Window::size() const {
  int width = 0, height = 0;
  for (;;) {
    glfwGetFramebufferSize(window_, &width, &height);
    if ((width > 0 && height > 0) || glfwWindowShouldClose(window_)) break;
    glfwWaitEvents();
  }
  return {uint32_t(width), uint32_t(height)};
}

void Window::set_title(const std::string& title) const { glfwSetWindowTitle(window_, title.c_str()); }

Swapchain::Swapchain(const Gpu& gpu, const Window& window) : gpu_(gpu), window_(window) {
  for (VkSemaphore& semaphore : acquired_) semaphore = make_semaphore();
  uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical, gpu.surface, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical, gpu.surface, &count, formats.data());
  const auto eight_bits = std::ranges::find_if(formats, [](const VkSurfaceFormatKHR& f) {
    return f.format == VK_FORMAT_B8G8R8A8_UNORM || f.format == VK_FORMAT_R8G8B8A8_UNORM;
  });
  format_ = eight_bits != formats.end() ? *eight_bits : formats.at(0);
}

Swapchain::~Swapchain() {
  vkDeviceWaitIdle(gpu_.device);  // for the last images shown
  destroy_images();
  vkDestroySwapchainKHR(gpu_.device, swapchain_, nullptr);
  for (VkSemaphore semaphore : acquired_) vkDestroySemaphore(gpu_.device, semaphore, nullptr);
}

VkSemaphore Swapchain::make_semaphore() const {
  const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(vkCreateSemaphore(gpu_.device, &info, nullptr, &semaphore), "vkCreateSemaphore");
  return semaphore;
}

void Swapchain::destroy_images() {
  for (const Image& image : images_) {
    vkDestroyImageView(gpu_.device, image.view, nullptr);
    vkDestroySemaphore(gpu_.device, image.drawn, nullptr);
  }
  images_.clear();
}

void Swapchain::create() {
  vkDeviceWaitIdle(gpu_.device);
  destroy_images();
  VkSurfaceCapabilitiesKHR surface;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_.physical, gpu_.surface, &surface),
        "reading the surface's limits");
  size_ = surface.currentExtent.width != UINT32_MAX ? surface.currentExtent : window_.size();
  const uint32_t most = surface.maxImageCount ? surface.maxImageCount : UINT32_MAX;
  const VkSwapchainKHR old = swapchain_;
  const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                      .surface = gpu_.surface,
                                      .minImageCount = std::min(surface.minImageCount + 1, most),
                                      .imageFormat = format_.format,
                                      .imageColorSpace = format_.colorSpace,
                                      .imageExtent = size_,
                                      .imageArrayLayers = 1,
                                      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                      .preTransform = surface.currentTransform,
                                      .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                      .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                      .clipped = VK_TRUE,
                                      .oldSwapchain = old};
  check(vkCreateSwapchainKHR(gpu_.device, &info, nullptr, &swapchain_), "vkCreateSwapchainKHR");
  vkDestroySwapchainKHR(gpu_.device, old, nullptr);
  uint32_t count = 0;
  vkGetSwapchainImagesKHR(gpu_.device, swapchain_, &count, nullptr);
  std::vector<VkImage> images(count);
  vkGetSwapchainImagesKHR(gpu_.device, swapchain_, &count, images.data());
  for (VkImage image : images) images_.push_back({image, make_view(gpu_, image, format()), make_semaphore()});
  outdated_ = false;
}

std::optional<Target> Swapchain::begin(Frame& frame) {
  frame.acquired = acquired_[Frames::slot(frame.number)];
  for (;;) {
    if (window_.closed()) return {};
    if (outdated_) {
      window_.size();
      create();
    }
    const VkResult result =
        vkAcquireNextImageKHR(gpu_.device, swapchain_, UINT64_MAX, frame.acquired, VK_NULL_HANDLE, &current_);
    outdated_ = result == VK_ERROR_OUT_OF_DATE_KHR;
    if (outdated_) continue;
    if (result != VK_SUBOPTIMAL_KHR) check(result, "vkAcquireNextImageKHR");
    frame.drawn = images_[current_].drawn;
    return Target{images_[current_].image, images_[current_].view, size_};
  }
}

void Swapchain::end(const Frame& frame) {
  image_barrier(frame.commands, images_[current_].image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT}, {});
}

void Swapchain::show(const Frame& frame) {
  const VkPresentInfoKHR info{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                              .waitSemaphoreCount = 1,
                              .pWaitSemaphores = &frame.drawn,
                              .swapchainCount = 1,
                              .pSwapchains = &swapchain_,
                              .pImageIndices = &current_};
  const VkResult result = vkQueuePresentKHR(gpu_.queue, &info);
  outdated_ = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
  if (!outdated_) check(result, "vkQueuePresentKHR");

  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_title_).count();
  if (seconds < 1) return;
  char title[64];
  std::snprintf(title, sizeof title, "Weft in an engine: %.1f frames a second",
                double(frame.number - last_number_) / seconds);
  window_.set_title(title);
  last_title_ = now;
  last_number_ = frame.number;
}
