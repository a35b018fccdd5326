#include "core/src/runtime/sharing.h"

#include <algorithm>
#include <string>

#include <weft/error.h>

#include "core/src/platform/shared_descriptor.h"

namespace weft::core {

namespace {

/// "6d657361-3235-2e30-2e37-2d327e627000"
std::string text_of(std::span<const uint8_t> uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[uuid[i] >> 4];
    text += digits[uuid[i] & 15];
  }
  return text;
}

}  // namespace

void check_same_gpu(const char* what, const DeviceInfo& device, const Uuid& own, std::span<const uint8_t> exporter) {
  if (std::ranges::equal(own, exporter)) return;
  throw Error(ErrorCode::invalid_argument, std::string(what) + ": the descriptor belongs to the GPU with the UUID " +
                                               text_of(exporter) + ", and " + device.selector + " (" + device.name +
                                               ") is " + text_of(own) + "; import it on the GPU that exported it");
}

HandedOver::HandedOver(const char* what, int fd) : fd_(fd), duplicate_(duplicate_descriptor(what, fd)) {}

}  // namespace weft::core
