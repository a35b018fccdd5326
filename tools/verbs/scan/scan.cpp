#include <weft/scan.h>

#include <memory>
#include <optional>

#include <weft/device.h>

#include "support/text.h"
#include "tools/transform.h"
#include "tools/verbs.h"
#include "tools/verbs/scan/scan_options.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const scan_footer =
    R"(Element i of the result combines the elements before element i; with --inclusive, also element i. The result
has the shape of the input; a multi-dimensional array is read as one sequence. Sums of integers have 64 bits, as in
NumPy; with --type, --as or --transform they have that type, and wrap around at its width.

Examples:
  weft scan counts.npy -o offsets.npy --verify
  weft scan numbers.npy --inclusive --op max
  weft scan lengths.npy --init 1000 -o offsets.npy
  weft scan counts.npy --type u32 -o offsets.npy
  weft scan samples.bin --type f32 --transform 'x * x' -o energies.bin)";

struct ScanVerbOptions : ScanOptions {
  TransformOptions transform;
};

template <typename T>
std::optional<std::string> check(const ScanOptions& options, const Array& input, std::span<const std::byte> output) {
  return options.reference<T>().check(input.as<T>(), {reinterpret_cast<const T*>(output.data()), input.count()});
}

void run(const ScanVerbOptions& options) {
  const Operator op = operator_of(options.parsed_operation());
  const Array input = read_elements(options);
  const TransformOptions transform = with_wide_sums(options.transform, options, input.type);
  const ScalarType type = transform.element_type(input.type);
  std::optional<ArrayFile> file = open_output(options, options.output);

  const Device device = options.open_device();
  if (!options.transform.given()) check_sum_type(device, input.type, type);
  const Scan plan(
      device, element_of(type), op, input.count(),
      {.kind = options.kind(), .initial = options.initial_element(type), .transform = transform.transform(input.type)});
  Stream stream = device.stream();
  const auto data = upload(stream, input.data);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](Recorder& recorder, const Buffer<std::byte>& output) {
    plan.record(recorder, {.input = data, .output = output, .count = input.count(), .temporary = temporary});
  };
  const std::vector<std::byte> result =
      run_scan(stream, options, plan.path(), format_count(input.count()) + " " + to_string(input.type),
               input.data.size(), input.count() * bytes(type), record);
  if (options.verify) {
    const Array elements = transform.elements(stream, input, data);
    const auto compare = [&](auto t) { return check<typename decltype(t)::type>(options, elements, result); };
    require_verified(visit_number_type(type, compare), "a serial scan on the CPU");
  }
  write_or_print(file, type, input.shape, result);
}

}  // namespace

void add_scan(CommandLine& command_line) {
  auto options = std::make_shared<ScanVerbOptions>();
  Verb verb = command_line.add_verb("scan", "Compute the running sum, minimum or maximum of a file's numbers");
  add_scan_options(verb, *options, "all elements");
  add_transform_options(verb, options->transform);
  verb.footer(scan_footer);
  verb.callback([options] { run(*options); });
}

}  // namespace weft::tools
