#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include <weft/device.h>
#include <weft/partition.h>

#include "evaluate.h"
#include "primitive.h"
#include "support/text.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const footer =
    R"(Puts the numbers for which the expression is true in front and the others behind them, both in their order, and says
how many are in front. In the expression, x is the number and i its index; any GLSL works. With --others they go to a
file of their own.

--verify evaluates the expression on the device with one plain invocation for each number, and compares with a
serial partition on the CPU by those answers.

Examples:
  weft partition points.npy --where 'x < 0.5' -o halves.npy
  weft partition ids.npy --where 'x % 2u == 0u' -o even.npy --others odd.npy --verify)";

struct PartitionOptions : PrimitiveOptions {
  std::string where, others;
};

// The numbers in front, then those behind.
std::vector<std::byte> reference(const Array& input, const std::vector<uint32_t>& in_front) {
  const size_t width = bytes(input.type);
  std::vector<std::byte> sorted;
  for (const bool front : {true, false}) {
    for (size_t i = 0; i < in_front.size(); ++i) {
      const auto first = input.data.begin() + std::ptrdiff_t(i * width);
      if ((in_front[i] != 0) == front) sorted.insert(sorted.end(), first, first + std::ptrdiff_t(width));
    }
  }
  return sorted;
}

std::optional<std::string> check(const Array& input, const std::vector<uint32_t>& in_front, uint64_t selected,
                                 const std::vector<std::byte>& result) {
  const auto expected = uint64_t(std::count_if(in_front.begin(), in_front.end(), [](uint32_t f) { return f != 0; }));
  if (expected != selected) return "got " + format_count(selected) + " in front, expected " + format_count(expected);
  const std::vector<std::byte> wanted = reference(input, in_front);
  const size_t width = bytes(input.type);
  for (size_t i = 0; i < wanted.size(); i += width) {
    if (std::memcmp(&wanted[i], &result[i], width) == 0) continue;
    return "element " + std::to_string(i / width) + ": got " + format_value(input.type, &result[i]) + ", expected " +
           format_value(input.type, &wanted[i]);
  }
  return std::nullopt;
}

void write(OutputFile& file, ScalarType type, std::span<const std::byte> data) {
  write_array(file, type, std::array<uint64_t, 1>{data.size() / bytes(type)}, data);
}

void run(const PartitionOptions& options) {
  const Array input = read_elements(options);
  const uint64_t count = input.count();
  std::optional<OutputFile> file, others_file;
  if (!options.output.empty()) file.emplace(options.output);
  if (!options.others.empty()) others_file.emplace(options.others);

  const Device device = open_device(options.device);
  const Partition plan(device, element_of(input.type), Selection::when(options.where), count,
                       {.others = Others::behind});
  Stream stream = device.stream();
  const auto data = device.buffer<std::byte>(input.data.size());
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto selected = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(data, input.data);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .flags = {},
                           .output = output,
                           .others = {},
                           .selected = selected,
                           .count = count,
                           .temporary = temporary});
  };
  timed_run(stream, record);  // the first run pays for what drivers put off until then
  poison(stream, output);
  const double seconds = timed_run(stream, record);
  const uint64_t front = stream.download(selected).front();
  if (front > count)
    throw std::runtime_error("the device reports " + format_count(front) + " in front of " + format_count(count));
  const std::vector<std::byte> result = stream.download(output);
  note(format_count(front) + " of " + format_count(count) + " " + to_string(input.type) + " in front on " +
       describe(device) + ": " + format_seconds(seconds) + ", " +
       format_rate(double(input.data.size() + result.size()) / seconds));
  if (options.verify) {
    const std::vector<uint32_t> in_front = evaluate_where(stream, input.type, options.where, data, count);
    require_verified(check(input, in_front, front, result), "a serial partition on the CPU");
  }
  const auto parts = std::span(result);
  const size_t end = size_t(front) * bytes(input.type);
  if (others_file) write(*others_file, input.type, parts.subspan(end));
  if (file) write(*file, input.type, others_file ? parts.first(end) : parts);
  if (others_file) others_file->commit();
  if (file) file->commit();
  if (!file) print_values(input.type, others_file ? parts.first(end) : parts);
}

}  // namespace

void add_partition(CLI::App& app) {
  auto options = std::make_shared<PartitionOptions>();
  CLI::App* verb = app.add_subcommand("partition", "Put the numbers that satisfy an expression in front of the others");
  add_primitive_options(*verb, *options);
  verb->add_option("--where", options->where, "Those where this GLSL expression of x (and i, its index) is true")
      ->required()
      ->type_name("EXPR");
  verb->add_option("--others", options->others, "Write the others here in place of behind the first")
      ->type_name("FILE");
  verb->footer(footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
