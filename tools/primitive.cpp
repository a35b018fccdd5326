#include "primitive.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "support/text.h"

namespace weft::tools {

std::optional<ScalarType> PrimitiveOptions::raw_type() const {
  if (type.empty()) return std::nullopt;
  return parse_scalar_type(type);
}

Operation PrimitiveOptions::parsed_operation() const {
  if (operation == "sum") return Operation::sum;
  if (operation == "min") return Operation::min;
  if (operation == "max") return Operation::max;
  throw Error(ErrorCode::invalid_argument,
              "--op: '" + operation + "' is not an operation; the operations are sum, min and max");
}

void add_device_option(CLI::App& verb, std::string& selector) {
  verb.add_option("-d,--device", selector,
                  "A device as weft devices shows it, e.g. vulkan:0 or vulkan:llvmpipe; the best one if left out")
      ->type_name("DEVICE");
}

void add_primitive_options(CLI::App& verb, PrimitiveOptions& options) {
  verb.add_option("IN", options.input, "A .npy file of numbers, or raw numbers with --type")
      ->required()
      ->type_name("FILE");
  verb.add_option("-o,--output", options.output, "Write the result here: .npy, or raw numbers under any other name")
      ->type_name("FILE");
  verb.add_option("--type", options.type, "Type of raw numbers: u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64")
      ->type_name("TYPE");
  add_device_option(verb, options.device);
  verb.add_flag("--verify", options.verify,
                "Compare with the CPU: integers, min and max exactly; floating-point sums to within the roundings that "
                "another order of addition makes. A difference is an error and nothing is written");
}

void add_operation_option(CLI::App& verb, PrimitiveOptions& options) {
  verb.add_option("--op", options.operation, "sum, min or max")->type_name("OP")->capture_default_str();
}

Operator operator_of(Operation operation) {
  switch (operation) {
    case Operation::min:
      return Operator::min();
    case Operation::max:
      return Operator::max();
    default:
      return Operator::sum();
  }
}

Array read_elements(const PrimitiveOptions& options) { return read_array(options.input, options.raw_type()); }

std::string describe(const Device& device) { return device.info().selector + " (" + device.info().name + ")"; }

double timed_run(Stream& stream, const std::function<void(Recorder&)>& record) {
  return timed_runs(stream, 1, record).front();
}

std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record) {
  const bool has_clock = stream.device().info().limits.timestamp_period_ns > 0;
  std::vector<double> seconds;
  uint32_t batch = 1;  // runs that are submitted together: one to learn the time, then about half a second's worth
  stream.synchronize();
  while (seconds.size() < count) {
    const auto host_start = std::chrono::steady_clock::now();
    std::vector<Timestamp> marks;
    if (has_clock) marks.push_back(stream.timestamp());
    for (uint32_t i = 0; i < batch; ++i) {
      record(stream);
      if (has_clock) marks.push_back(stream.timestamp());
    }
    stream.synchronize();
    const double host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - host_start).count();
    if (!has_clock) seconds.push_back(host_seconds);
    for (size_t i = 1; i < marks.size(); ++i) seconds.push_back(marks[i].seconds_since(marks[i - 1]));
    const double affordable = std::clamp(0.5 / std::max(host_seconds / batch, 1e-9), 1.0, 64.0);
    batch = has_clock ? std::min(uint32_t(affordable), std::max(1u, uint32_t(count - seconds.size()))) : 1;
  }
  return seconds;
}

void poison(Stream& stream, const Buffer<std::byte>& output) {
  constexpr std::byte value{0xa5};
  const uint64_t words = output.size() / 4 * 4, rest = output.size() - words;  // fills are of whole words
  stream.fill(output.part(0, words), value);
  const std::vector<std::byte> last(rest, value);
  stream.upload(output.part(words, rest), std::span(last));
}

void print_values(ScalarType type, std::span<const std::byte> values) {
  constexpr size_t most = 20, ends = 5;
  const size_t count = values.size() / bytes(type);
  std::string line = "[";
  for (size_t i = 0; i < count; ++i) {
    if (count > most && i == ends) {
      line += ", ...";
      i = count - ends;
    }
    line += (i ? ", " : "") + format_value(type, values.data() + i * bytes(type));
  }
  std::printf("%s]\n", line.c_str());
}

void write_or_print(std::optional<OutputFile>& file, ScalarType type, std::span<const uint64_t> shape,
                    std::span<const std::byte> result) {
  if (!file) return print_values(type, result);
  write_array(*file, type, shape, result);
  file->commit();
}

void note(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", line.c_str());
}

void require_verified(const std::optional<std::string>& wrong, const std::string& against) {
  if (wrong) throw std::runtime_error("verification failed: " + *wrong);
  note("verified against " + against);
}

}  // namespace weft::tools
