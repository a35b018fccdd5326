#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <optional>

#include <weft/device.h>
#include <weft/sort.h>

#include "primitive.h"
#include "support/compare.h"
#include "support/text.h"
#include "support/total_order.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const footer =
    R"(Equal numbers keep their order, with --descending too. Floating-point numbers have a total order: -0 before 0, NaNs at
the ends by their sign. --bits 8:16 looks at bits 8 to 15 alone, of the number that is compared: for signed and
floating-point ones the bits as unsigned integers of the same order have them. The result has the shape of the input;
arrays of several dimensions are taken as one run of numbers.

Examples:
  weft sort keys.npy -o sorted.npy --verify
  weft sort keys.npy -o sorted.npy --values ids.npy --values-out ids_sorted.npy --descending
  weft sort codes.npy --bits 0:30)";

struct SortVerbOptions : PrimitiveOptions {
  std::string values, values_output, bits;
  bool descending = false;
};

uint32_t bit_number(const std::string& bits, std::string_view text) {
  uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size()) return number;
  throw Error(ErrorCode::invalid_argument, "--bits: '" + bits + "' is not of the form FIRST:END, such as 8:16");
}

SortOrder order_of(const SortVerbOptions& options) {
  SortOrder order{.descending = options.descending};
  if (options.bits.empty()) return order;
  const size_t colon = std::min(options.bits.find(':'), options.bits.size());
  const std::string_view bits = options.bits;
  order.begin_bit = bit_number(options.bits, bits.substr(0, colon));
  order.end_bit = bit_number(options.bits, bits.substr(std::min(colon + 1, bits.size())));
  return order;
}

// What of a key the sort compares.
template <typename T>
uint64_t compared(T key, const SortOrder& order) {
  constexpr uint32_t width = 8 * sizeof(T);
  const uint64_t bits = total_order(key);
  const uint32_t looked_at = std::min(order.end_bit, width) - order.begin_bit;
  if (looked_at == 0) return 0;
  return bits << (64 - looked_at - order.begin_bit) >> (64 - looked_at);
}

// The elements in the order that the keys have to have.
template <typename T>
std::vector<uint64_t> expected_order(const SortOrder& order, std::span<const T> keys) {
  std::vector<uint64_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  std::ranges::stable_sort(indices, [&](uint64_t a, uint64_t b) {
    const uint64_t x = compared(keys[a], order), y = compared(keys[b], order);
    return order.descending ? x > y : x < y;
  });
  return indices;
}

std::optional<Array> read_values(const SortVerbOptions& options, const Array& keys) {
  if (options.values.empty() != options.values_output.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "--values and --values-out go together: what to move, and where to write it");
  }
  if (options.values.empty()) return std::nullopt;
  Array values = read_elements(options, options.values);
  if (values.count() == keys.count()) return values;
  throw Error(ErrorCode::invalid_argument, options.values + " holds " + format_count(values.count()) + " values, and " +
                                               options.input + " " + format_count(keys.count()) +
                                               " keys; there has to be one for each");
}

void run(const SortVerbOptions& options) {
  const SortOrder order = order_of(options);
  const Array keys = read_elements(options);
  const std::optional<Array> values = read_values(options, keys);
  std::optional<OutputFile> file = open_output(options.output), values_file = open_output(options.values_output);

  const Device device = open_device(options.device);
  const Sort::Options plan_options{order, TilePath::automatic};
  const Sort plan = values ? Sort(device, element_of(keys.type), element_of(values->type), keys.count(), plan_options)
                           : Sort(device, element_of(keys.type), keys.count(), plan_options);
  Stream stream = device.stream();
  const auto keys_in = upload(stream, keys.data), keys_out = device.buffer<std::byte>(keys.data.size());
  const auto values_in = upload(stream, values ? std::span(values->data) : std::span<const std::byte>()),
             values_out = device.buffer<std::byte>(values_in.size());
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {keys_in, values_in, keys_out, values_out, keys.count(), temporary});
  };
  const double seconds = timed_run(stream, {keys_out, values_out}, record);
  const std::vector<std::byte> sorted = stream.download(keys_out), moved = stream.download(values_out);
  note("sorted " + format_count(keys.count()) + " " + to_string(keys.type) +
       (plan.temporary_bytes() == 0          ? " (in one workgroup)"
        : plan.path() == TilePath::look_back ? " (Onesweep)"
                                             : " (count-scan-scatter)") +
       " on " + describe(device) + ": " + format_seconds(seconds));
  if (options.verify) {
    const std::vector<uint64_t> expected = visit_number_type(keys.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return expected_order<T>(order, keys.as<T>());
    });
    auto wrong = first_difference(keys.type, sorted, gather(keys, expected), "key");
    if (!wrong && values) wrong = first_difference(values->type, moved, gather(*values, expected), "value");
    require_verified(wrong, "a stable sort on the CPU");
  }
  const Array& like = values ? *values : keys;
  write_results({{file, keys.type, keys.shape, sorted}, {values_file, like.type, like.shape, moved}});
  if (!file) print_values(keys.type, sorted);
}

}  // namespace

void add_sort(CLI::App& app) {
  auto options = std::make_shared<SortVerbOptions>();
  CLI::App* verb = app.add_subcommand("sort", "Sort a file's numbers, and another file's along with them");
  add_primitive_options(*verb, *options);
  verb->add_option("--values", options->values, "A file with a value for each key, moved as its key is")
      ->type_name("FILE");
  verb->add_option("--values-out", options->values_output, "Write the moved values here")->type_name("FILE");
  verb->add_option("--bits", options->bits, "Look at these bits of the keys alone")->type_name("FIRST:END");
  verb->add_flag("--descending", options->descending, "From the largest number to the smallest");
  verb->footer(footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
