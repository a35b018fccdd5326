#include "backends/vulkan/timestamp.h"

#include <algorithm>

#include <weft/error.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

Timestamp::Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value, uint32_t bits)
    : device_(std::move(device)),
      timeline_(std::move(timeline)),
      value_(value),
      bits_(bits),
      slot_(std::make_unique<OwnedTimestampSlot>(device_->timestamps())) {}

Timestamp::~Timestamp() {
  // The command that writes the slot may not have run yet.
  device_->retire(std::move(slot_));
}

backend::Device& Timestamp::device() { return *device_; }

double Timestamp::seconds_since(backend::Timestamp& start) {
  auto& from = static_cast<Timestamp&>(start);
  // The counter may have wrapped between the two. A span is negative if its start is later.
  const uint32_t unused = 64 - std::min(bits_, from.bits_);
  const int64_t passed = int64_t((ticks() - from.ticks()) << unused) >> unused;
  return double(passed) * device_->info().limits.timestamp_period_ns * 1e-9;
}

uint64_t Timestamp::ticks() const {
  // Not from the query: lavapipe's answer races with the running work.
  if (timeline_->completed() < value_ || timeline_->lost(value_)) throw core::not_passed();
  uint64_t ticks = 0;
  const VkResult result =
      device_->vk().vkGetQueryPoolResults(device_->handle(), slot().pool, slot().index, 1, sizeof ticks, &ticks,
                                          sizeof ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  check(result, "reading a timestamp");
  return ticks;
}

}  // namespace weft::vulkan
