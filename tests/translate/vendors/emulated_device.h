#pragma once

#include <weft/device.h>
#include <weft/translate.h>

namespace weft::test {

/// A device that runs the CUDA or HIP output of the translator on the CPU, in warps of `subgroup_size` lanes: it shows
/// whether masks and the algorithms of the prelude are right, and nothing of a GPU's memory or order.
Device emulated_device(TranslationTarget target, uint32_t subgroup_size);

}  // namespace weft::test
