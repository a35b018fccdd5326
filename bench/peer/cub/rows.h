#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/peer/interface.h"

namespace weft::peer {

/// The arrays of one set, in device memory.
struct Arrays {
  std::vector<const void*> inputs;
  std::vector<void*> outputs;

  template <class T>
  const T* in(size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <class T>
  T* out(size_t i) const {
    return static_cast<T*>(outputs[i]);
  }
};

/// One way in which CUB does a row. Called without temporary storage, it returns the size that it needs, as CUB does.
struct Form {
  std::function<cudaError_t(void* temporary, size_t& bytes, const Arrays& arrays, cudaStream_t stream)> run;
  const char* name = "";
};

struct Row {
  std::vector<Form> forms;
  /// Element size of each output as written by CUB, in bytes. Reading widens elements to the size that the problem asks
  /// for.
  std::vector<uint32_t> output_bytes;
};

/// Makes a row with two forms: `run` takes the count as its first argument, an int or a size_t. CUB tunes its kernels
/// for each, and neither is faster everywhere.
template <class Run>
Row row_of_counts(uint64_t count, std::vector<uint32_t> output_bytes, Run run) {
  return {{{[=](auto&&... rest) { return run(int(count), rest...); }, "int count"},
           {[=](auto&&... rest) { return run(size_t(count), rest...); }, "size_t count"}},
          std::move(output_bytes)};
}

/// Returns the row for the problem, or nothing if that file does not have it.
std::optional<Row> find_scan_row(const weft_peer_problem& problem);
std::optional<Row> find_select_row(const weft_peer_problem& problem);
std::optional<Row> find_run_row(const weft_peer_problem& problem);
std::optional<Row> find_histogram_row(const weft_peer_problem& problem);
std::optional<Row> find_sort_row(const weft_peer_problem& problem);
std::optional<Row> find_merge_sort_row(const weft_peer_problem& problem);
std::optional<Row> find_segmented_row(const weft_peer_problem& problem);

/// Whether the problem asks for that row with inputs of these types.
inline bool asks(const weft_peer_problem& problem, const std::string& row, const std::vector<std::string>& types) {
  if (problem.row != row || problem.input_count != types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (problem.inputs[i].type != types[i]) return false;
  }
  return true;
}

}  // namespace weft::peer
