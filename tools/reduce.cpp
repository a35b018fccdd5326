#include <cstdio>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/reduce.h>

#include "primitive.h"
#include "support/text.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const footer = R"(Prints the result, or writes it as an array of no dimension. The result of nothing is the
operation's identity. Arrays of several dimensions are taken as one run of numbers.

Examples:
  weft reduce numbers.npy
  weft reduce heights.npy --op max --device vulkan:1 --verify
  weft reduce samples.bin --type f32 -o total.npy)";

template <typename T>
std::optional<std::string> check(Operation operation, const Array& input, std::span<const std::byte> result) {
  RunningReference<T> reference(operation);
  for (const T x : input.as<T>()) reference.add(x);
  T got;
  std::memcpy(&got, result.data(), sizeof got);
  return reference.check(got);
}

void run(const PrimitiveOptions& options) {
  const Operation operation = options.parsed_operation();
  const Array input = read_elements(options);
  std::optional<OutputFile> file;
  if (!options.output.empty()) file.emplace(options.output);

  const Device device = open_device(options.device);
  const Reduce plan(device, element_of(input.type), operator_of(operation), input.count());
  Stream stream = device.stream();
  const auto data = device.buffer<std::byte>(input.data.size());
  const auto output = device.buffer<std::byte>(bytes(input.type));
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(data, input.data);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data, .output = output, .count = input.count(), .temporary = temporary});
  };
  timed_run(stream, record);  // the first run pays for what drivers put off until then
  stream.fill(output, std::byte{0xa5});
  const double seconds = timed_run(stream, record);
  const std::vector<std::byte> result = stream.download(output);
  note(options.operation + " of " + format_count(input.count()) + " " + to_string(input.type) + " on " +
       describe(device) + ": " + format_seconds(seconds) + ", " + format_rate(double(input.data.size()) / seconds));
  if (options.verify) {
    require_verified(
        visit_element_type(input.type,
                           [&](auto t) { return check<typename decltype(t)::type>(operation, input, result); }),
        "a serial " + options.operation + " on the CPU");
  }
  if (file) {
    write_array(*file, input.type, {}, result);
    file->commit();
  } else {
    std::printf("%s\n", format_value(input.type, result.data()).c_str());
  }
}

}  // namespace

void add_reduce(CLI::App& app) {
  auto options = std::make_shared<PrimitiveOptions>();
  CLI::App* verb = app.add_subcommand("reduce", "Combine all numbers of a file into one");
  add_primitive_options(*verb, *options);
  add_operation_option(*verb, *options);
  verb->footer(footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
