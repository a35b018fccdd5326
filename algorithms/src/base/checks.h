#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <weft/buffer.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

#include "algorithms/src/base/argument_rules.h"

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
/// argument and saying what would be right. Every argument goes to one of them, by its name in argument_rules.cpp, and
/// overlaps() ends the check.
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
  ResolvedCount count(const Count& count, uint64_t max_count, std::initializer_list<Holder> holders,
                      const char* name = "count");

  /// How many segments a list of offsets names, one more than there are segments; `offsets` holds one more than those,
  /// and `output`, where there is one, an element for each.
  ResolvedCount segments(const char* name, const Region& offsets, uint32_t offset_bytes, const Count& segments,
                         uint64_t max_segments, const Holder* output = nullptr);

  /// A region of at least `bytes` at a multiple of `align`, of which the call uses so many.
  void region(const char* name, const Region& region, uint64_t bytes, uint32_t align);
  /// An empty region, which the plan has no use for because of `reason`.
  void empty(const char* name, const Region& region, const std::string& reason) const;
  /// Temporary storage of at least `bytes`, which are of with_slack(), wherever it starts: its part at a multiple of
  /// 16.
  Region temporary(const Region& region, uint64_t bytes);

  /// No two arguments share memory but as argument_rules.cpp has it.
  void overlaps() const;

 private:
  // What the call uses of an argument.
  struct Used {
    uint64_t address = 0, bytes = 0;
  };
  [[noreturn]] void fail(const std::string& message) const;
  void of_this_device(const char* name, const Region& region) const;
  void aligned(const char* name, const Region& region, uint32_t align) const;
  void use(const char* name, const Region& region, uint64_t bytes);
  bool may_share(size_t one, size_t other) const;
  bool may_be_over(size_t output, size_t input) const;
  [[noreturn]] void fail_overlap(size_t one, size_t other) const;

  const char* primitive_;
  const Device& device_;
  const PlanRules& rules_;
  std::array<Used, most_arguments> used_{};  // In the order of the rules.
};

/// Whether kernels may use 64-bit atomics on buffers.
bool has_int64_atomics(const DeviceInfo& device);
/// Throws unsupported when up to `max_count` elements take them to be counted and the device lacks them.
void check_int64_atomics(const char* primitive, const DeviceInfo& device, uint64_t max_count);

/// Throws invalid_argument when kernels cannot address that many elements.
void check_addressable(const char* primitive, const Element& element, uint64_t max_count);

}  // namespace weft::algorithms
