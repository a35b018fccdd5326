#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/device_info.h>

namespace weft::algorithms {

/// What of a kernel is fitted to the device, the element and the count, by measurement (docs/performance.md). Any
/// values give right results. A new value is a field here and a line in tuning_file.cpp.
struct Tuning {
  /// Invocations, a power of two; a Tiling takes fewer where the device does. 256 keep a GPU's schedulers busy with a
  /// few workgroups on each core, and every Vulkan driver seen takes them.
  uint32_t workgroup = 256;
  uint32_t bytes_per_invocation = 0;  ///< Of elements in registers, about; one takes at least a word.
  uint32_t resident_workgroups = 0;   ///< KernelOptions::resident_workgroups.
  uint32_t look_back_pause = 0;       ///< WEFT_LOOK_BACK_PAUSE of shaders/device/look_back.glsl.
  uint32_t staged_bytes = 64;         ///< Of elements in workgroup memory at once: row-staged tilings, radix sorts.

  uint32_t shared_bytes = 0;   ///< Of counts that a workgroup keeps in copies, unless one copy needs more.
  uint32_t shared_copies = 1;  ///< At most so many, a power of two: WEFT_COPIES of shaders/workgroup/histogram.glsl.
  uint32_t groups = 1;         ///< Workgroups that stay, where the device cannot say how many it runs at once.

  uint32_t run_workgroup = 512;  ///< Of a merge sort: invocations that sort each of the first runs.

  uint32_t own_splits =
      0;  ///< Of a merge: 1 is WEFT_OWN_SPLITS of shaders/kernels/sort/merge_tiles.comp, a dispatch less.

  uint32_t match_by_atomics = 0;  ///< Of a radix sort: 1 is WEFT_MATCH_ATOMIC of shaders/workgroup/rank_digits.glsl.

  uint32_t values_beside_keys = 0;  ///< And 1 is WEFT_VALUES_BESIDE_KEYS of shaders/kernels/sort/radix_tile.glsl.

  bool operator==(const Tuning&) const = default;

  /// As many copies of `copy_bytes` as shared_copies and shared_bytes allow in a workgroup's memory of `room` bytes,
  /// beside what else takes `beside_bytes` of both; at least one.
  uint32_t copies(uint64_t copy_bytes, uint64_t room, uint64_t beside_bytes = 0) const;
};

/// What values are chosen by. They may change with the count at powers of two: up to 2^20, say, and above; and where it
/// needs more than 32 bits.
struct TuningQuery {
  const DeviceInfo& device;
  uint32_t element_bytes;
  uint64_t max_count;  ///< Of the plan.
};

/// The values that come with Weft: tuning_defaults.cpp, where a new primitive is a function and a row of a table.
Tuning default_tuning(const std::string& primitive, const TuningQuery& query);

/// A primitive's values on one device: those that the user has measured (tuning_file.h), else default_tuning().
class Tuner {
 public:
  /// Throws what reading the user's file throws.
  Tuner(std::string primitive, const DeviceInfo& device, uint32_t element_bytes);

  /// For a plan of up to `max_count` elements.
  Tuning at(uint64_t max_count) const;

  /// The most tiles that a plan of up to `max_count` elements, or of fewer, has with `tiling_of(Tuning)`: temporary
  /// storage for as many grows with the count even where larger plans have larger tiles.
  template <class TilingOf>
  uint64_t most_tiles(uint64_t max_count, const TilingOf& tiling_of) const {
    uint64_t most = 0;
    const auto see = [&](uint64_t count) { most = std::max(most, tiling_of(at(count)).tiles(count)); };
    see(max_count);
    if (max_count > UINT32_MAX) see(UINT32_MAX);
    for (uint64_t count = 1; count < max_count; count *= 2) {
      see(count);
      if (count > max_count / 2) break;
    }
    return most;
  }

 private:
  struct Measured {
    uint64_t count;
    Tuning tuning;
  };

  std::string primitive_;
  const DeviceInfo& device_;
  uint32_t element_bytes_;
  std::vector<Measured> measured_;  // By count.
};

}  // namespace weft::algorithms
