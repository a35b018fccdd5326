#include <cstring>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/scan.h>

#include "primitive.h"
#include "support/text.h"
#include "verbs.h"

namespace weft::tools {
namespace {

const char* const footer =
    R"(Element i of the result combines the elements before i, or up to and with i for --inclusive. The result has
the shape of the input; arrays of several dimensions are taken as one run of numbers.

Examples:
  weft scan counts.npy -o offsets.npy --verify
  weft scan numbers.npy --inclusive --op max
  weft scan lengths.npy --init 1000 -o places.npy
  weft scan samples.bin --type f32 -o sums.bin)";

struct ScanOptions : PrimitiveOptions {
  bool inclusive = false;
  std::string initial;
};

// The initial number as GLSL, by its bits.
std::string initial_element(ScalarType type, const std::string& text) {
  const uint64_t bits = parse_value(type, text);
  const std::string words = format("uvec2(0x%xu, 0x%xu)", uint32_t(bits), uint32_t(bits >> 32));
  if (type == ScalarType::f64) return "packDouble2x32(" + words + ")";
  if (type == ScalarType::f32) return "uintBitsToFloat(" + words + ".x)";
  return bytes(type) == 8 ? "T(packUint2x32(" + words + "))" : "T(" + words + ".x)";
}

template <typename T>
std::optional<std::string> check(const ScanOptions& options, const Array& input, std::span<const std::byte> output) {
  ScanReference<T> reference(options.parsed_operation(), options.inclusive);
  if (!options.initial.empty()) {
    const uint64_t bits = parse_value(input.type, options.initial);
    T initial;
    std::memcpy(&initial, &bits, sizeof initial);
    reference.start_from(initial);
  }
  return reference.check(input.as<T>(), {reinterpret_cast<const T*>(output.data()), input.count()});
}

void run(const ScanOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array input = read_elements(options);
  std::optional<OutputFile> file;
  if (!options.output.empty()) file.emplace(options.output);

  const Device device = open_device(options.device);
  const Scan plan(device, element_of(input.type), op, input.count(),
                  {.kind = options.inclusive ? ScanKind::inclusive : ScanKind::exclusive,
                   .initial = options.initial.empty() ? std::string() : initial_element(input.type, options.initial)});
  Stream stream = device.stream();
  const auto data = device.buffer<std::byte>(input.data.size());
  const auto output = device.buffer<std::byte>(input.data.size());
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  stream.upload(data, input.data);
  const auto record = [&](Recorder& recorder) {
    plan.record(recorder, {.input = data, .output = output, .count = input.count(), .temporary = temporary});
  };
  timed_run(stream, record);  // the first run pays for what drivers put off until then
  stream.fill(output, std::byte{0xa5});
  const double seconds = timed_run(stream, record);
  const std::vector<std::byte> result = stream.download(output);
  note(std::string(options.inclusive ? "inclusive" : "exclusive") + " scan (" + options.operation + ", " +
       (plan.path() == TilePath::look_back ? "look-back" : "reduce-then-scan") + ") of " + format_count(input.count()) +
       " " + to_string(input.type) + " on " + describe(device) + ": " + format_seconds(seconds) + ", " +
       format_rate(2 * double(input.data.size()) / seconds));
  if (options.verify) {
    require_verified(visit_element_type(
                         input.type, [&](auto t) { return check<typename decltype(t)::type>(options, input, result); }),
                     "a serial scan on the CPU");
  }
  if (file) {
    write_array(*file, input.type, input.shape, result);
    file->commit();
  } else {
    print_values(input.type, result);
  }
}

}  // namespace

void add_scan(CLI::App& app) {
  auto options = std::make_shared<ScanOptions>();
  CLI::App* verb = app.add_subcommand("scan", "Running totals, minima or maxima of a file's numbers");
  add_primitive_options(*verb, *options);
  add_operation_option(*verb, *options);
  verb->add_flag("--inclusive", options->inclusive, "Element i counts into result i");
  verb->add_option("--init", options->initial, "A number that comes before all others")->type_name("NUMBER");
  verb->footer(footer);
  verb->callback([options] { run(*options); });
}

}  // namespace weft::tools
