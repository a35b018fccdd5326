#include "backends/vulkan/pipeline.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "backends/vulkan/module_needs.h"
#include "core/src/runtime/cache.h"
#include "core/src/runtime/inlined_module.h"
#include "core/src/spirv/reconvergence.h"

namespace weft::vulkan {

namespace {

/// Not so for what is declared but unused: core refuses kernels that use an image or an array without a size.
bool has_descriptors(const Reflection::Binding& b) { return b.kind != Reflection::BindingKind::other && b.count != 0; }

/// Specialization constants in Vulkan's form: a table of offsets into a block of bytes.
struct Specialization {
  explicit Specialization(const std::vector<SpecializationValue>& values) {
    for (const SpecializationValue& value : values) {
      entries.push_back({value.id, uint32_t(data.size()), value.bytes});
      const auto* bytes = reinterpret_cast<const std::byte*>(&value.bits);
      data.insert(data.end(), bytes, bytes + value.bytes);
    }
    info = {uint32_t(entries.size()), entries.data(), data.size(), data.data()};
  }
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::byte> data;
  VkSpecializationInfo info{};
};

/// A VkPipelineCache for one kernel, with the data of an earlier one if there is any.
class PipelineCache {
 public:
  PipelineCache(const Device& device, std::span<const std::byte> data) : device_(device) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    check(device_.vk().vkCreatePipelineCache(device_.handle(), &info, device_.allocator(), &cache_),
          "creating a pipeline cache");
  }
  ~PipelineCache() { device_.vk().vkDestroyPipelineCache(device_.handle(), cache_, device_.allocator()); }
  PipelineCache(const PipelineCache&) = delete;

  VkPipelineCache handle() const { return cache_; }

  std::vector<std::byte> data() const {
    size_t size = 0;
    check(device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, nullptr), "reading a pipeline cache");
    std::vector<std::byte> data(size);
    check(device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, data.data()),
          "reading a pipeline cache");
    data.resize(size);
    return data;
  }

 private:
  const Device& device_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
};

core::CacheKey key_of(const Device& device, std::span<const uint32_t> words, const KernelOptions& options) {
  const VkPhysicalDeviceProperties& p = device.properties();
  core::CacheKey key;
  key.add(std::as_bytes(std::span(p.pipelineCacheUUID))).add(p.vendorID).add(p.deviceID).add(p.driverVersion);
  // lavapipe's subgroup size depends on its environment, and its UUID does not reflect that.
  key.add(device.info().limits.subgroup_size);
  key.add(words).add(options.entry).add(options.subgroup_size).add(options.full_subgroups);
  return key.add(options.specialization);
}

/// Creates the objects of one pipeline, and destroys them unless they are taken.
class PipelineMaker {
 public:
  PipelineMaker(const Device& device, const std::string& name, const Reflection& reflection)
      : device_(device), name_(name), reflection_(reflection) {}
  ~PipelineMaker() { destroy(device_, pipeline_); }
  PipelineMaker(const PipelineMaker&) = delete;

  void check_limits() const;
  void make_layout();
  void make_pipeline(const Spirv& module, const KernelOptions& options);
  VkResult compile_cached(const VkComputePipelineCreateInfo& info, const core::CacheKey& key);
  VkResult compile(const VkComputePipelineCreateInfo& info, VkPipelineCache cache);
  Pipeline take() { return std::exchange(pipeline_, {}); }

 private:
  const Device& device_;
  const std::string& name_;
  const Reflection& reflection_;
  Pipeline pipeline_;
};

void PipelineMaker::check_limits() const {
  const VkPhysicalDeviceLimits& limits = device_.properties().limits;
  uint64_t highest_set = 0, storage_buffers = 0, uniform_buffers = 0;
  for (const Reflection::Binding& b : reflection_.bindings) {
    if (!has_descriptors(b)) continue;
    highest_set = std::max<uint64_t>(highest_set, b.set);
    (b.kind == Reflection::BindingKind::uniform_buffer ? uniform_buffers : storage_buffers) += b.count;
  }
  const auto refuse = [&](const std::string& binds, const std::string& device_has) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name_ + "' binds " + binds + "; " + device_.info().selector +
                                            " (" + device_.info().name + ") " + device_has + ".");
  };
  if (highest_set >= limits.maxBoundDescriptorSets) {
    refuse("descriptor set " + std::to_string(highest_set),
           "has sets 0 to " + std::to_string(limits.maxBoundDescriptorSets - 1));
  }
  for (const auto& [kind, count, most] :
       {std::tuple("storage", storage_buffers, limits.maxPerStageDescriptorStorageBuffers),
        std::tuple("uniform", uniform_buffers, limits.maxPerStageDescriptorUniformBuffers)}) {
    if (count <= most) continue;
    refuse(std::to_string(count) + " " + kind + " buffers",
           "takes up to " + std::to_string(most) + " in a kernel. Buffer references have no such limit");
  }
}

void PipelineMaker::make_layout() {
  const DeviceFunctions& vk = device_.vk();
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
  for (const Reflection::Binding& b : reflection_.bindings) {
    if (!has_descriptors(b)) continue;
    if (b.kind == Reflection::BindingKind::uniform_buffer) pipeline_.reads_uniforms = true;
    sets[b.set].push_back({b.binding, descriptor_type(b.kind), b.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  const uint32_t set_count = sets.empty() ? 0 : sets.rbegin()->first + 1;
  pipeline_.sets.reserve(set_count);
  for (uint32_t set = 0; set < set_count; ++set) {
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = uint32_t(sets[set].size());
    info.pBindings = sets[set].data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    check(vk.vkCreateDescriptorSetLayout(device_.handle(), &info, device_.allocator(), &layout),
          "creating the layout of a descriptor set");
    pipeline_.sets.push_back(layout);
    device_.debug().name(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout, "weft: " + name_);
  }
  pipeline_.push_constant_bytes = (reflection_.push_constant_bytes + 3) & ~3u;
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, pipeline_.push_constant_bytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = set_count;
  info.pSetLayouts = pipeline_.sets.data();
  info.pushConstantRangeCount = push.size ? 1 : 0;
  info.pPushConstantRanges = &push;
  check(vk.vkCreatePipelineLayout(device_.handle(), &info, device_.allocator(), &pipeline_.layout),
        "creating a pipeline layout");
}

void PipelineMaker::make_pipeline(const Spirv& module, const KernelOptions& options) {
  const DeviceFunctions& vk = device_.vk();
  std::vector<uint32_t> words =
      core::takes_inlined(device_.info()) ? core::inlined_module(device_, module) : module.words;
  if (options.reconvergence == Reconvergence::automatic && reflection_.divergent_subgroup_operations &&
      device_.info().features.maximal_reconvergence) {
    words = with_maximal_reconvergence(words, options.entry);
  }
  const Specialization specialization(options.specialization);
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = words.size() * sizeof(uint32_t);
  code.pCode = words.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  check(vk.vkCreateShaderModule(device_.handle(), &code, device_.allocator(), &shader),
        "loading kernel '" + name_ + "'");

  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  required.requiredSubgroupSize = options.subgroup_size;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.layout = pipeline_.layout;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = options.entry.c_str();
  info.stage.pSpecializationInfo = &specialization.info;
  const bool control = device_.info().features.subgroup_size_control;
  if (control && options.subgroup_size) info.stage.pNext = &required;
  // Full subgroups need rows of the workgroup that divide into them; without, the last one may be partial.
  const uint32_t lanes = options.subgroup_size ? options.subgroup_size : device_.info().limits.subgroup_size;
  if (control && options.full_subgroups && reflection_.workgroup_size[0] % lanes == 0) {
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  VkResult result;
  try {
    result = device_.pipeline_cache() ? compile(info, device_.pipeline_cache())
                                      : compile_cached(info, key_of(device_, words, options));
  } catch (...) {
    vk.vkDestroyShaderModule(device_.handle(), shader, device_.allocator());
    throw;
  }
  vk.vkDestroyShaderModule(device_.handle(), shader, device_.allocator());
  check(result, "compiling kernel '" + name_ + "' on " + device_.info().name);
  device_.debug().name(VK_OBJECT_TYPE_PIPELINE, pipeline_.pipeline, "weft: " + name_);
  device_.debug().name(VK_OBJECT_TYPE_PIPELINE_LAYOUT, pipeline_.layout, "weft: " + name_);
}

VkResult PipelineMaker::compile_cached(const VkComputePipelineCreateInfo& info, const core::CacheKey& key) {
  const core::Cache kept = device_.cache();
  const auto known = kept.find("vulkan", key);
  const PipelineCache cache(device_, known ? std::span<const std::byte>(*known) : std::span<const std::byte>());
  const VkResult result = compile(info, cache.handle());
  if (kept && !known && result == VK_SUCCESS) kept.put("vulkan", key, cache.data());
  return result;
}

VkResult PipelineMaker::compile(const VkComputePipelineCreateInfo& info, VkPipelineCache cache) {
  return device_.vk().vkCreateComputePipelines(device_.handle(), cache, 1, &info, device_.allocator(),
                                               &pipeline_.pipeline);
}

}  // namespace

VkDescriptorType descriptor_type(Reflection::BindingKind kind) {
  return kind == Reflection::BindingKind::uniform_buffer ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                         : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

Pipeline make_pipeline(const Device& device, const Spirv& module, const KernelOptions& options,
                       const Reflection& reflection) {
  check_needs(module.words, options.entry, module.name, device);
  PipelineMaker maker(device, module.name, reflection);
  maker.check_limits();
  maker.make_layout();
  maker.make_pipeline(module, options);
  return maker.take();
}

void destroy(const Device& device, const Pipeline& pipeline) {
  const DeviceFunctions& vk = device.vk();
  vk.vkDestroyPipeline(device.handle(), pipeline.pipeline, device.allocator());
  vk.vkDestroyPipelineLayout(device.handle(), pipeline.layout, device.allocator());
  for (VkDescriptorSetLayout set : pipeline.sets) {
    vk.vkDestroyDescriptorSetLayout(device.handle(), set, device.allocator());
  }
}

}  // namespace weft::vulkan
