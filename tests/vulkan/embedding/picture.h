#pragma once

#include <functional>
#include <vector>

#include "tests/support/vulkan_host/host.h"

namespace weft::test {

#define WEFT_TEST_PICTURE_FUNCTIONS(X) \
  X(vkAllocateDescriptorSets)          \
  X(vkBindImageMemory)                 \
  X(vkCmdBeginRenderPass)              \
  X(vkCmdBindDescriptorSets)           \
  X(vkCmdBindIndexBuffer)              \
  X(vkCmdBindPipeline)                 \
  X(vkCmdBindVertexBuffers)            \
  X(vkCmdCopyImageToBuffer)            \
  X(vkCmdDrawIndexed)                  \
  X(vkCmdEndRenderPass)                \
  X(vkCmdPushConstants)                \
  X(vkCmdSetBlendConstants)            \
  X(vkCmdSetScissor)                   \
  X(vkCmdSetViewport)                  \
  X(vkCreateDescriptorPool)            \
  X(vkCreateDescriptorSetLayout)       \
  X(vkCreateFramebuffer)               \
  X(vkCreateGraphicsPipelines)         \
  X(vkCreateImage)                     \
  X(vkCreateImageView)                 \
  X(vkCreatePipelineLayout)            \
  X(vkCreateRenderPass)                \
  X(vkCreateShaderModule)              \
  X(vkDestroyDescriptorPool)           \
  X(vkDestroyDescriptorSetLayout)      \
  X(vkDestroyFramebuffer)              \
  X(vkDestroyImage)                    \
  X(vkDestroyImageView)                \
  X(vkDestroyPipeline)                 \
  X(vkDestroyPipelineLayout)           \
  X(vkDestroyRenderPass)               \
  X(vkDestroyShaderModule)             \
  X(vkGetImageMemoryRequirements)      \
  X(vkUpdateDescriptorSets)

/// The host's own rendering: a triangle, drawn offscreen. Every pixel depends on what bind() binds: pipeline,
/// descriptor set, vertex and index buffers, viewport, scissor and blend constants.
class Picture {
 public:
  static constexpr uint32_t width = 48, height = 32, corners = 3;

  explicit Picture(Host& host);
  ~Picture();
  Picture(const Picture&) = delete;

  /// Coordinates of the corners, which draws read as vertices.
  const HostMemoryBlock& vertices() const { return vertices_; }
  void reset_vertices();

  /// Binds all graphics state but push constants.
  void bind(VkCommandBuffer commands) const;
  /// Pushes constants, draws with what is bound, and copies the picture to memory of the host's.
  void draw(VkCommandBuffer commands) const;
  /// The last picture.
  std::vector<uint32_t> pixels() const;
  /// Submits the picture, with `between` recorded between bind() and draw().
  std::vector<uint32_t> render(const std::function<void(VkCommandBuffer)>& between = {});

 private:
  void make_image();
  void make_render_pass();
  void make_sets();
  void make_pipeline();

#define WEFT_TEST_MEMBER(name) PFN_##name name = nullptr;
  WEFT_TEST_PICTURE_FUNCTIONS(WEFT_TEST_MEMBER)
#undef WEFT_TEST_MEMBER

  Host& host_;
  HostMemoryBlock vertices_, indices_, tint_, pixels_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkImage image_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace weft::test
