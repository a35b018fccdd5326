#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include <weft/device.h>
#include <weft/top_k.h>

#include "support/compare.h"
#include "support/order_bits.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const topk_footer =
    R"(Finds the K largest numbers, or the K smallest, and prints or writes them: largest, or smallest, first.
Floating-point numbers are in the total order of IEEE 754: -0 before 0, NaNs at either end by their sign.

Examples:
  weft topk scores.npy -k 10
  weft topk distances.npy -k 100 --smallest --indices nearest.npy -o nearest_distances.npy --verify)";

struct TopOptions : PrimitiveOptions {
  bool smallest = false;
  std::string k, indices;
};

template <typename T>
std::optional<std::string> check(const Array& input, bool smallest, std::span<const std::byte> result,
                                 const std::vector<uint64_t>& indices) {
  std::vector<T> wanted(input.as<T>().begin(), input.as<T>().end());
  std::sort(wanted.begin(), wanted.end(),
            [&](T a, T b) { return order_bits(smallest ? a : b) < order_bits(smallest ? b : a); });
  wanted.resize(std::min(wanted.size(), result.size() / sizeof(T)));
  if (auto wrong = first_difference(input.type, result, std::as_bytes(std::span(wanted)), "number")) return wrong;
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool there =
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits
        indices[i] < input.count() && std::memcmp(&input.data[indices[i] * sizeof(T)], &wanted[i], sizeof(T)) == 0;
    if (!there)
      return "number " + std::to_string(i) + " is not at index " + std::to_string(indices[i]) + " of the input";
  }
  return std::nullopt;
}

// Widens indices of `index_bytes`, 4 or 8, to 64 bits.
std::vector<uint64_t> widened(std::span<const std::byte> indices, uint32_t index_bytes) {
  std::vector<uint64_t> wide(indices.size() / index_bytes);
  for (size_t i = 0; i < wide.size(); ++i) std::memcpy(&wide[i], &indices[i * index_bytes], index_bytes);
  return wide;
}

void run(const TopOptions& options) {
  const uint64_t wanted = parse_number(options.k, "-k", 0, std::numeric_limits<uint64_t>::max());
  const Array input = read_elements(options);
  const uint64_t count = input.count(), k = std::min(wanted, count);
  std::optional<ArrayFile> file = open_output(options, options.output),
                           indices_file = open_output(options, options.indices);

  const Device device = options.open_device();
  const TopK plan(device, element_of(input.type), count, k,
                  {.smallest = options.smallest, .indices = indices_file.has_value()});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto output = device.buffer<std::byte>(k * bytes(input.type));
  const auto indices = device.buffer<std::byte>(indices_file ? k * plan.index_bytes() : 0);
  const auto found = device.buffer<uint64_t>(1);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data,
                           .output = output,
                           .indices = indices,
                           .found = found,
                           .k = k,
                           .count = count,
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output, indices, found}, record);
  const uint64_t written = stream.download(found).front();
  if (written != k) {
    throw std::runtime_error("the device reports " + format_count(written) + " numbers of " + format_count(k));
  }
  const std::vector<std::byte> result = stream.download(output);
  const std::vector<std::byte> result_indices = stream.download(indices);
  note(format_count(k) + " of " + format_count(count) + " " + to_string(input.type) + " on " + describe(device) + ": " +
       times.text());
  if (options.verify) {
    const auto compare = [&](auto t) {
      return check<typename decltype(t)::type>(input, options.smallest, result,
                                               widened(result_indices, plan.index_bytes()));
    };
    require_verified(visit_number_type(input.type, compare), "a serial sort on the CPU");
  }
  const std::array shape{k};
  const ScalarType index_type = plan.index_bytes() == 8 ? ScalarType::u64 : ScalarType::u32;
  write_results({{file, input.type, shape, result}, {indices_file, index_type, shape, result_indices}});
  if (!file) print_values(input.type, result);
}

}  // namespace

void add_topk(CommandLine& command_line) {
  auto options = std::make_shared<TopOptions>();
  Verb verb = command_line.add_verb("topk", "Find the largest or smallest numbers of a file");
  add_primitive_options(verb, *options);
  verb.add_option("-k", options->k, "Number of results; all numbers if there are fewer").required().type_name("K");
  verb.add_flag("--smallest", options->smallest, "Find the smallest numbers instead of the largest");
  add_array_option(verb, "--indices", options->indices,
                   "Write their indices in IN to this file, as u32, or as u64 if IN has 2^32 numbers or more");
  verb.footer(topk_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
