#include "tools/verbs/scan/scan_options.h"

#include "support/text.h"

namespace weft::tools {

using namespace support;

std::string ScanOptions::initial_element(ScalarType element) const {
  if (initial.empty()) return {};
  const uint64_t bits = parse_value(element, initial, "--init");
  const std::string words = format("uvec2(0x%xu, 0x%xu)", uint32_t(bits), uint32_t(bits >> 32));
  if (element == ScalarType::f64) return "packDouble2x32(" + words + ")";
  if (element == ScalarType::f32) return "uintBitsToFloat(" + words + ".x)";
  if (element == ScalarType::f16) return "unpackFloat2x16(" + words + ".x).x";
  return bytes(element) == 8 ? "T(packUint2x32(" + words + "))" : "T(" + words + ".x)";
}

void add_scan_options(Verb& verb, ScanOptions& options, const std::string& before_what) {
  add_primitive_options(verb, options);
  add_operation_option(verb, options);
  verb.add_flag("--inclusive", options.inclusive, "Result i includes element i");
  verb.add_option("--init", options.initial, "Initial value, combined before " + before_what).type_name("NUMBER");
}

std::vector<std::byte> run_scan(Stream& stream, const ScanOptions& options, TilePath path, const std::string& what,
                                uint64_t read_bytes, uint64_t output_bytes,
                                const std::function<void(Recorder&, const Buffer<std::byte>& output)>& record) {
  const Device device = stream.device();
  const auto output = device.buffer<std::byte>(output_bytes);
  const auto once = [&](Recorder& recorder) { record(recorder, output); };
  const RunTimes times = timed_run(stream, options.repeat, {output}, once);
  note(std::string(options.inclusive ? "inclusive" : "exclusive") + " scan (" + options.operation + ", " +
       (path == TilePath::look_back ? "look-back" : "reduce-then-scan") + ") of " + what + " on " + describe(device) +
       ": " + times.text() + ", " + format_rate(double(read_bytes + output_bytes) / times.median()));
  return stream.download(output);
}

}  // namespace weft::tools
