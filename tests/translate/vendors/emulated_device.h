#pragma once

#include <weft/device.h>
#include <weft/translate.h>

namespace weft::test {

/// A device that runs the translator's output for CUDA or HIP on the CPU, in warps of `subgroup_size` lanes. It tests
/// masks and the prelude's algorithms, but not a GPU's memory or order.
Device emulated_device(TranslationTarget target, uint32_t subgroup_size);

}  // namespace weft::test
