#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "primitive.h"

namespace weft::tools {

// What sort and segmented-sort share: keys, and values that go where their keys go.

struct SortingOptions : PrimitiveOptions {
  std::string values, values_output;
  bool descending = false;
};

/// Adds the options of add_primitive_options(), --values, --values-out and --descending.
void add_sorting_options(Verb& verb, SortingOptions& options);

/// The keys of IN and the values, if any, and the files that they go to. Throws invalid_argument where there is not one
/// value for each key, or values have nowhere to go.
struct SortingFiles {
  explicit SortingFiles(const SortingOptions& options);

  std::optional<Element> value_element() const;

  Array keys;
  std::optional<Array> values;
  std::optional<ArrayFile> output, values_output;
};

/// The same in device memory, before and after.
struct SortingMemory {
  SortingMemory(Stream& stream, const SortingFiles& files);

  Buffer<std::byte> keys, values, keys_out, values_out;
};

/// Runs the sort, notes how long it took behind what `described` it, compares for --verify with the keys and values at
/// the places that `expected` gives, and writes both, or prints the keys.
void run_sort(Stream& stream, const SortingOptions& options, SortingFiles& files, const SortingMemory& memory,
              const std::string& described, const std::function<void(Recorder&)>& record,
              const std::function<std::vector<uint64_t>()>& expected);

}  // namespace weft::tools
