#include "backends/vulkan/kernel.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "backends/vulkan/errors.h"
#include "core/src/runtime/cache.h"
#include "core/src/spirv/inlining.h"
#include "core/src/spirv/reconvergence.h"

namespace weft::vulkan {

namespace {

void destroy(const Device& device, const PipelineObjects& objects) {
  const DeviceFunctions& vk = device.vk();
  vk.vkDestroyPipeline(device.handle(), objects.pipeline, nullptr);
  vk.vkDestroyPipelineLayout(device.handle(), objects.layout, nullptr);
  for (VkDescriptorSetLayout set : objects.sets) vk.vkDestroyDescriptorSetLayout(device.handle(), set, nullptr);
}

VkDescriptorType descriptor_type(Reflection::BindingKind kind) {
  return kind == Reflection::BindingKind::uniform_buffer ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                         : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

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

/// A VkPipelineCache for one kernel. It is loaded from the device's cache before the pipeline is created, and stored
/// there afterwards if it was missing.
class PipelineCache {
 public:
  PipelineCache(const Device& device, const core::CacheKey& key)
      : device_(device), key_(key), kept_(device.cache()), stored_(kept_.load("vulkan", key_)) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (stored_) {
      info.initialDataSize = stored_->size();
      info.pInitialData = stored_->data();
    }
    check(device_.vk().vkCreatePipelineCache(device_.handle(), &info, nullptr, &cache_), "creating a pipeline cache");
  }
  ~PipelineCache() { device_.vk().vkDestroyPipelineCache(device_.handle(), cache_, nullptr); }
  PipelineCache(const PipelineCache&) = delete;

  VkPipelineCache handle() const { return cache_; }

  void save() {
    if (!kept_ || stored_) return;
    size_t size = 0;
    check(device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, nullptr), "reading a pipeline cache");
    std::vector<std::byte> data(size);
    check(device_.vk().vkGetPipelineCacheData(device_.handle(), cache_, &size, data.data()),
          "reading a pipeline cache");
    data.resize(size);
    kept_.store("vulkan", key_, data);
  }

 private:
  const Device& device_;
  core::CacheKey key_;
  core::Cache kept_;
  std::optional<std::vector<std::byte>> stored_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
};

core::CacheKey key_of(const Device& device, std::span<const uint32_t> words, const KernelOptions& options) {
  const VkPhysicalDeviceProperties& p = device.properties();
  core::CacheKey key;
  key.add(std::as_bytes(std::span(p.pipelineCacheUUID))).add(p.vendorID).add(p.deviceID).add(p.driverVersion);
  // lavapipe's subgroup size depends on its environment, but its UUID does not.
  key.add(device.info().limits.subgroup_size);
  key.add(std::as_bytes(words)).add(options.entry).add(options.subgroup_size).add(options.full_subgroups);
  for (const SpecializationValue& v : options.specialization) key.add(v.id).add(v.bytes).add(v.bits);
  return key;
}

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)) {
  try {
    create_layout(*device);
    create_pipeline(*device, module, options);
  } catch (...) {
    destroy(*device, objects_);
    throw;
  }
}

Kernel::~Kernel() {
  auto& device = static_cast<Device&>(*device_);
  device.retire([&device, objects = objects_] { destroy(device, objects); });
}

void Kernel::create_layout(const Device& device) {
  const DeviceFunctions& vk = device.vk();
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
  for (const Reflection::Binding& b : reflection_.bindings) {
    // Declared but not used: core refuses kernels that use such a binding.
    if (b.kind == Reflection::BindingKind::other || b.count == 0) continue;
    if (b.kind == Reflection::BindingKind::uniform_buffer) reads_uniforms_ = true;
    sets[b.set].push_back({b.binding, descriptor_type(b.kind), b.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  const uint32_t max_sets = device.properties().limits.maxBoundDescriptorSets;
  if (!sets.empty() && sets.rbegin()->first >= max_sets) {
    throw Error(ErrorCode::unsupported, "Kernel '" + name() + "' binds descriptor set " +
                                            std::to_string(sets.rbegin()->first) + "; " + device.info().selector +
                                            " (" + device.info().name + ") has sets 0 to " +
                                            std::to_string(max_sets - 1) + ".");
  }
  const uint32_t set_count = sets.empty() ? 0 : sets.rbegin()->first + 1;
  for (uint32_t set = 0; set < set_count; ++set) {
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = uint32_t(sets[set].size());
    info.pBindings = sets[set].data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    check(vk.vkCreateDescriptorSetLayout(device.handle(), &info, nullptr, &layout),
          "creating the layout of a descriptor set");
    objects_.sets.push_back(layout);
  }
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, (reflection_.push_constant_bytes + 3) & ~3u};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = set_count;
  info.pSetLayouts = objects_.sets.data();
  info.pushConstantRangeCount = push.size ? 1 : 0;
  info.pPushConstantRanges = &push;
  check(vk.vkCreatePipelineLayout(device.handle(), &info, nullptr, &objects_.layout), "creating a pipeline layout");
}

void Kernel::create_pipeline(const Device& device, const Spirv& module, const KernelOptions& options) {
  const DeviceFunctions& vk = device.vk();
  std::vector<uint32_t> words = device.is_nvidia() ? with_functions_inlined(module.words) : module.words;
  if (options.reconvergence == Reconvergence::automatic && reflection_.divergent_subgroup_operations &&
      device.info().features.maximal_reconvergence) {
    words = with_maximal_reconvergence(words, options.entry);
  }
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = words.size() * sizeof(uint32_t);
  code.pCode = words.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  check(vk.vkCreateShaderModule(device.handle(), &code, nullptr, &shader), "loading kernel '" + name() + "'");

  const Specialization specialization(options.specialization);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  required.requiredSubgroupSize = options.subgroup_size;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.layout = objects_.layout;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = options.entry.c_str();
  info.stage.pSpecializationInfo = &specialization.info;
  const bool control = device.info().features.subgroup_size_control;
  if (control && options.subgroup_size) info.stage.pNext = &required;
  // Full subgroups need a workgroup width that is a multiple of their size. Otherwise the last may be partial.
  const uint32_t lanes = options.subgroup_size ? options.subgroup_size : device.info().limits.subgroup_size;
  if (control && options.full_subgroups && reflection_.workgroup_size[0] % lanes == 0) {
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  VkResult result;
  try {
    PipelineCache cache(device, key_of(device, words, options));
    result = vk.vkCreateComputePipelines(device.handle(), cache.handle(), 1, &info, nullptr, &objects_.pipeline);
    if (result == VK_SUCCESS) cache.save();
  } catch (...) {
    vk.vkDestroyShaderModule(device.handle(), shader, nullptr);
    throw;
  }
  vk.vkDestroyShaderModule(device.handle(), shader, nullptr);
  check(result, "compiling kernel '" + name() + "' on " + device.info().name);
}

}  // namespace weft::vulkan
