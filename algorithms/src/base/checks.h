#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include <weft/buffer.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

#include "algorithms/src/base/argument_rules.h"

namespace weft::algorithms {

/// A count, as passed to kernels.
struct ResolvedCount {
  uint64_t most = 0;     ///< The count, or the bound to which a count in device memory is clamped.
  uint64_t address = 0;  ///< Address of a count in device memory; 0 for a number.
  bool is_word = false;  ///< The count in device memory has 32 bits, not 64.

  bool on_device() const { return address != 0; }
};

/// Bytes that temporary_bytes() adds so that storage may start anywhere; kernels need it at a multiple of 16.
constexpr uint64_t temporary_slack = 16;
constexpr uint64_t with_slack(uint64_t bytes) { return bytes == 0 ? 0 : bytes + temporary_slack; }

/// Checks the arguments of one record() call. Functions throw invalid_argument, naming the primitive and the argument
/// and saying what would be right. Pass each argument to one of them, by its name in argument_rules.cpp; then call
/// overlaps().
class ArgumentChecks {
 public:
  ArgumentChecks(const char* primitive, const Device& plan_device, const Recorder& recorder);

  /// A region of elements that the call reads or writes. A count in device memory is clamped to its capacity.
  struct Holder {
    const char* name;
    const Region& region;
    uint32_t bytes;  ///< Size of an element.
    uint32_t align;
  };
  /// The count. Every holder must be aligned and large enough for it.
  ResolvedCount count(const Count& count, uint64_t max_count, std::span<const Holder> holders,
                      const char* name = "count");
  ResolvedCount count(const Count& count, uint64_t max_count, std::initializer_list<Holder> holders,
                      const char* name = "count") {
    return this->count(count, max_count, std::span(holders.begin(), holders.size()), name);
  }

  /// The number of segments. `offsets` must hold one more than that, and `output`, if given, an element for each.
  ResolvedCount segments(const char* name, const Region& offsets, uint32_t offset_bytes, const Count& segments,
                         uint64_t max_segments, const Holder* output = nullptr);

  /// `number` counts that the call writes, of at most `most`.
  void written(const char* name, const CountOutput& counts, uint64_t most, uint32_t number = 1);

  /// A region of at least `bytes` bytes at a multiple of `align`. The call uses `bytes` of it.
  void region(const char* name, const Region& region, uint64_t bytes, uint32_t align);
  /// A region that must be empty, for `reason`.
  void empty(const char* name, const Region& region, const std::string& reason) const;
  /// Temporary storage of at least `bytes`, a result of with_slack(). Returns its part that starts at a multiple of 16.
  Region temporary(const Region& region, uint64_t bytes);

  /// Arguments overlap only as argument_rules.cpp allows.
  void overlaps() const;

 private:
  // The part of an argument that the call uses.
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
/// Throws unsupported if counting up to `max_count` elements needs them and the device lacks them.
void check_int64_atomics(const char* primitive, const DeviceInfo& device, uint64_t max_count);

/// Throws invalid_argument if kernels cannot address that many elements.
void check_addressable(const char* primitive, const Element& element, uint64_t max_count);

}  // namespace weft::algorithms
