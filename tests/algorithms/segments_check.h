#pragma once

#include "runs_check.h"
#include "scan_check.h"

namespace weft::test {

/// The operator that tests use for a type: sums of scalars, and of structs the one that they have.
template <typename T>
TestOperator<T> usual_operator() {
  if constexpr (std::is_arithmetic_v<T>) {
    return sum_of<T>();
  } else {
    return operator_of<T>();
  }
}

/// What each segment's elements come to; segment s is [starts[s], starts[s + 1]).
template <typename T>
std::vector<T> segment_totals(const std::vector<T>& data, const std::vector<uint64_t>& starts,
                              const TestOperator<T>& op) {
  std::vector<T> totals;
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    T total = op.identity;
    for (uint64_t i = starts[s]; i < starts[s + 1]; ++i) total = op.on_host(total, data[i]);
    totals.push_back(total);
  }
  return totals;
}

/// The scan of the first `count` elements that starts anew at each head.
template <typename T>
std::vector<T> segmented_scan_reference(const std::vector<T>& data, const std::vector<bool>& heads,
                                        const TestOperator<T>& op, ScanKind kind, uint64_t count) {
  std::vector<T> result(count);
  T total = op.identity;
  for (uint64_t i = 0; i < count; ++i) {
    if (heads[i]) total = op.identity;
    if (kind == ScanKind::exclusive) result[i] = total;
    total = op.on_host(total, data[i]);
    if (kind == ScanKind::inclusive) result[i] = total;
  }
  return result;
}

/// How the arguments of one call lie in memory.
struct SegmentsPlacement {
  uint64_t keys_misalignment = 0, values_misalignment = 0, output_misalignment = 0;
  bool in_place = false;  ///< Scans only.
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of the regions behind `count`.
};

}  // namespace weft::test
