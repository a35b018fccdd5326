#include "tools/primitive.h"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "support/standard_streams.h"
#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

// Standard input and output are single streams: a command cannot use one of them for two files.
void take_once(bool& taken, const char* stream) {
  if (!std::exchange(taken, true)) return;
  throw Error(ErrorCode::invalid_argument, std::string("'-' is given twice, but there is only one ") + stream);
}

}  // namespace

std::optional<ScalarType> PrimitiveOptions::raw_type() const {
  if (type.empty()) return std::nullopt;
  return parse_scalar_type(type);
}

Device PrimitiveOptions::open_device() const {
  DeviceOptions options = DeviceOptions::from_environment();
  options.timeout = std::chrono::nanoseconds(int64_t(timeout_seconds * 1e9));
  options.queues = 1;
  return weft::open_device(device, options);
}

Operation PrimitiveOptions::parsed_operation() const {
  if (operation == "sum") return Operation::sum;
  if (operation == "min") return Operation::min;
  if (operation == "max") return Operation::max;
  throw Error(ErrorCode::invalid_argument,
              "--op: '" + operation + "' is not an operation; the operations are sum, min and max");
}

void add_device_option(Verb& verb, std::string& selector) {
  verb.add_option("-d,--device", selector,
                  "A device as listed by weft devices, e.g. vulkan:0 or vulkan:llvmpipe; default: the best one")
      .type_name("DEVICE");
}

std::string refuse_no_name(const std::string& file) {
  return file.empty() ? "'' is not the name of a file to write" : "";
}

Option add_output_option(Verb& verb, const char* name, std::string& file, const char* help) {
  return verb.add_option(name, file, help).type_name("FILE").check(refuse_no_name).check([](const std::string& given) {
    return given == "-"
               ? "'-' does not mean standard output here; use /dev/stdout for that, or ./- for a file of that name"
               : "";
  });
}

Option add_array_option(Verb& verb, const char* name, std::string& file, const char* help) {
  return verb.add_option(name, file, help).type_name("FILE").check(refuse_no_name).check(refuse_archive);
}

void add_primitive_options(Verb& verb, PrimitiveOptions& options) {
  verb.add_option(
          "IN", options.input,
          "A .npy file of numbers (b1, NumPy's bool, is read as u8), or raw numbers with --type; - is standard input")
      .required()
      .type_name("FILE");
  add_array_option(verb, "-o,--output", options.output,
                   "Write the result to this file: .npy by its name, else raw numbers. - is standard output: raw with "
                   "--type, else .npy. Default: print the result");
  verb.add_option(
          "--type", options.type,
          "Type of raw numbers: u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64; .npy files record their own")
      .type_name("TYPE");
  add_device_option(verb, options.device);
  verb.add_option("--repeat", options.repeat,
                  "Run N times, and report the median, fastest and slowest times; on some drivers the first run "
                  "includes compilation")
      .type_name("N")
      .range(1u, 1000000u)
      .capture_default();
  verb.add_option("--timeout", options.timeout_seconds, "Give up after this many seconds")
      .type_name("SECONDS")
      .range(0.001, 1e6)
      .capture_default();
  verb.add_flag("--verify", options.verify,
                "Compare the result with the CPU's: integers, min and max exactly, floating-point sums to within the "
                "rounding errors of another order of addition. A difference is an error, and nothing is written");
}

void add_operation_option(Verb& verb, PrimitiveOptions& options) {
  verb.add_option("--op", options.operation, "Operation: sum, min or max, which skip NaNs")
      .type_name("OP")
      .capture_default();
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

std::string input_path(const std::string& name) {
  if (name != "-") return name;
  static bool taken = false;
  take_once(taken, "standard input");
  return "/dev/stdin";
}

Array read_elements(const PrimitiveOptions& options) {
  return read_array(input_path(options.input), options.raw_type());
}

ScalarType sum_type(const PrimitiveOptions& options, ScalarType type) {
  const bool adds = options.parsed_operation() == Operation::sum;
  if (!adds || !options.type.empty() || is_float(type)) return type;
  return is_signed_integer(type) ? ScalarType::i64 : ScalarType::u64;
}

namespace {

template <typename T, typename Sum>
Array converted(const Array& input, ScalarType type) {
  Array wide{type, input.shape, std::vector<std::byte>(input.count() * sizeof(Sum))};
  auto* to = reinterpret_cast<Sum*>(wide.data.data());
  for (const T x : input.as<T>()) *to++ = Sum(x);  // NOLINT(bugprone-signed-char-misuse): a number
  return wide;
}

}  // namespace

Array with_wide_sums(const PrimitiveOptions& options, const Array& input) {
  const ScalarType type = sum_type(options, input.type);
  if (type == input.type) return input;
  return visit_sample_type(input.type, [&](auto t) {
    using T = typename decltype(t)::type;
    return converted<T, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(input, type);
  });
}

void check_sum_type(const Device& device, ScalarType numbers, ScalarType sums) {
  if (numbers == sums || bytes(sums) < 8 || is_float(sums) || device.info().features.int64) return;
  throw Error(ErrorCode::unsupported, "sums of " + to_string(numbers) + " have 64 bits, but " + describe(device) +
                                          " has no 64-bit integers; with --type " + to_string(numbers) +
                                          " sums have that type, and wrap around");
}

Array read_beside(const Array& input, const std::string& file) { return read_beside(input.type, file); }

Array read_beside(ScalarType raw_type, const std::string& file) { return read_array_like(input_path(file), raw_type); }

std::optional<ArrayFile> open_output(const PrimitiveOptions& options, const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name != "-") return ArrayFile(name);
  if (output_is_terminal()) {
    throw Error(ErrorCode::invalid_argument,
                "refusing to write binary data to a terminal; omit -o to print the numbers, or name a file");
  }
  static bool taken = false;
  take_once(taken, "standard output");
  return ArrayFile("/dev/stdout", options.type.empty());
}

std::string describe(const Device& device) { return device.info().selector + " (" + device.info().name + ")"; }

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

void write_or_print(std::optional<ArrayFile>& file, ScalarType type, std::span<const uint64_t> shape,
                    std::span<const std::byte> result) {
  if (!write_results({{file, type, shape, result}})) print_values(type, result);
}

void note(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", printable(line).c_str());
}

void fail_invalid(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

void require_verified(const std::optional<std::string>& wrong, const std::string& against) {
  if (wrong) throw std::runtime_error("verification failed: " + *wrong);
  note("verified against " + against);
}

}  // namespace weft::tools
