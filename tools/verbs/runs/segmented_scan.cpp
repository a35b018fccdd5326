#include <memory>
#include <optional>

#include <weft/by_key.h>
#include <weft/device.h>
#include <weft/segmented.h>

#include "support/text.h"
#include "tools/verbs.h"
#include "tools/verbs/runs/segment_starts.h"
#include "tools/verbs/scan/scan_options.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const scan_by_key_footer =
    R"(A scan that restarts at each run of equal neighbouring keys. Keys are numbers of any type in a separate file,
one for each number of IN. The result has the shape of the input. Sums of integers have 64 bits, as in NumPy; with
--type they have that type, and wrap around at its width.

Examples:
  weft scan-by-key weights.npy --keys cells.npy -o sums.npy --verify
  weft scan-by-key weights.npy --keys cells.npy --inclusive --op max)";

const char* const segmented_scan_footer =
    R"(A scan that restarts at each segment. Offsets are integers in ascending order, one more than there are
segments: segment s is numbers offset[s] to offset[s + 1] - 1. Numbers before the first segment and after the last one
are scanned as segments of their own. The result has the shape of the input. Sums of integers have 64 bits, as in
NumPy; with --type they have that type, and wrap around at its width.

Examples:
  weft segmented-scan values.npy --offsets rows.npy -o sums.npy --verify
  weft segmented-scan values.npy --offsets rows.npy --inclusive --op min)";

struct SegmentedScanOptions : ScanOptions {
  std::string heads;
};

// Checks each segment against its own reference; segment s is elements [starts[s], starts[s + 1]).
template <typename T>
std::optional<std::string> check(const ScanOptions& options, const Array& input, const std::vector<uint64_t>& starts,
                                 std::span<const std::byte> result) {
  const std::span<const T> x = input.as<T>(), got(reinterpret_cast<const T*>(result.data()), x.size());
  const auto start = options.reference<T>();  // Parsed once: there may be millions of segments.
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    const size_t first = starts[s], count = starts[s + 1] - first;
    auto reference = start;
    const auto wrong = reference.check(x.subspan(first, count), got.subspan(first, count));
    if (wrong) return "segment that starts at number " + std::to_string(first) + ", " + *wrong;
  }
  return std::nullopt;
}

void finish(const SegmentedScanOptions& options, const Array& input, const std::vector<uint64_t>& starts,
            std::optional<ArrayFile>& file, const std::vector<std::byte>& result) {
  if (options.verify) {
    const auto compare = [&](auto t) { return check<typename decltype(t)::type>(options, input, starts, result); };
    require_verified(visit_number_type(input.type, compare), "a serial scan on the CPU");
  }
  write_or_print(file, input.type, input.shape, result);
}

std::string described(const Array& input, uint64_t segments) {
  return format_count(input.count()) + " " + to_string(input.type) + " in " + format_count(segments) + " segments";
}

void scan_keys(const SegmentedScanOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array given = read_elements(options), input = with_wide_sums(options, given);
  const Array keys = read_keys(options, options.heads, given);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  check_sum_type(device, given.type, input.type);
  const ScanByKey plan(device, element_of(keys.type), element_of(input.type), op, input.count(),
                       {.kind = options.kind(), .equality = {}, .initial = options.initial_element(input.type)});
  Stream stream = device.stream();
  const auto key_data = upload(stream, keys.data), data = upload(stream, input.data);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder, const Buffer<std::byte>& output) {
    plan.record(recorder, {key_data, data, output, input.count(), temporary});
  };
  const std::vector<uint64_t> starts = run_starts(keys);
  const std::vector<std::byte> result = run_scan(stream, options, plan.path(), described(input, starts.size() - 1),
                                                 input.data.size() + keys.data.size(), input.data.size(), record);
  finish(options, input, starts, file, result);
}

void scan_segments(const SegmentedScanOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array given = read_elements(options), input = with_wide_sums(options, given);
  const std::vector<uint64_t> offsets = read_offsets(options, options.heads, input.count());
  const uint64_t segments = offsets.size() - 1;
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  check_sum_type(device, given.type, input.type);
  const SegmentedScan plan(device, element_of(input.type), op, SegmentsBy::offsets, input.count(), segments,
                           {.kind = options.kind(), .initial = options.initial_element(input.type)});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto offset_data = upload_numbers(stream, offsets, plan.offset_bytes());
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder, const Buffer<std::byte>& output) {
    plan.record(recorder, {data, offset_data, output, segments, input.count(), temporary});
  };
  const std::vector<std::byte> result =
      run_scan(stream, options, plan.path(), described(input, segments),
               input.data.size() + offsets.size() * plan.offset_bytes(), input.data.size(), record);
  finish(options, input, starts_of_all(offsets, input.count()), file, result);
}

}  // namespace

void add_scan_by_key(CommandLine& command_line) {
  auto options = std::make_shared<SegmentedScanOptions>();
  Verb verb =
      command_line.add_verb("scan-by-key", "Compute the running sum, minimum or maximum in each run of equal keys");
  add_scan_options(verb, *options, "the elements of each run");
  add_keys_option(verb, options->heads);
  verb.footer(scan_by_key_footer);
  verb.callback([options] { scan_keys(*options); });
}

void add_segmented_scan(CommandLine& command_line) {
  auto options = std::make_shared<SegmentedScanOptions>();
  Verb verb =
      command_line.add_verb("segmented-scan", "Compute the running sum, minimum or maximum in each segment of a file");
  add_scan_options(verb, *options, "the elements of each segment");
  add_offsets_option(verb, options->heads);
  verb.footer(segmented_scan_footer);
  verb.callback([options] { scan_segments(*options); });
}

}  // namespace weft::tools
