#include <weft/segmented_sort.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include <weft/device.h>

#include "support/order_bits.h"
#include "support/text.h"
#include "tools/verbs.h"
#include "tools/verbs/runs/segment_starts.h"
#include "tools/verbs/sort/keys_and_values.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const segmented_sort_footer =
    R"(Sorts each segment separately. Offsets are integers in ascending order, one more than there are segments:
segment s is numbers offset[s] to offset[s + 1] - 1. Numbers before the first segment and after the last one are
sorted as segments of their own. The sort is stable, with --descending too. Floating-point numbers are in total order:
-0 before 0, NaNs at either end by their sign. The result has the shape of the input.

Examples:
  weft segmented-sort keys.npy --offsets rows.npy -o sorted.npy --verify
  weft segmented-sort keys.npy --offsets rows.npy -o sorted.npy --values ids.npy --values-out moved.npy --descending)";

struct SegmentedSortOptions : SortingOptions {
  std::string offsets;
};

// The input indices in the order that the sort must produce; segment s is elements [starts[s], starts[s + 1]).
template <typename T>
std::vector<uint64_t> expected_order(bool descending, std::span<const T> keys, const std::vector<uint64_t>& starts) {
  std::vector<uint64_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const auto segment = std::span(indices).subspan(starts[s], starts[s + 1] - starts[s]);
    std::ranges::stable_sort(segment, [&](uint64_t a, uint64_t b) {
      return descending ? order_bits(keys[b]) < order_bits(keys[a]) : order_bits(keys[a]) < order_bits(keys[b]);
    });
  }
  return indices;
}

void run(const SegmentedSortOptions& options) {
  SortingFiles files(options);
  const Array& keys = files.keys;
  const std::vector<uint64_t> offsets = read_offsets(options, options.offsets, keys.count());
  const uint64_t segments = offsets.size() - 1;

  const Device device = options.open_device();
  const SegmentedSort plan(device, element_of(keys.type),
                           options.descending ? Comparison::descending() : Comparison::ascending(), keys.count(),
                           segments, {files.value_element()});
  Stream stream = device.stream();
  const SortingMemory memory(stream, files);
  const auto offset_data = upload_numbers(stream, offsets, plan.offset_bytes());
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {memory.keys, memory.values, offset_data, memory.keys_out, memory.values_out, segments,
                           keys.count(), temporary});
  };
  run_sort(stream, options, files, memory, " in " + format_count(segments) + " segments", record, [&] {
    const std::vector<uint64_t> starts = starts_of_all(offsets, keys.count());
    return visit_number_type(keys.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return expected_order<T>(options.descending, keys.as<T>(), starts);
    });
  });
}

}  // namespace

void add_segmented_sort(CommandLine& command_line) {
  auto options = std::make_shared<SegmentedSortOptions>();
  Verb verb = command_line.add_verb("segmented-sort",
                                    "Sort each segment of a file, optionally moving another file's numbers along");
  add_sorting_options(verb, *options);
  add_offsets_option(verb, options->offsets);
  verb.footer(segmented_sort_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
