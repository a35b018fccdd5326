#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include <weft/buffer.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

namespace weft::algorithms {

/// A count as kernels take it.
struct ResolvedCount {
  uint64_t most = 0;     ///< The count, or the largest that a count in device memory is taken as.
  uint64_t address = 0;  ///< Where the count is read; 0 for a number.

  bool on_device() const { return address != 0; }
};

/// What temporary_bytes() adds so that storage may start anywhere: kernels want it at a multiple of 16.
constexpr uint64_t temporary_slack = 16;
constexpr uint64_t with_slack(uint64_t bytes) { return bytes == 0 ? 0 : bytes + temporary_slack; }

/// Checks the arguments of one record() call. Each function throws invalid_argument, naming the primitive and the
/// argument and saying what would be right.
class ArgumentChecks {
 public:
  ArgumentChecks(const char* primitive, const Device& plan_device, const Recorder& recorder);

  /// `holders` are the regions of elements that the call reads or writes: a count in device memory is held to what they
  /// hold.
  struct Holder {
    const char* name;
    const Region& region;
    uint32_t bytes;  ///< Of one element.
    uint32_t align;
  };
  /// The count, with every holder large enough for it and aligned.
  ResolvedCount count(const Count& count, uint64_t max_count, std::initializer_list<Holder> holders) const;

  /// How many segments a list of offsets names, one more than there are segments; `offsets` holds one more than those.
  ResolvedCount segments(const char* name, const Region& offsets, uint32_t offset_bytes, const Count& segments,
                         uint64_t max_segments) const;

  /// An output that does not hold the count: kernels still read that while others write.
  void apart_from_count(const Count& count, const char* name, const Region& output) const;

  /// A region of at least `bytes` at a multiple of `align`.
  void region(const char* name, const Region& region, uint64_t bytes, uint32_t align) const;
  /// An empty region, which the plan has no use for because of `reason`.
  void empty(const char* name, const Region& region, const std::string& reason) const;
  /// Temporary storage of at least `bytes`, which are of with_slack(), wherever it starts: its part at a multiple
  /// of 16.
  Region temporary(const Region& region, uint64_t bytes) const;
  /// The first `bytes` of the two regions do not overlap.
  void apart(const char* first_name, const Region& first, const char* second_name, const Region& second,
             uint64_t bytes) const;
  /// As many bytes of each.
  void apart(const char* first_name, const Region& first, uint64_t first_bytes, const char* second_name,
             const Region& second, uint64_t second_bytes) const;

 private:
  [[noreturn]] void fail(const std::string& message) const;
  void of_this_device(const char* name, const Region& region) const;
  void aligned(const char* name, const Region& region, uint32_t align) const;

  const char* primitive_;
  const Device& device_;
};

/// Whether kernels may use 64-bit atomics on buffers.
bool has_int64_atomics(const DeviceInfo& device);
/// Throws unsupported when up to `max_count` elements take them to be counted and the device lacks them.
void check_int64_atomics(const char* primitive, const DeviceInfo& device, uint64_t max_count);

/// Throws invalid_argument when kernels cannot address that many elements.
void check_addressable(const char* primitive, const Element& element, uint64_t max_count);

}  // namespace weft::algorithms
