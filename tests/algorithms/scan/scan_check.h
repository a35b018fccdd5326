#pragma once

#include <weft/scan.h>

#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/sizes.h"

namespace weft::test {

inline const char* name_of(TilePath path) {
  return path == TilePath::look_back          ? "look_back"
         : path == TilePath::reduce_then_scan ? "reduce_then_scan"
                                              : "automatic";
}

/// Declares the running test unsupported if the device has no forward progress between workgroups, without which
/// look_back never ends.
void need_path(const Device& device, TilePath path);

template <typename T>
std::vector<T> scan_reference(const std::vector<T>& data, const TestOperator<T>& op, ScanKind kind, size_t count) {
  std::vector<T> result(count);
  T total = op.identity;
  for (size_t i = 0; i < count; ++i) {
    if (kind == ScanKind::exclusive) result[i] = total;
    total = op.on_host(total, data[i]);
    if (kind == ScanKind::inclusive) result[i] = total;
  }
  return result;
}

/// Layout in memory of the arguments of a scan.
struct ScanPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  bool in_place = false;
  bool count_on_device = false;
  uint64_t behind = 0;  ///< Elements of input and output after `count`, which must not change.
};

/// Compares a scan of random elements with the reference, in guarded memory full of random bytes.
template <typename T>
void check_scan(Stream& stream, const Scan& plan, const TestOperator<T>& op, ScanKind kind, uint64_t count,
                std::mt19937_64& generator, const ScanPlacement& placement = {}) {
  INFO("path: ", std::string(name_of(plan.path())), ", inclusive: ", kind == ScanKind::inclusive, ", elements: ", count,
       ", input misaligned by ", placement.input_misalignment, ", output by ", placement.output_misalignment,
       ", in place: ", placement.in_place, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const std::vector<T> data = random_elements<T>(count + placement.behind, generator);
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> separate(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<T>& output = placement.in_place ? input : separate;
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  const Count given = placement.count_on_device ? Count(count_word) : Count(count);
  std::vector<T> expected = placement.in_place ? data : output.poison();
  const std::vector<T> scanned = scan_reference(data, op, kind, count);
  std::copy(scanned.begin(), scanned.end(), expected.begin());
  plan.record(stream, {.input = input, .output = output, .count = given, .temporary = temporary.region()});
  check_same(output.read(stream), expected, "the scan");
  if (!placement.in_place) check_same(input.read(stream), data, "the input afterwards");
  temporary.check_guards(stream);
}

}  // namespace weft::test
