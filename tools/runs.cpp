#include <cstring>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/run_length.h>

#include "primitive.h"
#include "support/text.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const unique_footer =
    R"(Keeps the first of each run of equal neighbours: of a sorted array each number once. -0 and 0 are equal; NaN is
equal to nothing. The result is an array of one dimension.

Examples:
  weft unique sorted.npy -o distinct.npy --verify)";

const char* const rle_footer =
    R"(Writes the first of each run of equal neighbours, and with --lengths how long each run is, as u32 (u64 where there
are 2^32 numbers and more). -0 and 0 are equal; NaN is equal to nothing. Without -o and --lengths both are printed.

Examples:
  weft rle mask.npy -o values.npy --lengths lengths.npy --verify)";

struct RunsOptions : PrimitiveOptions {
  bool with_lengths = false;
  std::string lengths;
};

struct Encoded {
  uint64_t runs;
  ScalarType length_type;
  std::vector<std::byte> values, lengths;
};

Encoded encode(const RunsOptions& options, const Array& input) {
  const Device device = open_device(options.device);
  const RunLengthEncode plan(device, element_of(input.type), input.count());
  Stream stream = device.stream();
  const auto data = device.buffer<std::byte>(input.data.size());
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto lengths = device.buffer<std::byte>(input.count() * plan.length_bytes());
  const auto runs = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(data, input.data);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .output = output,
                           .lengths = lengths,
                           .runs = runs,
                           .count = input.count(),
                           .temporary = temporary});
  };
  timed_run(stream, record);  // the first run pays for what drivers put off until then
  stream.fill(output, std::byte{0xa5});
  const double seconds = timed_run(stream, record);
  const uint64_t found = stream.download(runs).front();
  if (found > input.count()) throw std::runtime_error("the device reports " + format_count(found) + " runs");
  note(format_count(found) + " runs of " + format_count(input.count()) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + format_seconds(seconds));
  return {found, plan.length_bytes() == 4 ? ScalarType::u32 : ScalarType::u64,
          stream.download(output.part(0, found * bytes(input.type))),
          stream.download(lengths.part(0, found * plan.length_bytes()))};
}

uint64_t length_of(const Encoded& encoded, uint64_t run) {
  uint64_t length = 0;  // Hosts are little-endian.
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

void run(const RunsOptions& options) {
  const Array input = read_elements(options);
  std::optional<OutputFile> file, lengths_file;
  if (!options.output.empty()) file.emplace(options.output);
  if (!options.lengths.empty()) lengths_file.emplace(options.lengths);
  const Encoded encoded = encode(options, input);
  if (options.verify) {
    require_verified(
        visit_element_type(input.type, [&](auto t) { return check<typename decltype(t)::type>(input, encoded); }),
        "a serial pass on the CPU");
  }
  const std::array<uint64_t, 1> shape{encoded.runs};
  if (file) write_array(*file, input.type, shape, encoded.values);
  if (lengths_file) write_array(*lengths_file, encoded.length_type, shape, encoded.lengths);
  if (file) file->commit();
  if (lengths_file) lengths_file->commit();
  if (!file && !lengths_file) {
    print_values(input.type, encoded.values);
    if (options.with_lengths) print_values(encoded.length_type, encoded.lengths);
  }
}

}  // namespace

void add_unique(CLI::App& app) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* verb = app.add_subcommand("unique", "Keep the first of each run of equal numbers");
  add_primitive_options(*verb, *options);
  verb->footer(unique_footer);
  verb->callback([options] { run(*options); });
}

void add_rle(CLI::App& app) {
  auto options = std::make_shared<RunsOptions>();
  options->with_lengths = true;
  CLI::App* verb = app.add_subcommand("rle", "Run-length encoding: the runs of equal numbers and their lengths");
  add_primitive_options(*verb, *options);
  verb->add_option("--lengths", options->lengths, "Write the lengths of the runs here")->type_name("FILE");
  verb->footer(rle_footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
