#pragma once

#include <algorithm>
#include <cstdint>

namespace weft::bench {

// Device memory for one set, for rows of several cases: Benchmark::set_bytes.

inline uint64_t input_only(uint32_t element_bytes, uint64_t count) { return element_bytes * count; }
inline uint64_t input_and_output(uint32_t element_bytes, uint64_t count) { return 2 * element_bytes * count; }
inline uint64_t input_and_two_outputs(uint32_t element_bytes, uint64_t count) { return 3 * element_bytes * count; }
inline uint64_t two_inputs_and_output(uint32_t element_bytes, uint64_t count) {
  return (2 * element_bytes + 4) * count;
}
inline uint64_t keys_and_values_three_times(uint32_t key_bytes, uint64_t count) { return 3 * (key_bytes + 4) * count; }
// All runs share one structure, so one set of arrays is enough.
inline uint64_t one_set(uint32_t, uint64_t) { return uint64_t{256} << 20; }
// Runs that wait are long for their bytes: counted as more, so that few sets are made.
inline uint64_t words_of_long_runs(uint32_t, uint64_t count) {
  return std::max(3 * sizeof(uint32_t) * count, uint64_t(1) << 24);
}

}  // namespace weft::bench
