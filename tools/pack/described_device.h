#pragma once

#include <memory>

#include <weft/device.h>

#include "core/src/runtime/kernel_store.h"

namespace weft::tools {

/// A device that is described but not there: plans choose their kernels for it, and all that its driver would be given
/// goes into a pack, as machine code if it has an architecture. It has no memory and no streams. Throws unsupported,
/// with the reason, if nothing compiles for that architecture.
Device described_device(const DeviceInfo& info, const DeviceOptions& options, std::shared_ptr<core::PackSink> pack);

}  // namespace weft::tools
