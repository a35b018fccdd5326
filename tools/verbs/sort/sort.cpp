#include <weft/sort.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <optional>

#include <weft/device.h>

#include "support/order_bits.h"
#include "tools/verbs.h"
#include "tools/verbs/sort/keys_and_values.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const sort_footer =
    R"(The sort is stable, with --descending too. Floating-point numbers are in total order: -0 before 0, NaNs at
either end by their sign. --bits 8:16 compares only bits 8 to 15. For signed and floating-point numbers these are the
bits of an unsigned integer of the same order. The result has the shape of the input; a multi-dimensional array is
read as one sequence.

Examples:
  weft sort keys.npy -o sorted.npy --verify
  weft sort keys.npy -o sorted.npy --values ids.npy --values-out ids_sorted.npy --descending
  weft sort codes.npy --bits 0:30)";

struct SortVerbOptions : SortingOptions {
  std::string bits;
};

uint32_t bit_number(const std::string& bits, std::string_view text) {
  uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size()) return number;
  throw Error(ErrorCode::invalid_argument, "--bits: '" + bits + "' does not have the form FIRST:END, e.g. 8:16");
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

// The bits of a key that the sort compares.
template <typename T>
uint64_t compared(T key, const SortOrder& order) {
  constexpr uint32_t width = 8 * sizeof(T);
  const uint64_t bits = order_bits(key);
  const uint32_t looked_at = std::min(order.end_bit, width) - order.begin_bit;
  if (looked_at == 0) return 0;
  return bits << (64 - looked_at - order.begin_bit) >> (64 - looked_at);
}

// The input indices in the order that the sort must produce.
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

void run(const SortVerbOptions& options) {
  const SortOrder order = order_of(options);
  SortingFiles files(options);
  const Array& keys = files.keys;

  const Device device = options.open_device();
  const Sort::Options plan_options{order, TilePath::automatic};
  const std::optional<Element> value = files.value_element();
  const Sort plan = value ? Sort(device, element_of(keys.type), *value, keys.count(), plan_options)
                          : Sort(device, element_of(keys.type), keys.count(), plan_options);
  Stream stream = device.stream();
  const SortingMemory memory(stream, files);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {memory.keys, memory.values, memory.keys_out, memory.values_out, keys.count(), temporary});
  };
  const char* method = plan.temporary_bytes() == 0          ? " (in one workgroup)"
                       : plan.path() == TilePath::look_back ? " (Onesweep)"
                                                            : " (count-scan-scatter)";
  run_sort(stream, options, files, memory, method, record, [&] {
    return visit_number_type(keys.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return expected_order<T>(order, keys.as<T>());
    });
  });
}

}  // namespace

void add_sort(CommandLine& command_line) {
  auto options = std::make_shared<SortVerbOptions>();
  Verb verb = command_line.add_verb("sort", "Sort a file's numbers, optionally moving another file's numbers along");
  add_sorting_options(verb, *options);
  verb.add_option("--bits", options->bits, "Compare only these bits of the keys").type_name("FIRST:END");
  verb.footer(sort_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
