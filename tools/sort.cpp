#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

#include <weft/device.h>
#include <weft/sort.h>

#include "primitive.h"
#include "support/text.h"
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
  uint64_t bits = 0;
  std::memcpy(&bits, &key, sizeof(T));
  const uint64_t sign = uint64_t{1} << (width - 1);
  if (is_float_type<T> && (bits & sign) != 0) {
    bits = ~bits;
  } else if (is_float_type<T> || std::is_signed_v<T>) {
    bits ^= sign;
  }
  const uint32_t looked_at = std::min(order.end_bit, width) - order.begin_bit;
  if (looked_at == 0) return 0;
  return bits << (64 - looked_at - order.begin_bit) >> (64 - looked_at);
}

// The elements in the order that the keys have to have.
template <typename T>
std::vector<size_t> expected_order(const SortOrder& order, std::span<const T> keys) {
  std::vector<size_t> indices(keys.size());
  std::iota(indices.begin(), indices.end(), size_t{0});
  std::ranges::stable_sort(indices, [&](size_t a, size_t b) {
    const uint64_t x = compared(keys[a], order), y = compared(keys[b], order);
    return order.descending ? x > y : x < y;
  });
  return indices;
}

std::optional<std::string> check(const char* what, const Array& input, const std::vector<size_t>& order,
                                 std::span<const std::byte> got) {
  const size_t size = bytes(input.type);
  for (size_t i = 0; i < order.size(); ++i) {
    const std::byte* expected = &input.data[order[i] * size];
    if (std::memcmp(expected, &got[i * size], size) == 0) continue;
    return std::string(what) + " " + std::to_string(i) + ": got " + format_value(input.type, &got[i * size]) +
           ", expected " + format_value(input.type, expected);
  }
  return std::nullopt;
}

std::optional<Array> read_values(const SortVerbOptions& options, const Array& keys) {
  if (options.values.empty() != options.values_output.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "--values and --values-out go together: what to move, and where to write it");
  }
  if (options.values.empty()) return std::nullopt;
  PrimitiveOptions of_values = options;
  of_values.input = options.values;
  Array values = read_elements(of_values);
  if (values.count() == keys.count()) return values;
  throw Error(ErrorCode::invalid_argument, options.values + " holds " + format_count(values.count()) + " values, and " +
                                               options.input + " " + format_count(keys.count()) +
                                               " keys; there has to be one for each");
}

void write(const std::string& name, const Array& like, std::span<const std::byte> data) {
  OutputFile file(name);
  write_array(file, like.type, like.shape, data);
  file.commit();
}

void run(const SortVerbOptions& options) {
  const SortOrder order = order_of(options);
  const Array keys = read_elements(options);
  const std::optional<Array> values = read_values(options, keys);
  const Device device = open_device(options.device);
  const Sort::Options plan_options{order, TilePath::automatic};
  const Sort plan = values ? Sort(device, element_of(keys.type), element_of(values->type), keys.count(), plan_options)
                           : Sort(device, element_of(keys.type), keys.count(), plan_options);
  Stream stream = device.stream();
  const uint64_t value_bytes = values ? values->data.size() : 0;
  const auto keys_in = device.buffer<std::byte>(keys.data.size()),
             keys_out = device.buffer<std::byte>(keys.data.size());
  const auto values_in = device.buffer<std::byte>(value_bytes), values_out = device.buffer<std::byte>(value_bytes);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(keys_in, keys.data);
  if (values) stream.upload(values_in, values->data);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {keys_in, values_in, keys_out, values_out, keys.count(), temporary});
  };
  timed_run(stream, record);  // the first run pays for what drivers put off until then
  poison(stream, keys_out);
  poison(stream, values_out);
  const double seconds = timed_run(stream, record);
  const std::vector<std::byte> sorted = stream.download(keys_out), moved = stream.download(values_out);
  note("sorted " + format_count(keys.count()) + " " + to_string(keys.type) +
       (plan.temporary_bytes() == 0               ? " (in one workgroup)"
        : plan.path() == TilePath::look_back ? " (Onesweep)"
                                             : " (count-scan-scatter)") +
       " on " + describe(device) + ": " + format_seconds(seconds));
  if (options.verify) {
    const std::vector<size_t> expected = visit_number_type(keys.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return expected_order<T>(order, keys.as<T>());
    });
    auto wrong = check("key", keys, expected, sorted);
    if (!wrong && values) wrong = check("value", *values, expected, moved);
    require_verified(wrong, "a stable sort on the CPU");
  }
  if (values) write(options.values_output, *values, moved);
  if (options.output.empty()) return print_values(keys.type, sorted);
  write(options.output, keys, sorted);
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
