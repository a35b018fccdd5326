#include "backends/cuda_hip/stream.h"

#include "backends/cuda_hip/event.h"
#include "backends/cuda_hip/kernel.h"
#include "backends/cuda_hip/staging_slot.h"
#include "backends/cuda_hip/timestamp.h"
#include "backends/cuda_hip/waiting.h"

namespace weft::cuda_hip {

namespace {

/// What work in progress keeps: the queue, so that it counts as such, and staging memory.
struct Leftovers final : core::Remains {
  explicit Leftovers(std::shared_ptr<Queue> of) : queue(std::move(of)) {}

  std::shared_ptr<Queue> queue;
  std::shared_ptr<void> staging;
};

}  // namespace

Stream::Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue)
    : device_(std::move(device)), queue_(std::move(queue)), remains_(std::make_unique<Leftovers>(queue_)) {
  device_->add(queue_);
}

Stream::Stream(std::shared_ptr<Device> device)
    : Stream(device,
             device->call([&] { return std::make_shared<Queue>(device->setup().api, device->setup().context); })) {}

Stream::Stream(std::shared_ptr<Device> device, StreamHandle stream)
    : Stream(device, device->call([&] {
        return std::make_shared<Queue>(device->setup().api, device->setup().context, stream);
      })) {}

Stream::~Stream() {
  if (queue_->owned()) device_->wait_to_close(*this, *queue_->patience());
  static_cast<Leftovers&>(*remains_).staging = release_staging();
  device_->clean_up([&] {
    if (!queue_->owned()) queue_->close();
    device_->retire(std::move(remains_));
  });
}

std::shared_ptr<Mark> Stream::mark(bool timed) {
  return device_->call([&] {
    auto mark = std::make_shared<Mark>(device_->setup().api, device_->setup().context, timed);
    mark->record(*queue_);
    return mark;
  });
}

void Stream::dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) {
  queue_->launching(kernel.name());
  device_->call([&] { static_cast<const Kernel&>(kernel).launch(groups, arguments, handle()); });
}

void Stream::dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                               const backend::BoundArguments& arguments) {
  queue_->launching(kernel.name());
  device_->call([&] { static_cast<const Kernel&>(kernel).launch_indirect(groups.address(), arguments, handle()); });
}

void Stream::copy(const Region& source, const Region& destination) {
  device_->call(
      [&] { device_->api().copy_on_device(destination.address(), source.address(), source.bytes, handle()); });
}

void Stream::fill(const Region& region, uint32_t word) {
  device_->call([&] { device_->api().fill(region.address(), word, region.bytes / sizeof(word), handle()); });
}

std::shared_ptr<backend::Timestamp> Stream::timestamp() { return std::make_shared<Timestamp>(device_, mark(true)); }

std::unique_ptr<core::StagingSlot> Stream::make_slot(uint64_t bytes, core::StagingUse) {
  return device_->call([&] { return std::make_unique<StagingSlot>(*device_, bytes); });
}

void Stream::copy_in(core::StagingSlot& slot, uint64_t offset, const Region& destination) {
  device_->call([&] {
    device_->api().copy_to_device(destination.address(), slot.data() + offset, destination.bytes, handle());
    static_cast<StagingSlot&>(slot).last_use.record(*queue_);
  });
}

void Stream::copy_out(const Region& source, core::StagingSlot& slot, uint64_t offset) {
  device_->call([&] {
    device_->api().copy_to_host(slot.data() + offset, source.address(), source.bytes, handle());
    static_cast<StagingSlot&>(slot).last_use.record(*queue_);
  });
}

void Stream::finish(core::StagingSlot& slot, std::chrono::nanoseconds timeout) {
  const Mark& last_use = static_cast<StagingSlot&>(slot).last_use;
  device_->call([&] {
    wait_until([&] { return last_use.done(); }, timeout, device_->info().name, *queue_->patience());
    device_->retirement().collect();
  });
}

std::shared_ptr<backend::Event> Stream::record() { return std::make_shared<Event>(device_, mark(false)); }

void Stream::wait(const std::shared_ptr<backend::Event>& event) {
  device_->call([&] { device_->api().wait(handle(), static_cast<const Event&>(*event).handle()); });
}

void Stream::synchronize(std::chrono::nanoseconds timeout) {
  device_->call([&] {
    wait_until([&] { return queue_->done(); }, timeout, device_->info().name, *queue_->patience());
    device_->retirement().collect();
  });
}

}  // namespace weft::cuda_hip
