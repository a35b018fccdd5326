#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/merge.h>

#include "primitive.h"
#include "support/compare.h"
#include "support/text.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const footer =
    R"(Both files are sorted and of one type; equal numbers keep their order, those of the first file before those of the
second. Floating-point numbers have a total order: -0 before 0, NaNs at the ends by their sign. The result is an array of
one dimension.

Examples:
  weft merge old.npy new.npy -o all.npy --verify
  weft merge a.npy b.npy --descending)";

struct MergeOptions : PrimitiveOptions {
  std::string second;
  bool descending = false;
};

template <typename T>
bool is_before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    const auto ordered = [](T x) {
      const auto bits = std::bit_cast<Bits>(x);
      return bits < 0 ? Bits(bits ^ std::numeric_limits<Bits>::max()) : bits;
    };
    return ordered(a) < ordered(b);
  } else {
    return a < b;
  }
}

template <typename T>
void require_sorted(const MergeOptions& options, const std::string& file, std::span<const T> numbers) {
  for (size_t i = 1; i < numbers.size(); ++i) {
    const bool wrong =
        options.descending ? is_before(numbers[i - 1], numbers[i]) : is_before(numbers[i], numbers[i - 1]);
    if (!wrong) continue;
    throw Error(ErrorCode::invalid_argument,
                file + " is not sorted: number " + std::to_string(i) + " belongs before the one at " +
                    std::to_string(i - 1) + (options.descending ? "" : "; is it in descending order (--descending)?"));
  }
}

template <typename T>
std::optional<std::string> check(const MergeOptions& options, std::span<const T> first, std::span<const T> second,
                                 std::span<const std::byte> got) {
  std::vector<T> expected(first.size() + second.size());
  std::merge(first.begin(), first.end(), second.begin(), second.end(), expected.begin(),
             [&](T a, T b) { return options.descending ? is_before(b, a) : is_before(a, b); });
  return first_difference(scalar_type_of<T>(), got, std::as_bytes(std::span(expected)));
}

// Of 32 or 64 bits: the check below has no order for half floats.
Array read_comparable(const PrimitiveOptions& options, const std::string& file) {
  Array array = read_elements(options, file);
  if (is_element_type(array.type)) return array;
  throw Error(ErrorCode::invalid_argument, file + " holds " + to_string(array.type) +
                                               ", which merge does not take; it takes u32, i32, f32, u64, i64 and f64");
}

void run(const MergeOptions& options) {
  const Array first = read_comparable(options, options.input), second = read_comparable(options, options.second);
  if (first.type != second.type) {
    throw Error(ErrorCode::invalid_argument, options.input + " holds " + to_string(first.type) + " and " +
                                                 options.second + " " + to_string(second.type) +
                                                 "; merge takes two files of one type");
  }
  visit_element_type(first.type, [&](auto t) {
    using T = typename decltype(t)::type;
    require_sorted<T>(options, options.input, first.as<T>());
    require_sorted<T>(options, options.second, second.as<T>());
  });
  std::optional<OutputFile> file = open_output(options.output);

  const Device device = open_device(options.device);
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
  const double seconds = timed_run(stream, {output}, record);
  const std::vector<std::byte> result = stream.download(output);
  note("merged " + format_count(first.count()) + " and " + format_count(second.count()) + " " + to_string(first.type) +
       " on " + describe(device) + ": " + format_seconds(seconds) + ", " +
       format_rate(2 * double(result.size()) / seconds));
  if (options.verify) {
    require_verified(visit_element_type(first.type,
                                        [&](auto t) {
                                          using T = typename decltype(t)::type;
                                          return check<T>(options, first.as<T>(), second.as<T>(), result);
                                        }),
                     "a serial merge on the CPU");
  }
  write_or_print(file, first.type, std::array{count}, result);
}

}  // namespace

void add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = app.add_subcommand("merge", "Merge two sorted files into one");
  add_primitive_options(*verb, *options);
  verb->add_option("SECOND", options->second, "The other file")->required()->type_name("FILE");
  verb->add_flag("--descending", options->descending, "The files are sorted from the largest number to the smallest");
  verb->footer(footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
