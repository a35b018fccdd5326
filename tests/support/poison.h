#pragma once

#include <weft/device.h>

namespace weft::test {

/// From now on every new buffer of the device starts as random bytes: outputs, temporary storage, and what convenience
/// functions allocate. CPU drivers hand out zeroed memory, where an output of zeros looks written and storage that a
/// primitive forgot to clear looks cleared.
///
/// Of a buffer above 1 MiB only the first and the last 512 KiB are filled.
void poison_new_buffers(const Device& device);

}  // namespace weft::test
