#pragma once

#include <weft/device.h>

namespace weft::test {

/// Wraps a device that the tests create with as few features as Weft and its streams need. The device lives as long as
/// the process, as an engine's does.
Device open_wrapped_device();

}  // namespace weft::test
