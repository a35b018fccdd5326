#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "tools/primitive.h"

namespace weft::tools {

// Shared by sort and segmented-sort: keys, and values that move with their keys.

struct SortingOptions : PrimitiveOptions {
  std::string values, values_output;
  bool descending = false;
};

/// Adds the options of add_primitive_options(), and --values, --values-out and --descending.
void add_sorting_options(Verb& verb, SortingOptions& options);

/// The keys of IN, the values if any, and the output files. Throws invalid_argument if there is not one value for each
/// key, or only one of --values and --values-out is given.
struct SortingFiles {
  explicit SortingFiles(const SortingOptions& options);

  std::optional<Element> value_element() const;

  support::Array keys;
  std::optional<support::Array> values;
  std::optional<support::ArrayFile> output, values_output;
};

/// Keys and values in device memory, before and after the sort.
struct SortingMemory {
  SortingMemory(Stream& stream, const SortingFiles& files);

  Buffer<std::byte> keys, values, keys_out, values_out;
};

/// Runs the sort, notes its time after the description `described`, verifies it if asked to, and writes keys and
/// values, or prints the keys. For --verify, `expected` returns the input index of each output element.
void run_sort(Stream& stream, const SortingOptions& options, SortingFiles& files, const SortingMemory& memory,
              const std::string& described, const std::function<void(Recorder&)>& record,
              const std::function<std::vector<uint64_t>()>& expected);

}  // namespace weft::tools
