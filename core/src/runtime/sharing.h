#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <weft/device_info.h>

#include "core/src/platform/handle.h"

/// Memory and semaphores that devices share by file descriptor, whatever their backends.
namespace weft::core {

/// Identifies a GPU across all APIs of its driver.
using Uuid = std::array<uint8_t, 16>;

/// Throws invalid_argument, naming both GPUs, unless `exporter` is `own`, the UUID of `device`. `what` starts the
/// error.
void check_same_gpu(const char* what, const DeviceInfo& device, const Uuid& own, std::span<const uint8_t> exporter);

/// A descriptor that a caller hands over to an import. The driver takes a duplicate, so that the caller keeps its
/// descriptor if any step of the import fails.
class HandedOver {
 public:
  /// Throws invalid_argument if `fd` is not open, and unsupported where devices do not share by descriptors. `what`
  /// starts the error.
  HandedOver(const char* what, int fd);

  /// For the driver. Release it once the driver owns it.
  Handle& duplicate() { return duplicate_; }
  /// The import has succeeded: closes the caller's descriptor.
  void accept() { const Handle closed(fd_); }

 private:
  int fd_;
  Handle duplicate_;
};

}  // namespace weft::core
