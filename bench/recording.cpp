#include "bench/recording.h"

#include <vector>

#include <weft/interop/vulkan.h>
#include <weft/sort.h>

#include "backends/vulkan/device.h"
#include "bench/seconds.h"

namespace weft::bench {
namespace {

constexpr uint64_t keys = uint64_t{1} << 20;

/// A command buffer as a host program has it, which is recorded and never submitted.
class HostCommands {
 public:
  explicit HostCommands(const Device& device) : device_(static_cast<vulkan::Device&>(device.impl())) {
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = device_.family();
    device_.vk().vkCreateCommandPool(device_.handle(), &pool, nullptr, &pool_);
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.commandBufferCount = 1;
    if (pool_) device_.vk().vkAllocateCommandBuffers(device_.handle(), &info, &commands_);
    if (!commands_) throw Error(ErrorCode::out_of_memory, "no command buffer to measure the time of recording");
  }
  ~HostCommands() { device_.vk().vkDestroyCommandPool(device_.handle(), pool_, nullptr); }
  HostCommands(const HostCommands&) = delete;

  /// Empties the command buffer.
  VkCommandBuffer begin() {
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    device_.vk().vkBeginCommandBuffer(commands_, &info);
    return commands_;
  }

 private:
  vulkan::Device& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

class Sorts {
 public:
  explicit Sorts(const Device& device)
      : sort_(device, Element::of<uint32_t>(), keys),
        arena_(device, sort_.temporary_bytes()),
        commands_(device),
        stream_(device.stream()),
        keys_(device.buffer<uint32_t>(keys)),
        count_(device.buffer<uint64_t>(1)) {
    stream_.fill(count_.view().as<uint32_t>(), 0u);
  }

  double into_stream() {
    stream_.synchronize();
    return seconds_of([&] { record(stream_, stream_.scratch(sort_.temporary_bytes())); });
  }

  /// In a frame of its own.
  double into_command_buffer() {
    const VkCommandBuffer commands = commands_.begin();
    return seconds_of([&] {
      {
        vulkan::Recording recording = arena_.record(commands, frame_);
        record(recording, recording.scratch(sort_.temporary_bytes()));
      }
      arena_.finished(frame_++);
    });
  }

 private:
  /// Seconds to record a sort. The first one opens the command buffer and warms the caches up, and does not count.
  template <typename RecordOne>
  static double seconds_of(const RecordOne& record_one) {
    constexpr uint32_t batch = 4;
    record_one();
    const auto start = Clock::now();
    for (uint32_t i = 0; i < batch; ++i) record_one();
    return seconds_since(start) / batch;
  }

  // The count is on the device and 0, so that the stream's work is quick: the dispatches are those of all keys.
  void record(Recorder& recorder, const Region& temporary) {
    sort_.record(
        recorder,
        {.keys = keys_, .keys_out = keys_, .count = View<const uint64_t>(count_.view()), .temporary = temporary});
  }

  Sort sort_;
  vulkan::RecordingArena arena_;
  HostCommands commands_;
  Stream stream_;
  Buffer<uint32_t> keys_;
  Buffer<uint64_t> count_;
  uint64_t frame_ = 0;
};

}  // namespace

std::optional<RecordCosts> measure_recording(const Device& device, const MeasureOptions& options) {
  if (device.info().backend != "vulkan") return std::nullopt;
  Sorts sorts(device);
  sorts.into_stream();
  sorts.into_command_buffer();
  std::vector<double> stream, command_buffer;
  const auto start = Clock::now();
  while (stream.size() < options.min_runs || seconds_since(start) < options.seconds / 2) {
    stream.push_back(sorts.into_stream());
    command_buffer.push_back(sorts.into_command_buffer());
  }
  return RecordCosts{median(stream), median(command_buffer)};
}

}  // namespace weft::bench
