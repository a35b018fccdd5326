#include "tests/vulkan/embedding/picture.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "embedding_shaders.h"
#include "tests/support/vulkan_host/hooks.h"

namespace weft::test {

namespace {

constexpr VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(int(result)));
}

}  // namespace

Picture::Picture(Host& host) : host_(host) {
#define WEFT_TEST_LOAD(name) name = reinterpret_cast<PFN_##name>(loader_get_proc_addr()(host.instance, #name));
  WEFT_TEST_PICTURE_FUNCTIONS(WEFT_TEST_LOAD)
#undef WEFT_TEST_LOAD
  vertices_ = host.make_buffer(1024, vulkan::buffer_usage() | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  indices_ = host.make_buffer(1024, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  tint_ = host.make_buffer(1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  pixels_ = host.make_buffer(4 * width * height,
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  reset_vertices();
  std::ranges::copy(std::array{2u, 0u, 1u}, indices_.as<uint32_t>());
  std::ranges::copy(std::array{0.9f, 0.7f, 0.5f, 1.0f}, tint_.as<float>());
  make_image();
  make_render_pass();
  make_sets();
  make_pipeline();
}

Picture::~Picture() {
  vkDestroyPipeline(host_.device, pipeline_, nullptr);
  vkDestroyPipelineLayout(host_.device, layout_, nullptr);
  vkDestroyDescriptorPool(host_.device, pool_, nullptr);
  vkDestroyDescriptorSetLayout(host_.device, set_layout_, nullptr);
  vkDestroyFramebuffer(host_.device, framebuffer_, nullptr);
  vkDestroyRenderPass(host_.device, pass_, nullptr);
  vkDestroyImageView(host_.device, view_, nullptr);
  vkDestroyImage(host_.device, image_, nullptr);
  host_.vkFreeMemory(host_.device, memory_, nullptr);
  for (const HostMemoryBlock* block : {&vertices_, &indices_, &tint_, &pixels_}) host_.destroy(*block);
}

void Picture::reset_vertices() {
  std::ranges::copy(std::array{-0.9f, -0.8f, 0.8f, -0.6f, -0.2f, 0.9f}, vertices_.as<float>());
}

void Picture::make_image() {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {width, height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  check(vkCreateImage(host_.device, &info, nullptr, &image_), "vkCreateImage");
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(host_.device, image_, &needs);
  VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  memory.allocationSize = needs.size;
  while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1)) ++memory.memoryTypeIndex;
  check(host_.vkAllocateMemory(host_.device, &memory, nullptr, &memory_), "vkAllocateMemory");
  check(vkBindImageMemory(host_.device, image_, memory_, 0), "vkBindImageMemory");
  VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = image_;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  check(vkCreateImageView(host_.device, &view, nullptr, &view_), "vkCreateImageView");
}

void Picture::make_render_pass() {
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  // After the copy of the picture before, and before the copy of this one.
  VkSubpassDependency dependencies[2]{};
  dependencies[0].srcSubpass = VK_SUBPASS_EXTERNAL;
  dependencies[0].srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependencies[0].srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  dependencies[0].dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[0].dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[1].dstSubpass = VK_SUBPASS_EXTERNAL;
  dependencies[1].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[1].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[1].dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependencies[1].dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  info.dependencyCount = 2;
  info.pDependencies = dependencies;
  check(vkCreateRenderPass(host_.device, &info, nullptr, &pass_), "vkCreateRenderPass");
  VkFramebufferCreateInfo framebuffer{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  framebuffer.renderPass = pass_;
  framebuffer.attachmentCount = framebuffer.layers = 1;
  framebuffer.pAttachments = &view_;
  framebuffer.width = width;
  framebuffer.height = height;
  check(vkCreateFramebuffer(host_.device, &framebuffer, nullptr, &framebuffer_), "vkCreateFramebuffer");
}

void Picture::make_sets() {
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                             nullptr};
  VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  layout.bindingCount = 1;
  layout.pBindings = &binding;
  check(vkCreateDescriptorSetLayout(host_.device, &layout, nullptr, &set_layout_), "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool.maxSets = pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  check(vkCreateDescriptorPool(host_.device, &pool, nullptr, &pool_), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool_;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &set_layout_;
  check(vkAllocateDescriptorSets(host_.device, &info, &set_), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffer{tint_.buffer, 0, 4 * sizeof(float)};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set_;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  write.pBufferInfo = &buffer;
  vkUpdateDescriptorSets(host_.device, 1, &write, 0, nullptr);
}

void Picture::make_pipeline() {
  const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, 2 * sizeof(float)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = layout.pushConstantRangeCount = 1;
  layout.pSetLayouts = &set_layout_;
  layout.pPushConstantRanges = &push;
  check(vkCreatePipelineLayout(host_.device, &layout, nullptr, &layout_), "vkCreatePipelineLayout");

  VkPipelineShaderStageCreateInfo stages[2]{};
  const Spirv modules[2] = {shaders::picture_vertex(), shaders::picture_fragment()};
  for (size_t i = 0; i < 2; ++i) {
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = 4 * modules[i].words.size();
    info.pCode = modules[i].words.data();
    stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[i].pName = "main";
    check(vkCreateShaderModule(host_.device, &info, nullptr, &stages[i].module), "vkCreateShaderModule");
  }
  const VkVertexInputBindingDescription binding{0, 2 * sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute{0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount = 1;
  input.pVertexBindingDescriptions = &binding;
  input.pVertexAttributeDescriptions = &attribute;
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blend{};
  blend.blendEnable = VK_TRUE;
  blend.srcColorBlendFactor = blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
  blend.dstColorBlendFactor = blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
  blend.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blending{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blending.attachmentCount = 1;
  blending.pAttachments = &blend;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                   VK_DYNAMIC_STATE_BLEND_CONSTANTS};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 3;
  dynamic.pDynamicStates = states;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blending;
  info.pDynamicState = &dynamic;
  info.layout = layout_;
  info.renderPass = pass_;
  check(vkCreateGraphicsPipelines(host_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
        "vkCreateGraphicsPipelines");
  for (const auto& stage : stages) vkDestroyShaderModule(host_.device, stage.module, nullptr);
}

void Picture::bind(VkCommandBuffer commands) const {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices_.buffer, &start);
  vkCmdBindIndexBuffer(commands, indices_.buffer, 0, VK_INDEX_TYPE_UINT32);
  const VkViewport viewport{2, 3, width - 5, height - 4, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  const VkRect2D scissor{{4, 6}, {width - 9, height - 11}};
  vkCmdSetScissor(commands, 0, 1, &scissor);
  const float constants[] = {0.75f, 0.5f, 0.25f, 1};
  vkCmdSetBlendConstants(commands, constants);
}

void Picture::draw(VkCommandBuffer commands) const {
  const float shift[] = {0.1f, -0.05f};
  vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(shift), shift);
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = pass_;
  info.framebuffer = framebuffer_;
  info.renderArea.extent = {width, height};
  const VkClearValue clear{{{0.2f, 0.3f, 0.4f, 1}}};
  info.clearValueCount = 1;
  info.pClearValues = &clear;
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdDrawIndexed(commands, corners, 1, 0, 0, 0);
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {width, height, 1};
  vkCmdCopyImageToBuffer(commands, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels_.buffer, 1, &copy);
}

std::vector<uint32_t> Picture::pixels() const {
  return {pixels_.as<uint32_t>(), pixels_.as<uint32_t>() + width * height};
}

std::vector<uint32_t> Picture::render(const std::function<void(VkCommandBuffer)>& between) {
  std::fill_n(pixels_.as<uint32_t>(), width * height, 0u);
  host_.run([&](VkCommandBuffer commands) {
    bind(commands);
    if (between) between(commands);
    draw(commands);
  });
  return pixels();
}

}  // namespace weft::test
