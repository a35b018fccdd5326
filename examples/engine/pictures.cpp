#include "pictures.h"

#include <stdexcept>

#include "barriers.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

Pictures::Pictures(const Gpu& gpu, Memory& memory, VkExtent2D size) : gpu_(gpu), memory_(memory), size_(size) {
  for (Slot& slot : slots_) {
    const VkImageCreateInfo image{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = format(),
                                  .extent = {size.width, size.height, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .tiling = VK_IMAGE_TILING_OPTIMAL,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    check(vkCreateImage(gpu.device, &image, nullptr, &slot.image), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu.device, slot.image, &needs);
    const VkMemoryAllocateInfo allocation{
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = Memory::type(gpu, needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
    check(vkAllocateMemory(gpu.device, &allocation, nullptr, &slot.memory), "vkAllocateMemory");
    check(vkBindImageMemory(gpu.device, slot.image, slot.memory, 0), "vkBindImageMemory");
    slot.view = make_view(gpu, slot.image, format());
    slot.pixels = memory.allocate(uint64_t{4} * size.width * size.height, true);
  }
}

Pictures::~Pictures() {
  for (const Slot& slot : slots_) {
    memory_.release(slot.pixels);
    vkDestroyImageView(gpu_.device, slot.view, nullptr);
    vkDestroyImage(gpu_.device, slot.image, nullptr);
    vkFreeMemory(gpu_.device, slot.memory, nullptr);
  }
}

std::optional<Target> Pictures::begin(Frame& frame) {
  const Slot& slot = slots_[Frames::slot(frame.number)];
  return Target{slot.image, slot.view, size_};
}

void Pictures::end(const Frame& frame) {
  const Slot& slot = slots_[Frames::slot(frame.number)];
  image_barrier(frame.commands, slot.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
                {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
  const VkBufferImageCopy region{.bufferOffset = slot.pixels.offset,
                                 .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                                 .imageExtent = {size_.width, size_.height, 1}};
  vkCmdCopyImageToBuffer(frame.commands, slot.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, slot.pixels.buffer, 1,
                         &region);
  memory_barrier(frame.commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
}

std::span<const std::byte> Pictures::pixels(uint64_t frame) const {
  const Memory::Part& part = slots_[Frames::slot(frame)].pixels;
  return {static_cast<const std::byte*>(part.mapped), size_t{4} * size_.width * size_.height};
}

void Pictures::write(uint64_t frame, const std::string& file) const {
  const int width = int(size_.width), height = int(size_.height);
  if (!stbi_write_png(file.c_str(), width, height, 4, pixels(frame).data(), 4 * width)) {
    throw std::runtime_error("cannot write the picture " + file);
  }
}
