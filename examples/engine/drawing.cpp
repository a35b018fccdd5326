#include "drawing.h"

#include "barriers.h"
#include "engine_kernels.h"

namespace {

/// The push constants of square.vert.
struct Arguments {
  std::array<float, 16> camera;
  std::array<float, 2> size;
  uint64_t living, order;
};

VkShaderModule make_module(VkDevice device, const weft::Spirv& code) {
  const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = code.words.size() * sizeof(uint32_t),
                                      .pCode = code.words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(device, &info, nullptr, &module), "vkCreateShaderModule");
  return module;
}

}  // namespace

Drawing::Drawing(const Gpu& gpu, VkFormat format) : gpu_(gpu) {
  const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_VERTEX_BIT, .size = sizeof(Arguments)};
  const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
  check(vkCreatePipelineLayout(gpu.device, &layout, nullptr, &layout_), "vkCreatePipelineLayout");

  const VkShaderModule square = make_module(gpu.device, kernels::square()),
                       disc = make_module(gpu.device, kernels::disc());
  const auto stage = [](VkShaderStageFlagBits bit, VkShaderModule module) {
    return VkPipelineShaderStageCreateInfo{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bit, .module = module, .pName = "main"};
  };
  const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, square),
                                                    stage(VK_SHADER_STAGE_FRAGMENT_BIT, disc)};
  const VkPipelineVertexInputStateCreateInfo no_vertices{.sType =
                                                             VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo strips{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo filled{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo one_sample{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState over{.blendEnable = VK_TRUE,
                                                 .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                 .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                 .srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
                                                 .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                 .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                                                   VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
  const VkPipelineColorBlendStateCreateInfo blending{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &over};
  const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                 .dynamicStateCount = 2,
                                                 .pDynamicStates = dynamic_states};
  const VkPipelineRenderingCreateInfo rendering{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                .colorAttachmentCount = 1,
                                                .pColorAttachmentFormats = &format};
  const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pNext = &rendering,
                                          .stageCount = 2,
                                          .pStages = stages,
                                          .pVertexInputState = &no_vertices,
                                          .pInputAssemblyState = &strips,
                                          .pViewportState = &viewport,
                                          .pRasterizationState = &filled,
                                          .pMultisampleState = &one_sample,
                                          .pColorBlendState = &blending,
                                          .pDynamicState = &dynamic,
                                          .layout = layout_};
  check(vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
        "vkCreateGraphicsPipelines");
  vkDestroyShaderModule(gpu.device, square, nullptr);
  vkDestroyShaderModule(gpu.device, disc, nullptr);
}

Drawing::~Drawing() {
  vkDestroyPipeline(gpu_.device, pipeline_, nullptr);
  vkDestroyPipelineLayout(gpu_.device, layout_, nullptr);
}

void Drawing::bind(VkCommandBuffer commands, VkExtent2D size) const {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  const VkViewport viewport{0, 0, float(size.width), float(size.height), 0, 1};
  const VkRect2D everything{{0, 0}, size};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &everything);
}

void Drawing::draw(VkCommandBuffer commands, const Target& target, const ParticleArrays& arrays,
                   const Camera& camera) const {
  constexpr VkPipelineStageFlags2 output = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  image_barrier(commands, target.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, {output},
                {output, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT});
  const VkRenderingAttachmentInfo color{
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = target.view,
      .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .clearValue = {.color = {.float32 = {background[0], background[1], background[2], 1}}}};
  const VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, target.size},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
  vkCmdBeginRendering(commands, &rendering);
  const ParticleLayout& layout = arrays.layout;
  const Arguments arguments{camera.matrix, camera.disc_size, arrays.address(layout.living),
                            arrays.address(layout.order)};
  vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(arguments), &arguments);
  vkCmdDrawIndirect(commands, arrays.part.buffer, arrays.part.offset + layout.counters + offsetof(Counters, draw), 1,
                    0);
  vkCmdEndRendering(commands);
}
