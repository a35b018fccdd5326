#include <dlfcn.h>

#include <cstring>
#include <numeric>

#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Which devices wrap_device() accepts, and that they remain the host's.

namespace {

uint64_t loaders_opened = 0;

}  // namespace

/// Stands in front of the C library's, for Weft and for this program.
extern "C" void* dlopen(const char* file, int mode) noexcept {
  static const auto next = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  if (file && std::strstr(file, "libvulkan.so")) ++loaders_opened;
  return next(file, mode);
}

namespace {

constexpr const char* const doubling = R"(#version 460
  #extension GL_EXT_buffer_reference : require
  layout(local_size_x = 64) in;
  layout(buffer_reference, std430) buffer Words { uint v[]; };
  layout(push_constant) uniform Push { Words words; uint count; };
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) words.v[i] *= 2u;
  })";

struct Push {
  Pointer<uint32_t> words;
  uint32_t count;
};

constexpr const char* const setting = R"(#version 460
  layout(local_size_x = 1) in;
  layout(binding = 0, std430) buffer Data { uint v[]; };
  void main() { v[0] = 1; })";

}  // namespace

TEST_CASE("missing arguments are refused by name, and nothing is created") {
  Host host;
  const auto refused = [&](ErrorCode code, const std::vector<std::string>& words, auto change) {
    vulkan::HostDevice description = host.description();
    change(description);
    check_error(code, words, [&] { vulkan::wrap_device(description); });
  };
  using D = vulkan::HostDevice;
  refused(ErrorCode::invalid_argument, {"instance", "null"}, [](D& d) { d.instance = nullptr; });
  refused(ErrorCode::invalid_argument, {"physical_device", "null"}, [](D& d) { d.physical_device = nullptr; });
  refused(ErrorCode::invalid_argument, {"device", "null"}, [](D& d) { d.device = nullptr; });
  refused(ErrorCode::invalid_argument, {"enabled_features", "null"}, [](D& d) { d.enabled_features = nullptr; });
  refused(ErrorCode::invalid_argument, {"queue", "null"}, [](D& d) { d.queue->queue = nullptr; });
  refused(ErrorCode::invalid_argument, {"family 7"}, [](D& d) { d.queue->family = 7; });
  refused(ErrorCode::unsupported, {"1.2", "SPIR-V 1.5", "1.1.0"},
          [](D& d) { d.instance_version = VK_API_VERSION_1_1; });
  refused(ErrorCode::invalid_argument, {"release"},
          [](D& d) { d.buffer_allocator.allocate = [](auto...) { return vulkan::HostBuffer{}; }; });
  const VkPhysicalDeviceFeatures2 empty{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  refused(ErrorCode::unsupported, {"bufferDeviceAddress", "vulkan::enable()"},
          [&](D& d) { d.enabled_features = &empty; });
  refused(ErrorCode::unsupported, {"bufferDeviceAddress", "1.1.0"}, [&](D& d) {
    d.enabled_features = &empty;
    d.instance_version = VK_API_VERSION_1_1;
  });
  // An old instance lacks functions too; the error must name the version.
  refused(ErrorCode::unsupported, {"1.2", "1.0.0"}, [](D& d) {
    d.instance_version = VK_API_VERSION_1_0;
    d.get_proc_addr = [](VkInstance, const char*) -> void (*)() { return nullptr; };
  });
  refused(ErrorCode::invalid_argument, {"lock", "unlock"}, [](D& d) { d.queue->unlock = nullptr; });
  refused(ErrorCode::invalid_argument, {"lock", "unlock"}, [](D& d) { d.queue->lock = nullptr; });
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("an instance of Vulkan 1.2 is enough, and nothing of Vulkan 1.3 is used on it") {
  for (const bool extensions : {false, true}) {
    VkPhysicalDeviceSynchronization2Features synchronization{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, nullptr, VK_TRUE};
    HostFeatures features{.version = VK_API_VERSION_1_2};
    if (extensions) {
      features.extensions = {VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
                             VK_KHR_MAINTENANCE_4_EXTENSION_NAME};
      features.chained = &synchronization;
    }
    Host host(features);
    if (extensions && !host.has(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME)) continue;
    INFO("extensions: ", extensions);
    const Device device = vulkan::wrap_device(host.description());
    CHECK_GE(device.info().limits.min_subgroup_size, 1);
    CHECK_LE(device.info().limits.min_subgroup_size, device.info().limits.max_subgroup_size);
    CHECK_GT(device.info().limits.max_buffer_bytes, 1 << 20);
    constexpr uint64_t count = 20'000;
    const Scan scan(device, Element::of<uint32_t>(), Operator::sum(), count);
    vulkan::RecordingArena arena(device, scan.temporary_bytes());
    const HostMemoryBlock block = host.make_buffer(4 * count);
    const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), count);
    const auto calls = Host::calls_of([&] {
      for (uint64_t frame = 1; frame <= 6; ++frame) {
        std::fill_n(block.as<uint32_t>(), count, uint32_t(frame));
        host.run([&](VkCommandBuffer commands) {
          vulkan::Recording recording = arena.record(commands, frame);
          scan.record(recording, {.input = words,
                                  .output = words,
                                  .count = count,
                                  .temporary = recording.scratch(scan.temporary_bytes())});
        });
        arena.finished(frame);
        CHECK_EQ(block.as<uint32_t>()[count - 1], (count - 1) * frame);  // exclusive
      }
      Stream stream = device.stream();
      stream.fill(words, 7u);
      CHECK_EQ(stream.download(words).back(), 7);
    });
    for (const char* const newer : {"vkCmdPipelineBarrier2", "vkQueueSubmit2"}) {
      CHECK_FALSE(calls.contains(newer));
      CHECK_EQ(calls.contains(std::string(newer) + "KHR"), extensions);
    }
    CHECK_EQ(calls.contains("vkCmdPipelineBarrier"), !extensions);
    Spirv module = compile_glsl(setting, {});
    CHECK(device.kernel(module));
    module.words[1] = 0x10600;
    check_error(ErrorCode::unsupported, {"SPIR-V 1.6", "1.3", "1.2.0"}, [&] { device.kernel(module); });
    CHECK_EQ(host.messages(), 0);
  }
}

TEST_CASE("queues that cannot compute are refused, and compute-only queues are accepted") {
  Host host;
  for (const VkQueueFlags flags : {VkQueueFlags(VK_QUEUE_TRANSFER_BIT), VkQueueFlags(VK_QUEUE_GRAPHICS_BIT)}) {
    Host::pretend_family(flags);
    check_error(ErrorCode::invalid_argument, {"family 0", "does not compute"},
                [&] { vulkan::wrap_device(host.description()); });
  }
  Host::pretend_family(VK_QUEUE_COMPUTE_BIT);
  const Device device = vulkan::wrap_device(host.description());
  check_error(ErrorCode::unsupported, {"family 0", "timestamps"}, [&] { device.stream().timestamp(); });
  Host::pretend_family(VK_QUEUE_TRANSFER_BIT);
  const Device same = vulkan::wrap_device([&] {
    auto description = host.description();
    description.queue.reset();
    return description;
  }());
  check_error(ErrorCode::invalid_argument, {"does not compute"},
              [&] { vulkan::wrap_queue(same, {host.queue, 0, {}, {}}); });
  Host::pretend_family(0);
}

TEST_CASE("Weft uses enabled features, not supported ones") {
  Host rich, poor({.minimum = true});
  const Device all = vulkan::wrap_device(rich.description()), least = vulkan::wrap_device(poor.description());
  VkPhysicalDeviceFeatures2 supported{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  rich.vkGetPhysicalDeviceFeatures2(rich.physical, &supported);
  CHECK_EQ(all.info().features.int64, bool(supported.features.shaderInt64));
  CHECK(all.info().features.workgroup_forward_progress);
  CHECK(all.info().features.scalar_layout);
  CHECK_GT(all.info().limits.timestamp_period_ns, 0);
  CHECK_FALSE(least.info().features.int64);
  CHECK_FALSE(least.info().features.int8);
  CHECK_FALSE(least.info().features.workgroup_forward_progress);
  CHECK_FALSE(least.info().features.scalar_layout);
  CHECK_FALSE(least.info().features.subgroup_size_control);
  CHECK_EQ(least.info().limits.timestamp_period_ns, 0);
  CHECK_EQ(Sort(all, Element::of<uint32_t>(), 1 << 20).path(), TilePath::look_back);
  CHECK_EQ(Sort(least, Element::of<uint32_t>(), 1 << 20).path(), TilePath::reduce_then_scan);
  check_error(ErrorCode::unsupported, {"VulkanMemoryModel"},
              [&] { Scan(least, Element::of<uint32_t>(), Operator::sum(), 1 << 20, {.path = TilePath::look_back}); });
  check_error(ErrorCode::unsupported, {"timestamps"}, [&] { least.stream().timestamp(); });
  const std::string scalar = R"(#version 460
    #extension GL_EXT_scalar_block_layout : require
    layout(local_size_x = 1) in;
    layout(binding = 0, scalar) buffer Data { float x; vec3 v[]; };
    void main() { v[0] = vec3(x); })";
  CHECK_NOTHROW(all.kernel_from_glsl(scalar));
  check_error(ErrorCode::unsupported, {"scalar block layout"}, [&] { least.kernel_from_glsl(scalar); });
  check_error(ErrorCode::unsupported, {"Int64"}, [&] {
    least.kernel_from_glsl(R"(#version 460
      #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
      layout(local_size_x = 1) in;
      layout(binding = 0, std430) buffer Data { uint64_t v[]; };
      void main() { v[0] += 1ul; })");
  });
  CHECK_EQ(rich.messages() + poor.messages(), 0);
}

TEST_CASE("streams need a queue and timelines, and recording neither") {
  Host host({.minimum = true, .timelines = false});
  const Device device = vulkan::wrap_device(host.description());
  check_error(ErrorCode::unsupported, {"timelineSemaphore"}, [&] { device.stream(); });
  Host rich;
  auto description = rich.description();
  description.queue.reset();
  const Device without = vulkan::wrap_device(description);
  check_error(ErrorCode::unsupported, {"queue"}, [&] { without.stream(); });
  for (Host* const one : {&host, &rich}) {
    const Device& wrapped = one == &host ? device : without;
    const Kernel kernel = wrapped.kernel_from_glsl(doubling);
    vulkan::RecordingArena arena(wrapped);
    const HostMemoryBlock block = one->make_buffer(400);
    std::iota(block.as<uint32_t>(), block.as<uint32_t>() + 100, 0u);
    const auto words = vulkan::wrap_buffer<uint32_t>(wrapped, block.all(), 100);
    one->run([&](VkCommandBuffer commands) {
      arena.record(commands, 0).dispatch(kernel, {2, 1, 1}, Push{words.pointer(), 100});
    });
    for (uint32_t i = 0; i < 100; ++i) CHECK_EQ(block.as<uint32_t>()[i], 2 * i);
    CHECK_EQ(one->messages(), 0);
  }
}

TEST_CASE("all calls go through the host's loader, with its callbacks and lock, and the device lives on") {
  Host host;
  const HostMemoryBlock block = host.make_buffer(4000);
  const uint64_t unlocked = submissions_without_lock(), without = calls_without_callbacks(), opened = loaders_opened;
  for (int round = 0; round < 2; ++round) {
    {
      const Device device = vulkan::wrap_device(host.description());
      const Buffer<uint32_t> own = device.buffer<uint32_t>(1000);
      const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), 1000);
      std::vector<uint32_t> data(1000);
      std::iota(data.begin(), data.end(), 0u);
      Stream stream = device.stream(), other = device.stream();
      stream.upload(own, data);
      stream.dispatch(device.kernel_from_glsl(doubling), {16, 1, 1}, Push{own.pointer(), 1000});
      other.wait(stream.record());
      other.copy(own, words);
      other.dispatch(device.kernel_from_glsl(setting), {1, 1, 1}, Arguments().bind(0, 0, words));
      other.timestamp();
      for (uint32_t& x : data) x *= 2;
      data[0] = 1;
      check_same(other.download(words), data);
      CHECK_GT(Host::live_allocations(), 0);
    }
    CHECK_EQ(Host::live_allocations(), 0);
    CHECK_EQ(block.as<uint32_t>()[999], 1998);
  }
  CHECK_GT(host.locked_submissions(), 0);
  CHECK_EQ(submissions_without_lock(), unlocked);
  CHECK_EQ(calls_without_callbacks(), without);
  CHECK_EQ(loaders_opened, opened);
  const std::set<std::string> asked = Host::asked_names();
  for (const char* const forbidden : {"vkDestroyDevice", "vkDestroyInstance", "vkDeviceWaitIdle", "vkQueueWaitIdle",
                                      "vkCreateInstance", "vkCreateDevice"}) {
    CHECK_FALSE(asked.contains(forbidden));
  }
  for (const std::string& name : asked) {
    INFO("asked for ", name, ", which the hooks do not count");
    CHECK(backend_function(name));
  }
  // The host can still use its device.
  const VkCommandBuffer commands = host.make_commands();
  host.begin(commands);
  host.end(commands);
  host.run(commands);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a queue of a single-threaded host needs no lock") {
  Host host;
  {
    auto description = host.description();
    description.queue->lock = description.queue->unlock = nullptr;
    const Device device = vulkan::wrap_device(description);
    const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
    Stream stream = device.stream(), other = vulkan::wrap_queue(device, *description.queue);
    stream.fill(words, 6u);
    other.wait(stream.record());
    check_same(other.download(words), std::vector<uint32_t>(100, 6));
  }
  CHECK_EQ(host.locked_submissions(), 0);
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("closing a lost device destroys all that Weft made") {
  Host host;
  {
    const Device device = vulkan::wrap_device(host.description());
    const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
    Stream stream = device.stream();
    stream.fill(words, 1u);
    stream.synchronize();
    vulkan::RecordingArena arena(device, 256);
    const VkCommandBuffer commands = host.make_commands();
    host.begin(commands);
    {
      const Buffer<uint32_t> in_flight = device.buffer<uint32_t>(64);
      arena.record(commands, 1).fill(in_flight, 1u);
    }
    host.end(commands);
    set_device_lost(true);
    check_error(ErrorCode::device_lost, {"lost"}, [&] { stream.synchronize(); });
  }
  set_device_lost(false);
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE(
    "all objects that Weft keeps have names for debuggers, and commands labels, if the host's instance takes names") {
  Host host;
  auto description = host.description();
  description.pipeline_cache = host.pipeline_cache;  // Weft creates its own only while it compiles.
  const Device device = vulkan::wrap_device(description);
  auto calls = Host::calls_of([&] {
    const Kernel kernel = device.kernel_from_glsl(setting);
    const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
    Stream stream = device.stream();
    stream.dispatch(kernel, {1, 1, 1}, Arguments().bind(0, 0, words));
    stream.timestamp();
    CHECK_EQ(stream.download(words)[0], 1);
  });
  uint64_t created = 0;
  for (const auto& [name, count] : calls) {
    const bool kept = name != "vkCreateShaderModule" && name != "vkCreateFence";
    if (kept && (name.starts_with("vkCreate") || name.starts_with("vkAllocate"))) created += count;
  }
  CHECK_GE(created, 13);
  CHECK_EQ(calls["vkSetDebugUtilsObjectNameEXT"], host.validates() ? created : 0);
  const uint64_t commands = calls["vkCmdDispatch"] + calls["vkCmdCopyBuffer"];
  CHECK_EQ(calls["vkCmdInsertDebugUtilsLabelEXT"], host.validates() ? commands : 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("the host's pipeline cache is used if there is one") {
  Host host;
  auto description = host.description();
  description.pipeline_cache = host.pipeline_cache;
  const auto size = [&] {
    size_t bytes = 0;
    host.vkGetPipelineCacheData(host.device, host.pipeline_cache, &bytes, nullptr);
    return bytes;
  };
  const size_t before = size();
  const auto calls = Host::calls_of([&] {
    const Device device = vulkan::wrap_device(description);
    device.kernel_from_glsl(doubling);
  });
  CHECK_FALSE(calls.contains("vkCreatePipelineCache"));
  CHECK_GE(calls.at("vkCreateComputePipelines"), 1);
  CHECK_GE(size(), before);
}
