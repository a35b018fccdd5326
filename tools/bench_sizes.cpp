#include "bench_sizes.h"

#include <weft/error.h>
#include "support/text.h"

namespace weft::tools {

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

std::string default_sizes(const DeviceInfo& device) {
  return device.kind == DeviceKind::cpu ? "2^16..2^20" : "2^16..2^28";
}

}  // namespace weft::tools
