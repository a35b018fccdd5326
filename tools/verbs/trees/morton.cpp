#include <weft/morton.h>

#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/compare.h"
#include "support/morton.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const morton_footer =
    R"(Points are rows of 2 or 3 numbers, as f32: arrays of shape (N, 2) or (N, 3). Raw files need --dimensions.
A code is the point's cell in a grid, with the bits of its coordinates interleaved, the first coordinate's highest: 16
bits of each of 2 coordinates, or 10 of each of 3; with --wide 32 or 21 bits. The grid spans the points, without
infinities and NaNs, or the box from the corner --low to the corner --high. Codes are written as u32, or u64 if wide.

Examples:
  weft morton points.npy -o codes.npy --verify
  weft morton points.npy --wide --low 0,0,0 --high 1,1,1 -o codes.npy
  weft morton points.npy -o codes.npy && weft sort codes.npy --values ids.npy --values-out near.npy -o sorted.npy)";

struct MortonOptions : PrimitiveOptions {
  std::string dimensions, low, high;
  bool wide = false;
};

uint32_t dimensions_of(const MortonOptions& options, const Array& points) {
  if (points.type != ScalarType::f32) {
    fail_invalid("weft morton takes points of f32, not " + to_string(points.type) + "; convert the file first");
  }
  uint64_t dimensions = points.shape.size() == 2 ? points.shape[1] : 0;
  if (!options.dimensions.empty()) dimensions = parse_number(options.dimensions, "--dimensions", 2, 3);
  if (dimensions != 2 && dimensions != 3) {
    fail_invalid(options.input +
                 " does not have the shape (N, 2) or (N, 3); --dimensions 2 or 3 reads any numbers as points");
  }
  if (points.count() % dimensions == 0) return uint32_t(dimensions);
  fail_invalid(options.input + " holds " + format_count(points.count()) + " numbers, which make no whole points of " +
               std::to_string(dimensions));
}

void append_corner(std::vector<float>& bounds, const std::string& corner, const std::string& option,
                   uint32_t dimensions) {
  const std::vector<std::string> numbers = split(corner, ',');
  if (numbers.size() != dimensions) {
    fail_invalid(option + " takes a corner of " + std::to_string(dimensions) + " numbers, not '" + corner + "'");
  }
  for (const std::string& number : numbers) {
    bounds.push_back(float(std::bit_cast<double>(parse_value(ScalarType::f64, number, option))));
  }
}

std::vector<float> bounds_of(const MortonOptions& options, uint32_t dimensions) {
  if (options.low.empty() != options.high.empty()) fail_invalid("bounds need both corners: --low and --high");
  std::vector<float> bounds;
  if (options.low.empty()) return bounds;
  append_corner(bounds, options.low, "--low", dimensions);
  append_corner(bounds, options.high, "--high", dimensions);
  for (uint32_t axis = 0; axis < dimensions; ++axis) {
    const float low = bounds[axis], high = bounds[dimensions + axis];
    if (std::isfinite(low) && std::isfinite(high) && low <= high) continue;
    fail_invalid("bounds must be finite, and --low at most --high; along axis " + std::to_string(axis) +
                 " they go from " + format_value(ScalarType::f32, &low) + " to " +
                 format_value(ScalarType::f32, &high));
  }
  return bounds;
}

std::optional<std::string> check(std::span<const uint64_t> wanted, ScalarType type, std::span<const std::byte> result) {
  if (type == ScalarType::u64) return first_difference(type, result, std::as_bytes(wanted), "code");
  const std::vector<uint32_t> narrow(wanted.begin(), wanted.end());
  return first_difference(type, result, std::as_bytes(std::span(narrow)), "code");
}

void run(const MortonOptions& options) {
  const Array points = read_elements(options);
  const uint32_t dimensions = dimensions_of(options, points);
  const std::vector<float> bounds = bounds_of(options, dimensions);
  const uint64_t count = points.count() / dimensions;
  const ScalarType type = options.wide ? ScalarType::u64 : ScalarType::u32;
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const Morton plan(device, dimensions, count, {.wide = options.wide, .given_bounds = !bounds.empty()});
  Stream stream = device.stream();
  const auto input = upload(stream, points.data);
  const auto corners = upload(stream, std::as_bytes(std::span(bounds)));
  const auto codes = device.buffer<std::byte>(count * bytes(type));
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const RunTimes times = timed_run(stream, options.repeat, {codes}, [&](Recorder& recorder) {
    plan.record(recorder, {input, corners, codes, count, temporary});
  });
  const std::vector<std::byte> result = stream.download(codes);
  note(format_count(count) + " codes of points of " + std::to_string(dimensions) + " dimensions on " +
       describe(device) + ": " + times.text() + ", " + format_frequency(double(count) / times.median()));
  if (options.verify) {
    require_verified(check(morton_codes(points.as<float>(), dimensions, options.wide, bounds), type, result),
                     "codes computed bit by bit on the CPU");
  }
  write_or_print(file, type, std::array{count}, result);
}

}  // namespace

void add_morton(CommandLine& command_line) {
  auto options = std::make_shared<MortonOptions>();
  Verb verb = command_line.add_verb("morton", "Compute the Morton codes of points");
  add_primitive_options(verb, *options);
  verb.add_flag("--wide", options->wide, "Codes of 64 bits (63 in 3 dimensions) instead of 32 (30)");
  verb.add_option("--dimensions", options->dimensions, "2 or 3; default: the number of columns of IN").type_name("D");
  verb.add_option("--low", options->low, "Low corner of the bounds; default: that of the points").type_name("X,Y[,Z]");
  verb.add_option("--high", options->high, "High corner of the bounds").type_name("X,Y[,Z]");
  verb.footer(morton_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
