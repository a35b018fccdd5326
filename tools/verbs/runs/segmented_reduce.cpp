#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include <weft/by_key.h>
#include <weft/device.h>
#include <weft/segmented.h>

#include "support/compare.h"
#include "support/text.h"
#include "tools/verbs.h"
#include "tools/verbs/runs/segment_starts.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const reduce_by_key_footer =
    R"(Combines the numbers of each run of equal neighbouring keys; sort by key first for one result per key. Keys are
numbers of any type in a separate file, one for each number of IN. Sums of integers have 64 bits, as in NumPy; with
--type they have that type, and wrap around at its width.

Examples:
  weft reduce-by-key weights.npy --keys cells.npy -o totals.npy --keys-out distinct.npy --verify
  weft reduce-by-key weights.npy --keys cells.npy --op max)";

const char* const segmented_reduce_footer =
    R"(Combines the numbers of each segment. Offsets are integers in ascending order, one more than there are
segments: segment s is numbers offset[s] to offset[s + 1] - 1. The result of an empty segment is 0, or for
min and max the type's largest or smallest value. Sums of integers have 64 bits, as in NumPy; with --type they have
that type, and wrap around at its width.

Examples:
  weft segmented-reduce values.npy --offsets rows.npy -o sums.npy --verify
  weft segmented-reduce values.npy --offsets rows.npy --op min)";

struct SegmentsOptions : PrimitiveOptions {
  std::string heads, keys_output;
};

// Checks each segment against a serial reference; segment s starts at starts[s].
template <typename T>
std::optional<std::string> check(Operation operation, const Array& input, const std::vector<uint64_t>& starts,
                                 std::span<const std::byte> totals) {
  const std::span<const T> x = input.as<T>();
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    RunningReference<T> reference(operation);
    for (uint64_t i = starts[s]; i < starts[s + 1]; ++i) reference.add(x[i]);
    T got;
    std::memcpy(static_cast<void*>(&got), &totals[s * sizeof(T)], sizeof got);
    if (const auto wrong = reference.check(got)) return "segment " + std::to_string(s) + ": " + *wrong;
  }
  return std::nullopt;
}

void verify(const SegmentsOptions& options, const Array& input, const std::vector<uint64_t>& starts,
            std::span<const std::byte> totals) {
  if (!options.verify) return;
  const bool complete = totals.size() == (starts.size() - 1) * bytes(input.type);
  const auto count = std::optional("got " + format_count(totals.size() / bytes(input.type)) + " segments, expected " +
                                   format_count(starts.size() - 1));
  require_verified(!complete ? count
                             : visit_number_type(input.type,
                                                 [&](auto t) {
                                                   return check<typename decltype(t)::type>(options.parsed_operation(),
                                                                                            input, starts, totals);
                                                 }),
                   "a serial reduction on the CPU");
}

// Checks the first key of each run. The number of runs was checked with the totals.
std::optional<std::string> check_keys(const Array& keys, const std::vector<uint64_t>& starts,
                                      std::span<const std::byte> firsts) {
  const std::span<const uint64_t> runs = std::span(starts).first(starts.size() - 1);
  return first_difference(keys.type, firsts, gather(keys, runs), "key of run");
}

void reduce_keys(const SegmentsOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array given = read_elements(options), input = with_wide_sums(options, given);
  const Array keys = read_keys(options, options.heads, given);
  std::optional<ArrayFile> file = open_output(options, options.output),
                           keys_file = open_output(options, options.keys_output);

  const Device device = options.open_device();
  check_sum_type(device, given.type, input.type);
  const ReduceByKey plan(device, element_of(keys.type), element_of(input.type), op, input.count());
  Stream stream = device.stream();
  const auto key_data = upload(stream, keys.data), data = upload(stream, input.data);
  const auto unique_keys = device.buffer<std::byte>(keys.data.size());
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto runs = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.keys = key_data,
                           .values = data,
                           .unique_keys = unique_keys,
                           .output = output,
                           .runs = runs,
                           .count = input.count(),
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, unique_keys, runs}, record);
  const uint64_t found = stream.download(runs).front();
  if (found > input.count()) throw std::runtime_error("the device reports " + format_count(found) + " runs of keys");
  const std::vector<std::byte> totals = stream.download(output.part(0, found * bytes(input.type)));
  const std::vector<std::byte> firsts = stream.download(unique_keys.part(0, found * bytes(keys.type)));
  note(format_count(found) + " keys' totals (" + options.operation + ") of " + format_count(input.count()) + " " +
       to_string(input.type) + " on " + describe(device) + ": " + times.text());
  const std::vector<uint64_t> starts = run_starts(keys);
  verify(options, input, starts, totals);
  if (options.verify) require_verified(check_keys(keys, starts, firsts), "the keys of the file");
  const std::array<uint64_t, 1> shape{found};
  const bool written = write_results({{file, input.type, shape, totals}, {keys_file, keys.type, shape, firsts}});
  if (!written) print_values(keys.type, firsts);
  if (!file) print_values(input.type, totals);
}

void reduce_segments(const SegmentsOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array given = read_elements(options), input = with_wide_sums(options, given);
  const std::vector<uint64_t> offsets = read_offsets(options, options.heads, input.count());
  const uint64_t segments = offsets.size() - 1;
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  check_sum_type(device, given.type, input.type);
  const SegmentedReduce plan(device, element_of(input.type), op, SegmentsBy::offsets, input.count(), segments);
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto offset_data = upload_numbers(stream, offsets, plan.offset_bytes());
  const auto output = device.buffer<std::byte>(segments * bytes(input.type));
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .heads = offset_data,
                           .output = output,
                           .segments = {},
                           .segment_count = segments,
                           .count = input.count(),
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output}, record);
  const std::vector<std::byte> totals = stream.download(output);
  note(format_count(segments) + " segments' totals (" + options.operation + ") of " + format_count(input.count()) +
       " " + to_string(input.type) + " on " + describe(device) + ": " + times.text());
  verify(options, input, offsets, totals);
  write_or_print(file, input.type, std::array{segments}, totals);
}

}  // namespace

void add_reduce_by_key(CommandLine& command_line) {
  auto options = std::make_shared<SegmentsOptions>();
  Verb verb = command_line.add_verb("reduce-by-key", "Compute the sum, minimum or maximum for each run of equal keys");
  add_primitive_options(verb, *options);
  add_operation_option(verb, *options);
  add_keys_option(verb, options->heads);
  add_array_option(verb, "--keys-out", options->keys_output,
                   "Write the key of each run to this file; without -o and this option, keys are printed before the "
                   "results");
  verb.footer(reduce_by_key_footer);
  verb.callback([options] { reduce_keys(*options); });
}

void add_segmented_reduce(CommandLine& command_line) {
  auto options = std::make_shared<SegmentsOptions>();
  Verb verb =
      command_line.add_verb("segmented-reduce", "Compute the sum, minimum or maximum of each segment of a file");
  add_primitive_options(verb, *options);
  add_operation_option(verb, *options);
  add_offsets_option(verb, options->heads);
  verb.footer(segmented_reduce_footer);
  verb.callback([options] { reduce_segments(*options); });
}

}  // namespace weft::tools
