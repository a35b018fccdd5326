#include "backends/vulkan/stream.h"

#include <algorithm>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/errors.h"
#include "backends/vulkan/staging_slot.h"
#include "backends/vulkan/timestamp.h"

namespace weft::vulkan {

Stream::Resources::Resources(Device& owner, uint32_t family, std::shared_ptr<Timeline> progress)
    : device(owner), timeline(std::move(progress)) {
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  info.queueFamilyIndex = family;
  check(device.vk().vkCreateCommandPool(device.handle(), &info, device.allocator(), &pool), "creating a command pool");
  device.debug().name(VK_OBJECT_TYPE_COMMAND_POOL, pool, "weft: stream");
}

Stream::Resources::~Resources() { device.vk().vkDestroyCommandPool(device.handle(), pool, device.allocator()); }

Stream::Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue)
    : device_(std::move(device)),
      queue_(std::move(queue)),
      timeline_(std::make_shared<Timeline>(*device_)),
      resources_(std::make_unique<Resources>(*device_, queue_->family(), timeline_)),
      writer_(*device_) {
  device_->add(timeline_);
}

Stream::~Stream() {
  if (!open_) waits_.clear();  // Nothing waits.
  device_->wait_to_close(*this, timeline_->patience());
  // An open batch could not be submitted. Work in progress keeps its resources until it is done.
  open_.reset();
  timeline_->stop_recording();
  resources_->staging = release_staging();
  device_->retire(std::move(resources_));
}

Stream::Batch Stream::take_batch() {
  std::vector<Batch>& batches = resources_->batches;
  if (!batches.empty() && timeline_->completed() >= batches.front().value) {
    Batch batch = std::move(batches.front());
    batches.erase(batches.begin());
    batch.descriptors->reset();
    batch.ended = false;
    check(device_->vk().vkResetCommandBuffer(batch.commands, 0), "resetting a command buffer");
    return batch;
  }
  // The batch returns to the list when it is submitted.
  if (batches.size() == batches.capacity()) batches.reserve(2 * batches.size() + 4);
  Batch batch;
  batch.descriptors = std::make_unique<DescriptorArena>(*device_);
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = resources_->pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  check(device_->vk().vkAllocateCommandBuffers(device_->handle(), &info, &batch.commands),
        "allocating a command buffer");
  device_->debug().name(VK_OBJECT_TYPE_COMMAND_BUFFER, batch.commands, "weft: stream");
  return batch;
}

CommandWriter& Stream::writer() {
  if (open_ && open_->ended) submit();
  if (!open_) {
    Batch batch = take_batch();
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(device_->vk().vkBeginCommandBuffer(batch.commands, &info), "beginning a command buffer");
    batch.value = timeline_->last_use() + 1;  // The values of lost batches are skipped.
    timeline_->set_recording(batch.value);
    open_ = std::move(batch);
    writer_.begin(open_->commands, *open_->descriptors);
  }
  return writer_;
}

void Stream::dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) {
  writer().dispatch(static_cast<const Kernel&>(kernel), groups, arguments);
}

void Stream::dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                               const backend::BoundArguments& arguments) {
  writer().dispatch_indirect(static_cast<const Kernel&>(kernel), groups, arguments);
}

void Stream::copy(const Region& source, const Region& destination) { writer().copy(source, destination); }

void Stream::fill(const Region& region, uint32_t word) { writer().fill(region, word); }

std::shared_ptr<backend::Timestamp> Stream::timestamp() {
  const uint32_t bits = device_->timestamp_bits(queue_->family());
  if (bits == 0) {
    throw Error(ErrorCode::unsupported, "queue family " + std::to_string(queue_->family()) + " of " +
                                            device_->info().name + " has no timestamps");
  }
  CommandWriter& commands = writer();
  auto timestamp = std::make_shared<Timestamp>(device_, timeline_, open_->value, bits);
  commands.timestamp(timestamp->slot());
  return timestamp;
}

std::unique_ptr<core::StagingSlot> Stream::make_slot(uint64_t bytes, core::StagingUse use) {
  const MemoryUse memory = use == core::StagingUse::upload ? MemoryUse::upload : MemoryUse::download;
  return std::make_unique<StagingSlot>(OwnedMemory::make(*device_, device_->buffer_allocator(), bytes, memory));
}

void Stream::copy_in(core::StagingSlot& slot, uint64_t offset, const Region& destination) {
  auto& from = static_cast<StagingSlot&>(slot);
  const BufferSlice to = slice_of(destination, "An upload");
  writer().transfer(from.at(offset), to, destination.bytes);
  from.busy_until = open_->value;
}

void Stream::copy_out(const Region& source, core::StagingSlot& slot, uint64_t offset) {
  auto& to = static_cast<StagingSlot&>(slot);
  const BufferSlice from = slice_of(source, "A download");
  writer().transfer(from, to.at(offset), source.bytes);
  writer().make_visible_to_host();
  to.busy_until = open_->value;
}

void Stream::finish(core::StagingSlot& slot, std::chrono::nanoseconds timeout) {
  const uint64_t value = static_cast<StagingSlot&>(slot).busy_until;
  if (value > timeline_->submitted()) submit();
  timeline_->wait(std::min(value, timeline_->submitted()), timeout);  // Its commands may be lost.
  device_->retirement().collect();
}

void Stream::submit() {
  if (!open_ && waits_.empty() && signals_.empty()) return;
  if (!open_) writer();
  if (!open_->ended) end_batch();
  Submission submission;
  submission.commands = open_->commands;
  for (const Wait& wait : waits_) submission.waits.add(wait.point);
  for (const SemaphoreValue& point : signals_) submission.signals.add(point);
  submission.signals.add({timeline_->semaphore(), open_->value});
  const VkResult result = queue_->locked(
      [&](VkQueue queue) { return device_->synchronization().submit(queue, submission, VK_NULL_HANDLE); });
  if (result < 0) check(result, "submitting work to " + device_->info().name);
  timeline_->set_submitted(open_->value);
  resources_->batches.push_back(std::move(*open_));
  open_.reset();
  waits_.clear();
  signals_.clear();
}

void Stream::end_batch() {
  const VkResult result = device_->vk().vkEndCommandBuffer(open_->commands);
  open_->ended = true;
  if (result == VK_SUCCESS) return;
  timeline_->set_lost(open_->value);
  open_->value = timeline_->submitted();
  resources_->batches.push_back(std::move(*open_));
  open_.reset();
  check(result, "ending a command buffer, whose commands are lost,");
}

std::shared_ptr<backend::Event> Stream::record() {
  submit();
  return std::make_shared<Event>(device_, timeline_, timeline_->submitted());
}

void Stream::wait(const std::shared_ptr<backend::Event>& event) {
  submit();  // Work recorded before does not wait.
  auto ours = std::static_pointer_cast<Event>(event);
  waits_.push_back({ours->point(), ours});
}

void Stream::wait(const SemaphoreValue& point) {
  submit();
  waits_.push_back({point, nullptr});
}

void Stream::signal(const SemaphoreValue& point) {
  signals_.push_back(point);
  try {
    submit();
  } catch (...) {
    signals_.clear();
    throw;
  }
}

void Stream::synchronize(std::chrono::nanoseconds timeout) {
  submit();
  timeline_->wait(timeline_->submitted(), timeout);
  device_->retirement().collect();
}

}  // namespace weft::vulkan
