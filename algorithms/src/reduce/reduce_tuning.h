#pragma once

#include "algorithms/src/base/device_traits.h"
#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct ReduceTuning {
  /// One workgroup combines the results of the most in one go. The least can index 2^38 elements.
  static constexpr uint32_t least_groups = 64, most_groups = 1056;

  TileTuning tile{};
  uint32_t workgroups_per_multiprocessor = 0;  ///< KernelOptions::workgroups_per_multiprocessor.
  /// Workgroups, if there are tiles for as many: eight for each multiprocessor of the largest GPUs.
  uint32_t groups = most_groups;
  uint32_t consecutive = 0;  ///< 1: WEFT_CONSECUTIVE of shaders/kernels/reduce/reduce.comp.
  uint32_t serial_bytes = 0;

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("resident_workgroups", values.workgroups_per_multiprocessor, residency);
    visit("groups", values.groups, ValueRange{least_groups, most_groups});
    visit("consecutive", values.consecutive, no_or_yes);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

/// Eight 16-byte loads under way in each invocation; fewer of elements narrower than a word, as each takes a register.
/// On a CPU a workgroup's subgroups run one after the other, so each has consecutive elements, and starting a workgroup
/// costs as much as some KiB of elements.
inline ReduceTuning default_reduce(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) {
    return {.tile = {.workgroup = 64, .bytes_per_invocation = 128},
            .groups = 64,
            .consecutive = 1,
            .serial_bytes = default_serial_bytes(query.device)};
  }
  return {.tile = {.bytes_per_invocation = query.element_bytes < 4 ? 256u : 128u}};
}
inline constexpr TunedPrimitive<ReduceTuning> tuned_reduce{"reduce", default_reduce, CpuTiles::measured};

}  // namespace weft::algorithms
