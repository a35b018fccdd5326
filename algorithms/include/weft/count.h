#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <weft/buffer.h>

namespace weft {

/// What a count in device memory may be: 64 bits, or the 32 bits of an engine's counter, of a member of
/// VkDrawIndirectCommand or of vkCmdDrawIndirectCount's count.
template <typename T>
concept CountWord = std::same_as<std::remove_const_t<T>, uint64_t> || std::same_as<std::remove_const_t<T>, uint32_t>;

/// Number of elements that a primitive processes: a number, or the first word of a view in device memory, which is read
/// when the work runs. A number above the plan's maximum throws invalid_argument. A count in device memory is clamped
/// to that maximum and to the capacity of the regions of elements. It is read until the work is done, so an output or
/// temporary storage that overlaps it throws invalid_argument. Kernels address up to 1 TiB of elements; a plan's
/// constructor throws invalid_argument for more.
class Count {
 public:
  Count(uint64_t value) : value_(value) {}  // implicit: counts are written as numbers
  /// Of 64 or 32 bits, as the view's elements; at a multiple of its size.
  template <CountWord T>
  Count(const View<T>& on_device) : region_(on_device.region()), bytes_(sizeof(T)) {}
  template <CountWord T>
  Count(const Buffer<T>& on_device) : Count(on_device.view()) {}

  bool is_on_device() const { return bytes_ != 0; }
  /// The number; 0 for a count in device memory.
  uint64_t value() const { return value_; }
  /// The view of a count in device memory; empty for a number.
  const Region& region() const { return region_; }
  /// Bytes of a count in device memory: 8 or 4; 0 for a number.
  uint32_t bytes() const { return bytes_; }

 private:
  uint64_t value_ = 0;
  Region region_;
  uint32_t bytes_ = 0;
};

/// Where a primitive writes a count, or several one after the other: words of 64 or 32 bits, as the view's elements, at
/// a multiple of their size. Memory beside a word keeps its contents, so a word may be a member of a command for
/// vkCmdDrawIndirect. IndirectGroups computes the command of an indirect dispatch from it. 32 bits throw
/// invalid_argument for plans of more than 2^32 - 1 elements.
class CountOutput {
 public:
  CountOutput() = default;
  CountOutput(const Region& words) : region_(words) {}  ///< Of 64 bits.
  template <CountWord T>
    requires(!std::is_const_v<T>)
  CountOutput(const View<T>& words) : region_(words.region()), bytes_(sizeof(T)) {}
  template <CountWord T>
    requires(!std::is_const_v<T>)
  CountOutput(const Buffer<T>& words) : CountOutput(words.view()) {}

  const Region& region() const { return region_; }
  /// Bytes of each word: 8 or 4.
  uint32_t bytes() const { return bytes_; }

 private:
  Region region_;
  uint32_t bytes_ = sizeof(uint64_t);
};

}  // namespace weft
