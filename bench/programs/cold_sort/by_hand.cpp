#include <vulkan/vulkan.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "bench/programs/cold_sort/sorted_keys.h"
#include "bench/programs/timed_process.h"

// Sorts with Vulkan alone, as one would write it by hand for shaders/kernels/sort/radix_one_tile.comp. See main.cpp.
//
//   cold_sort_by_hand DEVICE_NAME MODULE PIPELINE_CACHE WORKGROUP SUBGROUP_SIZE FULL_SUBGROUPS STARTED
namespace {

using weft::bench::key_count;

constexpr VkDeviceSize key_bytes = key_count * sizeof(uint32_t);
constexpr uint32_t digit_bits = 8;

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " fails: " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

std::vector<char> file_contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Context {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;
};

VkPhysicalDevice find_device(VkInstance instance, const char* name) {
  uint32_t count = 0;
  CHECK(vkEnumeratePhysicalDevices(instance, &count, nullptr));
  std::vector<VkPhysicalDevice> all(count);
  CHECK(vkEnumeratePhysicalDevices(instance, &count, all.data()));
  for (VkPhysicalDevice one : all) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(one, &properties);
    if (std::strcmp(properties.deviceName, name) == 0) return one;
  }
  throw std::runtime_error(std::string("there is no Vulkan device ") + name);
}

uint32_t find_compute_family(VkPhysicalDevice physical) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) return i;
  }
  throw std::runtime_error("no queue computes");
}

Context open_device(const char* name) {
  Context context;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance.pApplicationInfo = &application;
  CHECK(vkCreateInstance(&instance, nullptr, &context.instance));
  context.physical = find_device(context.instance, name);
  context.family = find_compute_family(context.physical);

  // What the kernel declares.
  VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  v13.subgroupSizeControl = v13.computeFullSubgroups = VK_TRUE;
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &v13};
  v12.bufferDeviceAddress = v12.scalarBlockLayout = VK_TRUE;
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &v12};
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = context.family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  CHECK(vkCreateDevice(context.physical, &device, nullptr, &context.device));
  vkGetDeviceQueue(context.device, context.family, 0, &context.queue);
  return context;
}

struct Pipeline {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

struct Shape {
  uint32_t workgroup = 0, subgroup_size = 0;
  bool full_subgroups = false;
};

// The push constants of the kernel.
struct Block {
  uint64_t keys, keys_out, values, values_out, count_on_device, count;
  uint32_t begin, mask, options, unused, width, end;
};

Pipeline make_pipeline(const Context& context, const char* module_file, const std::string& cache_file,
                       const Shape& shape) {
  const VkDevice device = context.device;
  const std::vector<char> code = file_contents(module_file), known = file_contents(cache_file.c_str());
  std::vector<uint32_t> words(code.size() / sizeof(uint32_t));
  std::memcpy(words.data(), code.data(), code.size());
  VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module.codeSize = code.size();
  module.pCode = words.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  CHECK(vkCreateShaderModule(device, &module, nullptr, &shader));

  Pipeline result;
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Block)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &push;
  CHECK(vkCreatePipelineLayout(device, &layout, nullptr, &result.layout));

  VkPipelineCacheCreateInfo from_file{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  from_file.initialDataSize = known.size();
  from_file.pInitialData = known.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  CHECK(vkCreatePipelineCache(device, &from_file, nullptr, &cache));
  const VkSpecializationMapEntry entry{0, 0, sizeof(uint32_t)};
  const VkSpecializationInfo constants{1, &entry, sizeof(uint32_t), &shape.workgroup};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
  size.requiredSubgroupSize = shape.subgroup_size;
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.layout = result.layout;
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.pNext = shape.subgroup_size ? &size : nullptr;
  if (shape.full_subgroups) info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  CHECK(vkCreateComputePipelines(device, cache, 1, &info, nullptr, &result.pipeline));

  if (known.empty()) {
    size_t bytes = 0;
    CHECK(vkGetPipelineCacheData(device, cache, &bytes, nullptr));
    std::vector<char> data(bytes);
    CHECK(vkGetPipelineCacheData(device, cache, &bytes, data.data()));
    std::ofstream(cache_file, std::ios::binary).write(data.data(), std::streamsize(bytes));
  }
  return result;
}

struct Memory {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

Memory allocate(const Context& context, VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted) {
  Memory result;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = key_bytes;
  info.usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  CHECK(vkCreateBuffer(context.device, &info, nullptr, &result.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(context.device, result.buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(context.physical, &memory);
  uint32_t type = 0;
  while (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  if (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  const VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, needs.size, type};
  CHECK(vkAllocateMemory(context.device, &allocation, nullptr, &result.memory));
  CHECK(vkBindBufferMemory(context.device, result.buffer, result.memory, 0));
  return result;
}

VkCommandBuffer begin_commands(const Context& context) {
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.queueFamilyIndex = context.family;
  VkCommandPool commands = VK_NULL_HANDLE;
  CHECK(vkCreateCommandPool(context.device, &pool, nullptr, &commands));
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = commands;
  info.commandBufferCount = 1;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  CHECK(vkAllocateCommandBuffers(context.device, &info, &buffer));
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  CHECK(vkBeginCommandBuffer(buffer, &begin));
  return buffer;
}

void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
             VkAccessFlags accessed) {
  const VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, written, accessed};
  vkCmdPipelineBarrier(commands, from, to, 0, 1, &all, 0, nullptr, 0, nullptr);
}

void submit_and_wait(const Context& context, VkCommandBuffer commands) {
  CHECK(vkEndCommandBuffer(commands));
  const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  CHECK(vkCreateFence(context.device, &info, nullptr, &fence));
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(context.queue, 1, &submit, fence));
  CHECK(vkWaitForFences(context.device, 1, &fence, VK_TRUE, UINT64_MAX));
}

std::vector<uint32_t> sorted(const Context& context, const Pipeline& pipeline) {
  const Memory keys = allocate(context, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                               VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  const Memory staging =
      allocate(context, 0, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  void* mapped = nullptr;
  CHECK(vkMapMemory(context.device, staging.memory, 0, key_bytes, 0, &mapped));
  std::memcpy(mapped, weft::bench::unsorted_keys().data(), key_bytes);

  const VkBufferDeviceAddressInfo of_keys{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, keys.buffer};
  const uint64_t address = vkGetBufferDeviceAddress(context.device, &of_keys);
  const Block block{address, address, 0, 0, 0, key_count, 0, (1u << digit_bits) - 1, 0, 0, digit_bits, 32};
  constexpr VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkPipelineStageFlags kernel = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  const VkBufferCopy all{0, 0, key_bytes};
  const VkCommandBuffer commands = begin_commands(context);
  vkCmdCopyBuffer(commands, staging.buffer, keys.buffer, 1, &all);
  barrier(commands, transfer, VK_ACCESS_TRANSFER_WRITE_BIT, kernel,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
  vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(block), &block);
  vkCmdDispatch(commands, 1, 1, 1);
  barrier(commands, kernel, VK_ACCESS_SHADER_WRITE_BIT, transfer, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdCopyBuffer(commands, keys.buffer, staging.buffer, 1, &all);
  barrier(commands, transfer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  submit_and_wait(context, commands);
  std::vector<uint32_t> result(key_count);
  std::memcpy(result.data(), mapped, key_bytes);
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 8) return 2;
  weft::bench::TimedParts parts(argv[7]);
  const Shape shape{uint32_t(std::atoi(argv[4])), uint32_t(std::atoi(argv[5])), std::atoi(argv[6]) != 0};
  const Context context = open_device(argv[1]);
  parts.end_part();
  const Pipeline pipeline = make_pipeline(context, argv[2], argv[3], shape);
  parts.end_part();
  const std::vector<uint32_t> result = sorted(context, pipeline);
  parts.end_part();
  parts.print();
  return weft::bench::status_of(result);  // The system takes back what is left.
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
