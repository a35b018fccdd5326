#include <weft/merge.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/compare.h"
#include "support/order_bits.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const merge_footer =
    R"(Both files must be sorted and have the same type. The merge is stable: of equal numbers, those of the first
file come first. Floating-point numbers are in total order: -0 before 0, NaNs at either end by their sign. The result
is one-dimensional.

Examples:
  weft merge old.npy new.npy -o all.npy --verify
  weft merge a.npy b.npy --descending)";

struct MergeOptions : PrimitiveOptions {
  std::string second;
  bool descending = false;
};

// Whether `a` must come before `b`.
template <typename T>
bool is_before(const MergeOptions& options, T a, T b) {
  return options.descending ? order_bits(b) < order_bits(a) : order_bits(a) < order_bits(b);
}

template <typename T>
void require_sorted(const MergeOptions& options, const std::string& file, std::span<const T> numbers) {
  for (size_t i = 1; i < numbers.size(); ++i) {
    if (!is_before(options, numbers[i], numbers[i - 1])) continue;
    throw Error(ErrorCode::invalid_argument,
                file + " is not sorted: number " + std::to_string(i) + " belongs before the one at " +
                    std::to_string(i - 1) +
                    (options.descending ? "" : "; if its order is descending, use --descending"));
  }
}

template <typename T>
std::optional<std::string> check(const MergeOptions& options, std::span<const T> first, std::span<const T> second,
                                 std::span<const std::byte> got) {
  std::vector<T> expected(first.size() + second.size());
  std::merge(first.begin(), first.end(), second.begin(), second.end(), expected.begin(),
             [&](T a, T b) { return is_before(options, a, b); });
  return first_difference(scalar_type_of<T>(), got, std::as_bytes(std::span(expected)));
}

void run(const MergeOptions& options) {
  const Array first = read_elements(options), second = read_beside(first, options.second);
  if (first.type != second.type) {
    throw Error(ErrorCode::invalid_argument, options.input + " holds " + to_string(first.type) + ", but " +
                                                 options.second + " holds " + to_string(second.type) +
                                                 "; merge takes two files of the same type");
  }
  visit_number_type(first.type, [&](auto t) {
    using T = typename decltype(t)::type;
    require_sorted<T>(options, options.input, first.as<T>());
    require_sorted<T>(options, options.second, second.as<T>());
  });
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  const uint64_t count = first.count() + second.count();
  const Merge plan(device, element_of(first.type),
                   options.descending ? Comparison::descending() : Comparison::ascending(), count);
  Stream stream = device.stream();
  const auto first_data = upload(stream, first.data);
  const auto second_data = upload(stream, second.data);
  const auto output = device.buffer<std::byte>(first.data.size() + second.data.size());
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.first = {first_data, {}, first.count()},
                           .second = {second_data, {}, second.count()},
                           .output = output,
                           .output_values = {},
                           .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output}, record);
  const std::vector<std::byte> result = stream.download(output);
  note("merged " + format_count(first.count()) + " and " + format_count(second.count()) + " " + to_string(first.type) +
       " on " + describe(device) + ": " + times.text() + ", " +
       format_rate(2 * double(result.size()) / times.median()));
  if (options.verify) {
    const auto compare = [&](auto t) {
      using T = typename decltype(t)::type;
      return check<T>(options, first.as<T>(), second.as<T>(), result);
    };
    require_verified(visit_number_type(first.type, compare), "a serial merge on the CPU");
  }
  write_or_print(file, first.type, std::array{count}, result);
}

}  // namespace

void add_merge(CommandLine& command_line) {
  auto options = std::make_shared<MergeOptions>();
  Verb verb = command_line.add_verb("merge", "Merge two sorted files into one");
  add_primitive_options(verb, *options);
  verb.add_option("SECOND", options->second, "The other file (raw: of IN's type)").required().type_name("FILE");
  verb.add_flag("--descending", options->descending, "Merge files sorted from the largest number to the smallest");
  verb.footer(merge_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
