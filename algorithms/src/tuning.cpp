#include "algorithms/src/tuning.h"

namespace weft::algorithms {
namespace {

// NVIDIA's large GPUs from Hopper on, through CUDA: there a kernel's registers can be bounded, and the code between
// publishing and looking back is short enough for the pause to pay. Through Vulkan, on the same GPU, neither is so.
bool is_large_cuda(const DeviceInfo& device) {
  constexpr uint32_t hoppers_memory = 227 * 1024;
  return device.backend == "cuda" && device.limits.workgroup_memory_bytes >= hoppers_memory;
}

}  // namespace

Tuning scan_tuning(const DeviceInfo& device, uint32_t element_words) {
  // Twelve 16-byte loads under way in each invocation: about 48 KiB a workgroup. Wider elements also hold wider sums.
  Tuning tuning{element_words <= 2 ? 192u : 96u, 0, 0};
  if (is_large_cuda(device)) {
    tuning.look_back_pause = 150;
    if (element_words == 1) {
      tuning.bytes_per_invocation = 176;  // Eleven loads leave registers for a third workgroup.
      tuning.resident_workgroups = 3;
    }
  }
  return tuning;
}

Tuning compact_tuning(const DeviceInfo& device, uint32_t element_words, bool by_flags) {
  Tuning tuning{192, 0, 0};  // As large as the workgroup memory of most devices lets a tile be.
  if (is_large_cuda(device)) {
    tuning.look_back_pause = 130;
    if (element_words == 1 && !by_flags) tuning.resident_workgroups = 3;  // Flags take registers as well.
  }
  return tuning;
}

}  // namespace weft::algorithms
