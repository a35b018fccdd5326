#include <weft/reduce.h>

#include <cstdio>
#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/text.h"
#include "tools/primitive.h"
#include "tools/transform.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const reduce_footer =
    R"(Prints the result, or writes it as a zero-dimensional array. A multi-dimensional array is read as one sequence.
Sums of integers have 64 bits, as in NumPy; with --type, --as or --transform they have that type, and wrap around at
its width. Min and max skip NaNs, unlike NumPy's; of NaNs alone they are NaN. -0 is below 0. The result of an empty
file is 0, or for min and max the type's largest or smallest value.

Examples:
  weft reduce numbers.npy
  weft reduce heights.npy --op max --device vulkan:1 --verify
  weft reduce mask.npy
  weft reduce bytes.npy --type u8
  weft reduce samples.bin --type f32 --transform 'x * x' -o energy.npy)";

struct ReduceOptions : PrimitiveOptions {
  TransformOptions transform;
};

template <typename T>
std::optional<std::string> check(Operation operation, const Array& input, std::span<const std::byte> result) {
  RunningReference<T> reference(operation);
  for (const T x : input.as<T>()) reference.add(x);
  T got;
  std::memcpy(static_cast<void*>(&got), result.data(), sizeof got);
  return reference.check(got);
}

void run(const ReduceOptions& options) {
  const Operation operation = options.parsed_operation();
  const Array input = read_elements(options);
  const TransformOptions transform = with_wide_sums(options.transform, options, input.type);
  const ScalarType type = transform.element_type(input.type);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  if (!options.transform.given()) check_sum_type(device, input.type, type);
  const Reduce plan(device, element_of(type), operator_of(operation), input.count(),
                    {.transform = transform.transform(input.type)});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto output = device.buffer<std::byte>(bytes(type));
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data, .output = output, .count = input.count(), .temporary = temporary});
  };
  const RunTimes times = timed_run(stream, options.repeat, {output}, record);
  const std::vector<std::byte> result = stream.download(output);
  note(options.operation + " of " + format_count(input.count()) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + times.text() + ", " + format_rate(double(input.data.size()) / times.median()));
  if (options.verify) {
    const Array elements = transform.elements(stream, input, data);
    const auto compare = [&](auto t) { return check<typename decltype(t)::type>(operation, elements, result); };
    require_verified(visit_number_type(type, compare), "a serial " + options.operation + " on the CPU");
  }
  if (!write_results({{file, type, {}, result}})) std::printf("%s\n", format_value(type, result.data()).c_str());
}

}  // namespace

void add_reduce(CommandLine& command_line) {
  auto options = std::make_shared<ReduceOptions>();
  Verb verb = command_line.add_verb("reduce", "Compute the sum, minimum or maximum of a file's numbers");
  add_primitive_options(verb, *options);
  add_operation_option(verb, *options);
  add_transform_options(verb, options->transform);
  verb.footer(reduce_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
