#include "tools/verbs/measure/bench_sizes.h"

#include <bit>

#include <weft/error.h>

#include "support/scalar_type.h"
#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

double parse_load(const std::string& text) {
  const uint64_t bits = parse_value(ScalarType::f64, text, "--load");
  const auto load = std::bit_cast<double>(bits);
  if (load > 0 && load <= 1) return load;
  throw Error(ErrorCode::invalid_argument, "--load: '" + text + "' is not above 0 and at most 1");
}

}  // namespace

std::vector<uint64_t> parse_sizes(const std::string& text) {
  std::vector<uint64_t> sizes;
  for (const std::string& part : split(text, ',')) {
    const size_t dots = part.find("..");
    const uint64_t first = parse_size(part.substr(0, dots), "--sizes");
    const uint64_t last = dots == std::string::npos ? first : parse_size(part.substr(dots + 2), "--sizes");
    if (first == 0 || last < first) {
      throw Error(ErrorCode::invalid_argument,
                  "--sizes " + part + ": sizes are at least 1, and ranges ascend, e.g. 2^16..2^26");
    }
    for (uint64_t size = first; size <= last; size *= 2) {
      sizes.push_back(size);
      if (size > last / 2) break;
    }
  }
  return sizes;
}

std::vector<double> parse_loads(const std::string& text) {
  std::vector<double> loads;
  for (const std::string& part : split(text, ',')) {
    const size_t dots = part.find("..");
    const double first = parse_load(part.substr(0, dots));
    loads.push_back(first);
    if (dots == std::string::npos) continue;
    const double last = parse_load(part.substr(dots + 2));
    for (int step = 1; first + 0.1 * step < last - 0.01; ++step) loads.push_back(first + 0.1 * step);
    if (last > first) loads.push_back(last);
  }
  return loads;
}

std::string default_sizes(const DeviceInfo& device) {
  return device.kind == DeviceKind::cpu ? "2^16..2^20" : "2^16..2^28";
}

}  // namespace weft::tools
