#include "screen.h"

VkImageView make_view(const Gpu& gpu, VkImage image, VkFormat format) {
  const VkImageViewCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = format,
      .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
  VkImageView view = VK_NULL_HANDLE;
  check(vkCreateImageView(gpu.device, &info, nullptr, &view), "vkCreateImageView");
  return view;
}
