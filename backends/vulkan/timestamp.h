#pragma once

#include <cstdint>
#include <memory>

#include "backends/vulkan/timestamp_pool.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

class Device;
class Timeline;

class Timestamp final : public backend::Timestamp {
 public:
  /// Written by submission `value` of `timeline`, with `bits` valid bits.
  Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value, uint32_t bits);
  ~Timestamp() override;

  backend::Device& device() override;
  double seconds_since(backend::Timestamp& start) override;
  TimestampSlot slot() const { return slot_->slot(); }

 private:
  uint64_t ticks() const;

  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  uint64_t value_;
  uint32_t bits_;
  std::unique_ptr<OwnedTimestampSlot> slot_;
};

}  // namespace weft::vulkan
