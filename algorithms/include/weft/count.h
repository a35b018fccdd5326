#pragma once

#include <cstdint>
#include <optional>

#include <weft/buffer.h>

namespace weft {

/// Number of elements that a primitive processes: a number, or a 64-bit number in device memory that is read when the
/// work runs. A number above the plan's maximum throws invalid_argument. A count in device memory is clamped to that
/// maximum and to the capacity of the regions of elements. It is read until the work is done, so an output or temporary
/// storage that overlaps it throws invalid_argument. Kernels address up to 1 TiB of elements; a plan's constructor
/// throws invalid_argument for more.
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
