#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/run_length.h>

#include "support/compare.h"
#include "support/text.h"
#include "tools/verbs.h"
#include "tools/verbs/runs/segment_starts.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const rle_footer =
    R"(Writes the first number of each run of equal neighbours, and with --lengths the length of each run, as u32 (u64
from 2^32 numbers on). -0 and 0 are equal; NaN equals nothing. Without -o the numbers are printed; without -o and
--lengths, the lengths too.

--decode reverses this: IN holds one number for each run, and --lengths is a file of integers to read.

Examples:
  weft rle mask.npy -o values.npy --lengths lengths.npy --verify
  weft rle --decode values.npy --lengths lengths.npy -o mask.npy --verify)";

struct RunsOptions : PrimitiveOptions {
  bool decode = false;
  std::string lengths;
};

struct Encoded {
  uint64_t runs;
  ScalarType length_type;
  std::vector<std::byte> values, lengths;
};

Encoded encode(const RunsOptions& options, const Array& input) {
  const Device device = options.open_device();
  const RunLengthEncode plan(device, element_of(input.type), input.count());
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto lengths = device.buffer<std::byte>(input.count() * plan.length_bytes());
  const auto runs = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .output = output,
                           .lengths = lengths,
                           .runs = runs,
                           .count = input.count(),
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, lengths, runs}, record);
  const uint64_t found = stream.download(runs).front();
  if (found > input.count()) throw std::runtime_error("the device reports " + format_count(found) + " runs");
  note(format_count(found) + " runs of " + format_count(input.count()) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + times.text());
  return {found, plan.length_bytes() == 4 ? ScalarType::u32 : ScalarType::u64,
          stream.download(output.part(0, found * bytes(input.type))),
          stream.download(lengths.part(0, found * plan.length_bytes()))};
}

uint64_t length_of(const Encoded& encoded, uint64_t run) {
  uint64_t length = 0;  // The host is little-endian.
  const size_t width = bytes(encoded.length_type);
  std::memcpy(&length, &encoded.lengths[run * width], width);
  return length;
}

template <typename T>
std::optional<std::string> check(const Array& input, const Encoded& encoded) {
  const std::span<const T> x = input.as<T>();
  uint64_t run = 0, start = 0;
  for (uint64_t i = 0; i < x.size(); ++i) {
    if (i + 1 < x.size() && x[i + 1] == x[i]) continue;
    if (run >= encoded.runs) return "got only " + format_count(run) + " runs";
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits
    if (std::memcmp(&encoded.values[run * sizeof(T)], &x[start], sizeof(T)) != 0) {
      return "run " + std::to_string(run) + ": got " + format_value(input.type, &encoded.values[run * sizeof(T)]) +
             ", expected " + format_value(input.type, &x[start]);
    }
    if (length_of(encoded, run) != i + 1 - start) {
      return "run " + std::to_string(run) + ": got length " + std::to_string(length_of(encoded, run)) + ", expected " +
             std::to_string(i + 1 - start);
    }
    ++run;
    start = i + 1;
  }
  if (run != encoded.runs) return "got " + format_count(encoded.runs) + " runs, expected " + format_count(run);
  return std::nullopt;
}

void run_encode(const RunsOptions& options) {
  const Array input = read_elements(options);
  std::optional<ArrayFile> file = open_output(options, options.output),
                           lengths_file = open_output(options, options.lengths);
  const Encoded encoded = encode(options, input);
  if (options.verify) {
    require_verified(
        visit_number_type(input.type, [&](auto t) { return check<typename decltype(t)::type>(input, encoded); }),
        "a serial pass on the CPU");
  }
  const std::array<uint64_t, 1> shape{encoded.runs};
  const bool written = write_results(
      {{file, input.type, shape, encoded.values}, {lengths_file, encoded.length_type, shape, encoded.lengths}});
  if (!file) print_values(input.type, encoded.values);
  if (!written) print_values(encoded.length_type, encoded.lengths);
}

// Reads the lengths of --lengths, one for each run, and sets `total` to their sum.
std::vector<uint64_t> read_lengths(const RunsOptions& options, uint64_t runs, uint64_t& total) {
  if (options.lengths.empty()) {
    throw Error(ErrorCode::invalid_argument, "weft rle --decode needs the lengths of the runs; give --lengths FILE");
  }
  std::vector<uint64_t> lengths = read_whole_numbers(options.lengths, "lengths");
  if (lengths.size() != runs) {
    throw Error(ErrorCode::invalid_argument, options.lengths + " holds " + format_count(lengths.size()) +
                                                 " lengths, but " + options.input + " holds " + format_count(runs) +
                                                 " numbers");
  }
  constexpr uint64_t most = uint64_t{1} << 40;  // limit of plans
  total = 0;
  for (const uint64_t length : lengths) {
    if (length <= most) total += length;
    if (length <= most && total <= most) continue;
    throw Error(ErrorCode::invalid_argument, options.lengths + ": the lengths add up to more than 2^40 numbers");
  }
  return lengths;
}

std::optional<std::string> check_decoded(const Array& values, const std::vector<uint64_t>& lengths,
                                         std::span<const std::byte> decoded) {
  const size_t width = bytes(values.type);
  std::vector<std::byte> expected;
  expected.reserve(decoded.size());
  for (size_t run = 0; run < lengths.size(); ++run) {
    const auto value = std::span(values.data).subspan(run * width, width);
    for (uint64_t i = 0; i < lengths[run]; ++i) expected.insert(expected.end(), value.begin(), value.end());
  }
  return first_difference(values.type, decoded, expected);
}

void run_decode(const RunsOptions& options) {
  const Array values = read_elements(options);
  uint64_t total = 0;
  const std::vector<uint64_t> lengths = read_lengths(options, values.count(), total);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const RunLengthDecode plan(device, element_of(values.type), values.count(), total);
  Stream stream = device.stream();
  const auto data = upload(stream, values.data);
  const auto length_data = upload_numbers(stream, lengths, plan.length_bytes());
  const auto output = device.buffer<std::byte>(total * bytes(values.type));
  const auto decoded = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {data, length_data, output, decoded, values.count(), temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, decoded}, record);
  const uint64_t written = stream.download(decoded).front();
  if (written != total) {
    throw std::runtime_error("the device reports " + format_count(written) + " numbers of " + format_count(total));
  }
  const std::vector<std::byte> result = stream.download(output);
  note(format_count(values.count()) + " runs of " + format_count(total) + " " + to_string(values.type) +
       " decoded on " + describe(device) + ": " + times.text());
  if (options.verify) require_verified(check_decoded(values, lengths, result), "a serial pass on the CPU");
  write_or_print(file, values.type, std::array{total}, result);
}

}  // namespace

void add_rle(CommandLine& command_line) {
  auto options = std::make_shared<RunsOptions>();
  Verb verb = command_line.add_verb("rle", "Encode runs of equal numbers as numbers and lengths, or decode them");
  add_primitive_options(verb, *options);
  add_array_option(verb, "--lengths", options->lengths,
                   "Write the lengths of the runs to this file; with --decode, read them from it (raw: u32)");
  verb.add_flag("--decode", options->decode, "Repeat each number as often as its length says");
  verb.footer(rle_footer);
  verb.callback([options] { options->decode ? run_decode(*options) : run_encode(*options); });
}

}  // namespace weft::tools
