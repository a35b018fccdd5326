#include <weft/compact.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/compare.h"
#include "support/text.h"
#include "tools/evaluate.h"
#include "tools/primitive.h"
#include "tools/verbs.h"
#include "tools/verbs/tables/tables.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const compact_footer =
    R"(Keeps the numbers for which the expression is true, in order. In the expression, x is the number and i its
index. Any GLSL works: abs(x) > 2.5, x % 2u == 0u, i < 100 && x != 0. The result is one-dimensional. With --indices
it has the kept numbers' indices, in 64 bits.

--verify evaluates the expression on the device, one invocation per number, and compares the result with a serial
selection on the CPU by these values.

Examples:
  weft compact points.npy --where 'x > 0.5' -o kept.npy
  weft compact ids.npy --where 'x % 2u == 0u' --verify
  weft compact points.npy --flags mask.npy -o kept.npy
  weft compact weights.npy --where 'x != 0' --indices)";

const char* const unique_footer =
    R"(Keeps the first number of each run of equal neighbours; in a sorted array, each number once. -0 and 0 are
equal; NaN equals nothing. The result is one-dimensional.

--any-order keeps each number once, wherever it is, in no particular order. It compares numbers of 32 or 64 bits as
bits: -0 and 0 differ, and a NaN equals itself.

Examples:
  weft unique sorted.npy -o distinct.npy --verify
  weft unique ids.npy --any-order -o distinct.npy)";

struct CompactOptions : PrimitiveOptions {
  std::string where, flags;
  bool indices = false;
};

// Returns one 32-bit word for each element; the file may also hold flags of 8, 16 or 64 bits.
std::vector<uint32_t> read_flags(const CompactOptions& options, uint64_t count) {
  const Array array = read_beside(ScalarType::u32, options.flags);
  if (array.count() != count) {
    throw Error(ErrorCode::invalid_argument, options.flags + " holds " + format_count(array.count()) + " flags, but " +
                                                 options.input + " holds " + format_count(count) + " numbers");
  }
  if (is_float(array.type))
    throw Error(ErrorCode::invalid_argument, options.flags + " holds floating-point numbers; flags must be integers");
  const size_t width = bytes(array.type);
  std::vector<uint32_t> flags(count);
  for (size_t i = 0; i < count; ++i) {
    const auto flag = std::span(array.data).subspan(i * width, width);
    flags[i] = std::any_of(flag.begin(), flag.end(), [](std::byte b) { return b != std::byte{0}; });
  }
  return flags;
}

std::vector<uint64_t> indices_of(const std::vector<uint32_t>& flags) {
  std::vector<uint64_t> indices;
  for (uint64_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) indices.push_back(i);
  }
  return indices;
}

std::vector<uint64_t> first_of_runs(const Array& input) {
  return visit_number_type(input.type, [&](auto t) {
    const auto x = input.as<typename decltype(t)::type>();
    std::vector<uint64_t> indices;
    for (uint64_t i = 0; i < x.size(); ++i) {
      if (i == 0 || !(x[i] == x[i - 1])) indices.push_back(i);
    }
    return indices;
  });
}

std::optional<std::string> check(const Array& input, const std::vector<uint64_t>& indices,
                                 std::span<const std::byte> kept, bool as_indices = false) {
  const uint64_t got = kept.size() / (as_indices ? sizeof(uint64_t) : bytes(input.type));
  if (got != indices.size()) return "got " + format_count(got) + " elements, expected " + format_count(indices.size());
  if (as_indices) return first_difference(ScalarType::u64, kept, std::as_bytes(std::span(indices)));
  return first_difference(input.type, kept, gather(input, indices));
}

// Returns the elements that the plan keeps, or their indices, of type `type`. `data` is the input in device memory.
std::vector<std::byte> keep(Stream& stream, const PrimitiveOptions& options, const Compact& plan, const Array& input,
                            ScalarType type, const Region& data, const std::vector<uint32_t>& flags) {
  const Device device = stream.device();
  const uint64_t count = input.count();
  const auto output = device.buffer<std::byte>(count * bytes(type));
  const auto device_flags = device.buffer<uint32_t>(flags.size());
  const auto selected = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(device_flags, flags);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .flags = device_flags,
                           .output = output,
                           .selected = selected,
                           .count = count,
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, selected}, record);
  const uint64_t kept = stream.download(selected).front();
  if (kept > count)
    throw std::runtime_error("the device reports " + format_count(kept) + " selected of " + format_count(count));
  std::vector<std::byte> result = stream.download(output.part(0, kept * bytes(type)));
  note("kept " + format_count(kept) + " of " + format_count(count) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + times.text() + ", " +
       format_rate(double(input.data.size() + result.size()) / times.median()));
  return result;
}

void write(std::optional<ArrayFile>& file, ScalarType type, std::span<const std::byte> kept) {
  write_or_print(file, type, std::array{uint64_t(kept.size() / bytes(type))}, kept);
}

void run_compact(const CompactOptions& options) {
  if (!options.where.empty() && !options.flags.empty()) {
    throw Error(ErrorCode::invalid_argument, "--where and --flags both select the numbers to keep: give one of them");
  }
  if (options.where.empty() && options.flags.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "weft compact needs --where or --flags: --where 'x > 0.5' (any GLSL expression of x) or --flags FILE");
  }
  const bool by_flags = !options.flags.empty();
  const Array input = read_elements(options);
  const uint64_t count = input.count();
  std::vector<uint32_t> flags;
  if (by_flags) flags = read_flags(options, count);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const ScalarType type = options.indices ? ScalarType::u64 : input.type;
  const Compact plan(device, element_of(input.type), by_flags ? Selection::flagged() : Selection::when(options.where),
                     count, {.index_bits = options.indices ? 64u : 0u});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const bool reads_data = !(options.indices && by_flags);
  const std::vector<std::byte> kept =
      keep(stream, options, plan, input, type, reads_data ? Region(data) : Region(), flags);
  if (options.verify) {
    if (!by_flags) flags = evaluate_where(stream, input.type, options.where, data, count);
    require_verified(check(input, indices_of(flags), kept, options.indices), "a serial selection on the CPU");
  }
  write(file, type, kept);
}

struct UniqueOptions : PrimitiveOptions {
  bool any_order = false;
};

void run_unique(const UniqueOptions& options) {
  const Array input = read_elements(options);
  std::optional<ArrayFile> file = open_output(options, options.output);
  if (options.any_order) return write(file, input.type, distinct_numbers(options, input));
  const Device device = options.open_device();
  const Compact plan(device, element_of(input.type), Selection::first_of_runs(), input.count());
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const std::vector<std::byte> kept = keep(stream, options, plan, input, input.type, data, {});
  if (options.verify) require_verified(check(input, first_of_runs(input), kept), "a serial pass on the CPU");
  write(file, input.type, kept);
}

}  // namespace

void add_compact(CommandLine& command_line) {
  auto options = std::make_shared<CompactOptions>();
  Verb verb = command_line.add_verb("compact", "Keep the numbers that satisfy an expression");
  add_primitive_options(verb, *options);
  verb.add_option("--where", options->where, "Keep x where this GLSL expression of x (and i, its index) is true")
      .type_name("EXPR");
  verb.add_option("--flags", options->flags,
                  "Instead of --where: keep the numbers whose flag in this file is not zero (raw: u32)")
      .type_name("FILE");
  verb.add_flag("--indices", options->indices, "Write the indices of the kept numbers instead (u64)");
  verb.footer(compact_footer);
  verb.callback([options] { run_compact(*options); });
}

void add_unique(CommandLine& command_line) {
  auto options = std::make_shared<UniqueOptions>();
  Verb verb = command_line.add_verb("unique", "Keep the first of each run of equal numbers");
  add_primitive_options(verb, *options);
  verb.add_flag("--any-order", options->any_order, "Keep each number once, in any order");
  verb.footer(unique_footer);
  verb.callback([options] { run_unique(*options); });
}

}  // namespace weft::tools
