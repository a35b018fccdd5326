#include "tests/support/vulkan_host/host.h"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "tests/support/vulkan_host/hooks.h"

namespace weft::test {

namespace {

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(int(result)));
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* counter) {
  ++*static_cast<uint64_t*>(counter);
  const char* const id = data->pMessageIdName ? data->pMessageIdName : "";
  std::cerr << "weft: validation: " << id << ": " << data->pMessage << "\n";
  return VK_FALSE;
}

bool wants_validation() {
  const char* const value = std::getenv("WEFT_VALIDATION");
  return value && std::string(value) == "1";
}

}  // namespace

Host::Host(const HostFeatures& features) : callbacks(counting_callbacks()), features_(features) {
  make_instance();
  make_device();
}

void Host::make_instance() {
  const auto get = features_.loader ? features_.loader : loader_get_proc_addr();
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = features_.version;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  const char* const layer = "VK_LAYER_KHRONOS_validation";
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  const bool validates = wants_validation() && !features_.loader;  // Another loader's objects are not the driver's.
  if (validates) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    info.pNext = &features;
  }
  check(create(&info, nullptr, &instance), "vkCreateInstance");
#define WEFT_TEST_LOAD(name) name = reinterpret_cast<PFN_##name>(get(instance, #name));
  WEFT_TEST_HOST_FUNCTIONS(WEFT_TEST_LOAD)
#undef WEFT_TEST_LOAD
  if (validates) {
    VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = on_message;
    messenger.pUserData = &messages_;
    const auto make =
        reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(get(instance, "vkCreateDebugUtilsMessengerEXT"));
    check(make(instance, &messenger, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
  }
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
}

void Host::choose_extensions() {
  std::vector<std::string> all = features_.extensions;
  if (features_.descriptors) {
    all.insert(all.end(), {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME});
  }
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> supported(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, supported.data());
  for (const std::string& wanted : all) {
    for (const VkExtensionProperties& extension : supported) {
      if (extension.extensionName == wanted) extensions_.insert(wanted);
    }
  }
}

void Host::make_device() {
  choose_extensions();
  std::vector<const char*> names;
  for (const std::string& extension : extensions_) names.push_back(extension.c_str());
  VkPhysicalDeviceFeatures2 supported{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan11Features has11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features has12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features has13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  supported.pNext = &has11;
  has11.pNext = &has12;
  if (features_.version >= VK_API_VERSION_1_3) has12.pNext = &has13;
  vkGetPhysicalDeviceFeatures2(physical, &supported);

  enabled_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  v11_.sType = has11.sType;
  v12_.sType = has12.sType;
  v13_.sType = has13.sType;
  address_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
  timeline_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  memory_model_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
  if (features_.chain == HostFeatures::Chain::versions) {
    enabled_.pNext = &v11_;
    v11_.pNext = &v12_;
    v12_.pNext = features_.version >= VK_API_VERSION_1_3 ? &v13_ : features_.chained;
    v13_.pNext = features_.chained;
  } else {
    enabled_.pNext = &address_;
    address_.pNext = &timeline_;
    timeline_.pNext = &memory_model_;
  }
  if (features_.minimum) {
    VkBool32& address =
        features_.chain == HostFeatures::Chain::versions ? v12_.bufferDeviceAddress : address_.bufferDeviceAddress;
    VkBool32& timeline =
        features_.chain == HostFeatures::Chain::versions ? v12_.timelineSemaphore : timeline_.timelineSemaphore;
    address = features_.buffer_addresses;
    timeline = features_.timelines;
  } else {
    vulkan::enable(enabled_, supported);
  }
  if (features_.vertex_stores) enabled_.features.vertexPipelineStoresAndAtomics = VK_TRUE;
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &enabled_};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = uint32_t(names.size());
  info.ppEnabledExtensionNames = names.data();
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, 0, 0, &queue);
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  check(vkCreateFence(device, &fence, nullptr, &fence_), "vkCreateFence");
  const VkPipelineCacheCreateInfo cache{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  check(vkCreatePipelineCache(device, &cache, nullptr, &pipeline_cache), "vkCreatePipelineCache");
}

Host::~Host() {
  vkDeviceWaitIdle(device);
  for (const HostMemoryBlock& block : std::vector(blocks_)) destroy(block);
  for (VkSemaphore semaphore : semaphores_) vkDestroySemaphore(device, semaphore, nullptr);
  vkDestroyPipelineCache(device, pipeline_cache, nullptr);
  vkDestroyFence(device, fence_, nullptr);
  for (VkCommandPool pool : pools_) vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyDevice(device, nullptr);
  if (messenger_) {
    reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        loader_get_proc_addr()(instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, messenger_, nullptr);
  }
  vkDestroyInstance(instance, nullptr);
}

vulkan::HostDevice Host::description() {
  vulkan::HostDevice host;
  host.instance = instance;
  host.physical_device = physical;
  host.device = device;
  host.get_proc_addr =
      reinterpret_cast<vulkan::GetProcAddr>(features_.loader ? features_.loader : &counting_get_proc_addr);
  host.instance_version = features_.version;
  host.enabled_features = &enabled_;
  host.enabled_extensions.assign(extensions_.begin(), extensions_.end());
  host.queue = {queue, 0, [this] { lock(); }, [this] { unlock(); }};
  host.allocator = &callbacks;
  return host;
}

void Host::lock() {
  mutex_.lock();
  holds_queue_lock() = true;
  ++locks_;
}

void Host::unlock() {
  holds_queue_lock() = false;
  mutex_.unlock();
}

HostMemoryBlock Host::make_buffer(uint64_t bytes, VkBufferUsageFlags usage) {
  HostMemoryBlock block;
  block.bytes = bytes;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = usage;
  check(vkCreateBuffer(device, &info, nullptr, &block.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device, block.buffer, &needs);
  VkPhysicalDeviceMemoryProperties properties{};
  vkGetPhysicalDeviceMemoryProperties(physical, &properties);
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t type = 0;
  while (!(needs.memoryTypeBits >> type & 1) || (properties.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  memory.allocationSize = needs.size;
  memory.memoryTypeIndex = type;
  check(vkAllocateMemory(device, &memory, nullptr, &block.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(device, block.buffer, block.memory, 0), "vkBindBufferMemory");
  const VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, block.buffer};
  block.address = vkGetBufferDeviceAddress(device, &address);
  void* data = nullptr;
  check(vkMapMemory(device, block.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  block.data = static_cast<std::byte*>(data);
  std::memset(data, 0, bytes);
  const std::lock_guard lock(mutex_);
  blocks_.push_back(block);
  return block;
}

void Host::destroy(const HostMemoryBlock& block) {
  const std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [&](const HostMemoryBlock& b) { return b.buffer == block.buffer; });
  vkDestroyBuffer(device, block.buffer, nullptr);
  vkFreeMemory(device, block.memory, nullptr);
}

VkCommandBuffer Host::make_commands(VkCommandBufferLevel level) {
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  check(vkCreateCommandPool(device, &pool, nullptr, &pools_.emplace_back()), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pools_.back();
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
  return commands;
}

void Host::begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage, bool secondary) {
  const VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = usage;
  if (secondary) info.pInheritanceInfo = &inheritance;
  check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void Host::barrier_before(VkCommandBuffer commands) {
  const vulkan::Access first = vulkan::first_access();
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
  memory.dstAccessMask = VkAccessFlags(first.accesses);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VkPipelineStageFlags(first.stages), 0, 1, &memory, 0,
                       nullptr, 0, nullptr);
}

void Host::barrier_behind(VkCommandBuffer commands) {
  const vulkan::Access last = vulkan::last_access();
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VkAccessFlags(last.accesses);
  memory.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VkPipelineStageFlags(last.stages), VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0,
                       nullptr, 0, nullptr);
}

void Host::end(VkCommandBuffer commands) { check(vkEndCommandBuffer(commands), "vkEndCommandBuffer"); }

void Host::run(VkCommandBuffer commands) {
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  const std::lock_guard lock(mutex_);
  check(vkQueueSubmit(queue, 1, &info, fence_), "vkQueueSubmit");
  check(vkWaitForFences(device, 1, &fence_, VK_TRUE, 60'000'000'000), "vkWaitForFences");
  check(vkResetFences(device, 1, &fence_), "vkResetFences");
}

void Host::run(const std::function<void(VkCommandBuffer)>& record) {
  const VkCommandBuffer commands = make_commands();
  begin(commands);
  barrier_before(commands);
  record(commands);
  barrier_behind(commands);
  end(commands);
  run(commands);
}

VkSemaphore Host::make_timeline() {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(vkCreateSemaphore(device, &info, nullptr, &semaphore), "vkCreateSemaphore");
  semaphores_.push_back(semaphore);
  return semaphore;
}

void Host::submit_timeline(VkCommandBuffer commands, VkSemaphore wait, uint64_t wait_value, VkSemaphore signal,
                           uint64_t signal_value) {
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait_value;
  values.pSignalSemaphoreValues = &signal_value;
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  info.waitSemaphoreCount = wait ? 1 : 0;
  info.pWaitSemaphores = &wait;
  info.pWaitDstStageMask = &stages;
  info.commandBufferCount = commands ? 1 : 0;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = signal ? 1 : 0;
  info.pSignalSemaphores = &signal;
  const std::lock_guard lock(mutex_);
  check(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

std::map<std::string, uint64_t> Host::calls() { return counted_calls(); }

std::map<std::string, uint64_t> Host::calls_of(const std::function<void()>& work) {
  const auto before = counted_calls();
  work();
  auto after = counted_calls();
  for (const auto& [name, count] : before) {
    if ((after[name] -= count) == 0) after.erase(name);
  }
  return after;
}

std::set<std::string> Host::asked_names() { return names_asked_for(); }
int64_t Host::live_allocations() { return live_callback_allocations(); }
void Host::pretend_family(VkQueueFlags flags) { set_family_flags(flags); }

}  // namespace weft::test
