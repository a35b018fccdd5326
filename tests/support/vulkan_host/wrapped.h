#pragma once

#include <weft/device.h>

namespace weft::test {

/// A device of the tests' own that is wrapped, made with the fewest features that Weft takes and streams need. Lives as
/// long as the process, as an engine's does.
Device open_wrapped_device();

}  // namespace weft::test
