#pragma once

#include <weft/device_info.h>

#include "backends/hip/compiler.h"
#include "backends/hip/functions.h"

namespace weft::hip {

/// A device as list_devices() shows it. `compiler` is null where there is none, for the reason `no_compiler`: the
/// device is refused then.
DeviceInfo describe(const Functions& hip, int ordinal, const Compiler* compiler, const std::string& no_compiler);

/// Compute units, each of which runs workgroups of its own.
uint32_t multiprocessors(const Functions& hip, int ordinal);

}  // namespace weft::hip
