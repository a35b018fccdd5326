#include <algorithm>
#include <numeric>

#include <weft/compact.h>
#include <weft/glsl.h>
#include <weft/indirect_groups.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "embedding_shaders.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Commands of the host's that read counts which plans have written: vkCmdDrawIndirect and vkCmdDispatchIndirect,
/// between the host's own barriers.

namespace {

constexpr const char* const marking = R"(#version 460
  #extension GL_EXT_buffer_reference : require
  layout(local_size_x = 64) in;
  layout(buffer_reference, std430, buffer_reference_align = 4) buffer Marks { uint at[]; };
  layout(push_constant) uniform Arguments { Marks marks; } args;
  void main() { args.marks.at[gl_GlobalInvocationID.x] = gl_NumWorkGroups.x; })";

/// Functions of Vulkan that the host's pipelines need.
#define WEFT_TEST_PIPELINE_FUNCTIONS(X) \
  X(vkCmdBeginRenderPass)               \
  X(vkCmdBindPipeline)                  \
  X(vkCmdDispatchIndirect)              \
  X(vkCmdDrawIndirect)                  \
  X(vkCmdEndRenderPass)                 \
  X(vkCmdPushConstants)                 \
  X(vkCreateComputePipelines)           \
  X(vkCreateFramebuffer)                \
  X(vkCreateGraphicsPipelines)          \
  X(vkCreatePipelineLayout)             \
  X(vkCreateRenderPass)                 \
  X(vkCreateShaderModule)               \
  X(vkDestroyFramebuffer)               \
  X(vkDestroyPipeline)                  \
  X(vkDestroyPipelineLayout)            \
  X(vkDestroyRenderPass)                \
  X(vkDestroyShaderModule)

void require(VkResult result) { REQUIRE_EQ(result, VK_SUCCESS); }

/// Pipelines of the host's: each instance of a draw, and each workgroup of a dispatch, leaves a mark in memory. Draws
/// end before rasterization, so they need no picture.
class Pipelines {
 public:
  explicit Pipelines(const Host& host) : device_(host.device) {
#define WEFT_TEST_LOAD(name) name = reinterpret_cast<PFN_##name>(loader_get_proc_addr()(host.instance, #name));
    WEFT_TEST_PIPELINE_FUNCTIONS(WEFT_TEST_LOAD)
#undef WEFT_TEST_LOAD
    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &range;
    require(vkCreatePipelineLayout(device_, &layout, nullptr, &layout_));
    make_pass();
    make_draw();
    make_dispatch();
  }
  ~Pipelines() {
    vkDestroyPipeline(device_, draw_, nullptr);
    vkDestroyPipeline(device_, dispatch_, nullptr);
    vkDestroyFramebuffer(device_, framebuffer_, nullptr);
    vkDestroyRenderPass(device_, pass_, nullptr);
    vkDestroyPipelineLayout(device_, layout_, nullptr);
  }
  Pipelines(const Pipelines&) = delete;

  void draw(VkCommandBuffer commands, const vulkan::HostBuffer& command, uint64_t marks) const {
    bind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_, marks);
    VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    begin.renderPass = pass_;
    begin.framebuffer = framebuffer_;
    begin.renderArea = {{0, 0}, {1, 1}};
    const VkClearValue unused{};
    begin.clearValueCount = 1;
    begin.pClearValues = &unused;
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDrawIndirect(commands, command.buffer, command.offset, 1, 0);
    vkCmdEndRenderPass(commands);
  }
  void dispatch(VkCommandBuffer commands, const vulkan::HostBuffer& command, uint64_t marks) const {
    bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, dispatch_, marks);
    vkCmdDispatchIndirect(commands, command.buffer, command.offset);
  }

 private:
  void make_pass() {
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    VkRenderPassCreateInfo pass{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    pass.subpassCount = 1;
    pass.pSubpasses = &subpass;
    require(vkCreateRenderPass(device_, &pass, nullptr, &pass_));
    VkFramebufferCreateInfo framebuffer{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    framebuffer.renderPass = pass_;
    framebuffer.width = framebuffer.height = framebuffer.layers = 1;
    require(vkCreateFramebuffer(device_, &framebuffer, nullptr, &framebuffer_));
  }

  VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, const Spirv& module) const {
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = 4 * module.words.size();
    info.pCode = module.words.data();
    VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = bit;
    stage.pName = "main";
    require(vkCreateShaderModule(device_, &info, nullptr, &stage.module));
    return stage;
  }

  void make_draw() {
    const auto vertex = stage(VK_SHADER_STAGE_VERTEX_BIT, shaders::indirect());
    const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.rasterizerDiscardEnable = VK_TRUE;
    raster.lineWidth = 1;
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.stageCount = 1;
    info.pStages = &vertex;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pRasterizationState = &raster;
    info.layout = layout_;
    info.renderPass = pass_;
    require(vkCreateGraphicsPipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &draw_));
    vkDestroyShaderModule(device_, vertex.module, nullptr);
  }

  void make_dispatch() {
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, compile_glsl(marking));
    info.layout = layout_;
    require(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &dispatch_));
    vkDestroyShaderModule(device_, info.stage.module, nullptr);
  }

  void bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline, uint64_t marks) const {
    vkCmdBindPipeline(commands, point, pipeline);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(marks),
                       &marks);
  }

#define WEFT_TEST_MEMBER(name) PFN_##name name = nullptr;
  WEFT_TEST_PIPELINE_FUNCTIONS(WEFT_TEST_MEMBER)
#undef WEFT_TEST_MEMBER
  VkDevice device_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkPipeline draw_ = VK_NULL_HANDLE, dispatch_ = VK_NULL_HANDLE;
};

/// Orders the host's indirect commands, and their shaders, after Weft's commands.
void barrier_to_indirect(const Host& host, VkCommandBuffer commands) {
  const vulkan::Access last = vulkan::last_access();
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VkAccessFlags(last.accesses);
  memory.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  host.vkCmdPipelineBarrier(commands, VkPipelineStageFlags(last.stages), stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

/// Makes the marks visible to the host.
void barrier_to_host(const Host& host, VkCommandBuffer commands) {
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  host.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

/// Marks as `count` units leave them, each of `each` words, and then zeros.
std::vector<uint32_t> expected_marks(uint32_t count, uint32_t each, uint32_t room, auto mark) {
  std::vector<uint32_t> marks(room);
  for (uint32_t i = 0; i < count * each; ++i) marks[i] = mark(i / each);
  return marks;
}

}  // namespace

TEST_CASE("the host's indirect draws and dispatches read counts that plans have written") {
  constexpr uint32_t most = 2000, vertices = 3, first_vertex = 5, group_size = 32,
                     most_threads = 64 * (most / group_size + 1);
  constexpr uint64_t draw_at = 20, dispatch_at = 44, input_at = 1024, kept_at = 16 * 1024, draws_at = 32 * 1024,
                     dispatches_at = 64 * 1024;
  for (const bool minimum : {false, true}) {
    Host host({.minimum = minimum, .vertex_stores = true});
    const Pipelines pipelines(host);
    const Device device = vulkan::wrap_device(host.description());
    const Element word = Element::of<uint32_t>();
    const Compact compact(device, word, Selection::when("x % 7u < 3u"), most);
    const Sort sort(device, word, most);
    const IndirectGroups groups(device, most);
    vulkan::RecordingArena arena(device, compact.temporary_bytes() + sort.temporary_bytes() + 1024);
    const HostMemoryBlock block = host.make_buffer(80 * 1024);
    const vulkan::HostBuffer draw = block.part(draw_at, 16), dispatch = block.part(dispatch_at, 12);
    const auto words = [&](uint64_t at, uint64_t count) {
      return vulkan::wrap_buffer<uint32_t>(device, block.part(at, 4 * count), count);
    };
    const auto draw_words = words(draw_at, 4), dispatch_words = words(dispatch_at, 3);
    const auto input = words(input_at, most), kept = words(kept_at, most);
    const View<uint32_t> alive = draw_words.part(1, 1);  // VkDrawIndirectCommand::instanceCount
    for (uint32_t frame = 0; frame < 3; ++frame) {
      for (uint32_t i = 0; i < most; ++i) block.as<uint32_t>(input_at)[i] = (i * 2654435761u + frame) >> frame * 5;
      *block.as<VkDrawIndirectCommand>(draw_at) = {vertices, 77, first_vertex, 0};
      std::fill_n(block.as<uint32_t>(draws_at), vertices * most, 0);
      std::fill_n(block.as<uint32_t>(dispatches_at), most_threads, 0);
      const uint32_t given = frame == 2 ? 0 : most;
      host.run([&](VkCommandBuffer commands) {
        {
          vulkan::Recording recording = arena.record(commands, frame);
          compact.record(recording, {.input = input,
                                     .flags = {},
                                     .output = kept,
                                     .selected = alive,
                                     .count = given,
                                     .temporary = recording.scratch(compact.temporary_bytes())});
          sort.record(
              recording,
              {.keys = kept, .keys_out = kept, .count = alive, .temporary = recording.scratch(sort.temporary_bytes())});
          groups.record(recording, {.groups = dispatch_words, .group_size = group_size, .count = alive});
        }
        barrier_to_indirect(host, commands);
        pipelines.dispatch(commands, dispatch, block.address + dispatches_at);
        pipelines.draw(commands, draw, block.address + draws_at - 4 * first_vertex);
        barrier_to_host(host, commands);
      });
      std::vector<uint32_t> expected;
      const auto* const in = block.as<uint32_t>(input_at);
      std::copy_if(in, in + given, std::back_inserter(expected), [](uint32_t x) { return x % 7 < 3; });
      std::ranges::sort(expected);
      const auto count = uint32_t(expected.size()), group_count = (count + group_size - 1) / group_size;
      const auto marks = [&](uint64_t at, uint32_t size) {
        return std::vector<uint32_t>(block.as<uint32_t>(at), block.as<uint32_t>(at) + size);
      };
      INFO("frame ", frame, minimum ? ", minimum" : "");
      CHECK_EQ(block.as<VkDrawIndirectCommand>(draw_at)->instanceCount, count);
      CHECK_EQ(block.as<VkDrawIndirectCommand>(draw_at)->firstVertex, first_vertex);
      check_same(marks(kept_at, count), expected, "the sorted elements");
      check_same(marks(draws_at, vertices * most),
                 expected_marks(count, vertices, vertices * most, [](uint32_t instance) { return instance + 1; }),
                 "what the draw marked");
      check_same(marks(dispatches_at, most_threads),
                 expected_marks(group_count, 64, most_threads, [&](uint32_t) { return group_count; }),
                 "what the dispatch marked");
      arena.finished(frame);
    }
    CHECK_EQ(host.messages(), 0);
  }
}
