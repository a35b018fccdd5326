#include <weft/partition.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <weft/device.h>

#include "support/compare.h"
#include "support/text.h"
#include "tools/evaluate.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const partition_footer =
    R"(Puts the numbers for which the expression is true in front of the others, each group in its original order, and
reports how many are in front. In the expression, x is the number and i its index; any GLSL works. With --others, the
other numbers go to a separate file.

--verify evaluates the expression on the device, one invocation per number, and compares the result with a serial
partition on the CPU by these values.

Examples:
  weft partition points.npy --where 'x < 0.5' -o halves.npy
  weft partition ids.npy --where 'x % 2u == 0u' -o even.npy --others odd.npy --verify)";

struct PartitionOptions : PrimitiveOptions {
  std::string where, others;
};

std::optional<std::string> check(const Array& input, const std::vector<uint32_t>& in_front, uint64_t selected,
                                 const std::vector<std::byte>& result) {
  std::vector<uint64_t> indices(in_front.size());
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  const auto middle =
      std::stable_partition(indices.begin(), indices.end(), [&](uint64_t i) { return in_front[i] != 0; });
  const auto expected = uint64_t(middle - indices.begin());
  if (expected != selected) return "got " + format_count(selected) + " in front, expected " + format_count(expected);
  return first_difference(input.type, result, gather(input, indices));
}

void run(const PartitionOptions& options) {
  const Array input = read_elements(options);
  const uint64_t count = input.count();
  std::optional<ArrayFile> file = open_output(options, options.output),
                           others_file = open_output(options, options.others);

  const Device device = options.open_device();
  const Partition plan(device, element_of(input.type), Selection::when(options.where), count,
                       {.others = Others::behind});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto selected = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .flags = {},
                           .output = output,
                           .others = {},
                           .selected = selected,
                           .count = count,
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, selected}, record);
  const uint64_t front = stream.download(selected).front();
  if (front > count)
    throw std::runtime_error("the device reports " + format_count(front) + " in front of " + format_count(count));
  const std::vector<std::byte> result = stream.download(output);
  note(format_count(front) + " of " + format_count(count) + " " + to_string(input.type) + " in front on " +
       describe(device) + ": " + times.text() + ", " +
       format_rate(double(input.data.size() + result.size()) / times.median()));
  if (options.verify) {
    const std::vector<uint32_t> in_front = evaluate_where(stream, input.type, options.where, data, count);
    require_verified(check(input, in_front, front, result), "a serial partition on the CPU");
  }
  const uint64_t first = others_file ? front : count;
  const auto numbers = std::span(result).first(first * bytes(input.type)),
             others = std::span(result).subspan(numbers.size());
  write_results(
      {{file, input.type, std::array{first}, numbers}, {others_file, input.type, std::array{count - first}, others}});
  if (!file) print_values(input.type, numbers);
}

}  // namespace

void add_partition(CommandLine& command_line) {
  auto options = std::make_shared<PartitionOptions>();
  Verb verb = command_line.add_verb("partition", "Put the numbers that satisfy an expression in front of the others");
  add_primitive_options(verb, *options);
  verb.add_option("--where", options->where,
                  "Put x in front where this GLSL expression of x (and i, its index) is true")
      .required()
      .type_name("EXPR");
  add_array_option(verb, "--others", options->others, "Write the other numbers to this file, not behind the first");
  verb.footer(partition_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
