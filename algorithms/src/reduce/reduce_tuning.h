#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct ReduceTuning {
  TileTuning tile{};
  uint32_t resident_workgroups = 0;  ///< KernelOptions::resident_workgroups.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("resident_workgroups", values.resident_workgroups, residency);
  }
};

/// Eight 16-byte loads under way in each invocation; fewer of elements narrower than a word, as each takes a register.
inline ReduceTuning default_reduce(const TuningQuery& query) {
  return {.tile = {.bytes_per_invocation = query.element_bytes < 4 ? 256u : 128u}};
}
inline constexpr TunedPrimitive<ReduceTuning> tuned_reduce{"reduce", default_reduce};

}  // namespace weft::algorithms
