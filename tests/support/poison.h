#pragma once

#include <weft/device.h>

namespace weft::test {

/// From now on every new buffer of the device starts as random bytes: outputs, temporary storage, and the allocations
/// of convenience functions. CPU drivers return zeroed memory, which hides unwritten outputs of zeros, and storage that
/// a primitive forgot to clear.
///
/// In buffers above 1 MiB only the first and last 512 KiB are filled.
void poison_new_buffers(const Device& device);

}  // namespace weft::test
