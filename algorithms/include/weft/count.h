#pragma once

#include <cstdint>
#include <optional>

#include <weft/buffer.h>

namespace weft {

/// How many elements a primitive works on: a number, or one 64-bit number in device memory that is read when the work
/// runs. Above the plan's maximum, a number throws invalid_argument; a count in device memory is taken as at most that
/// maximum and what the regions of elements hold. It is read until the work is done: an output or temporary storage
/// over it throws invalid_argument. No plan is made for more elements than 1 TiB holds, which is what kernels can
/// address: its constructor throws invalid_argument.
class Count {
 public:
  Count(uint64_t value) : value_(value) {}  // implicit: counts are written as numbers
  Count(View<const uint64_t> on_device) : on_device_(on_device) {}
  Count(const Buffer<uint64_t>& on_device) : on_device_(on_device.view()) {}

  bool is_on_device() const { return on_device_.has_value(); }
  uint64_t value() const { return value_; }
  View<const uint64_t> view() const { return on_device_.value(); }

 private:
  uint64_t value_ = 0;
  std::optional<View<const uint64_t>> on_device_;
};

}  // namespace weft
