#include <weft/grid_barrier.h>

#include <string>

#include <weft/error.h>
#include <weft/progress.h>

#include "algorithms/src/persistent/structure_memory.h"

namespace weft {

using namespace algorithms;

GridBarrier::GridBarrier(const Device& device) { require_forward_progress(device, "GridBarrier"); }

void GridBarrier::record_clear(Recorder& recorder, const Region& memory) const {
  fill_words(recorder, require_memory("GridBarrier", memory, bytes()), 0);
}

void GridBarrier::require_resident(const Kernel& kernel, uint32_t groups) const {
  const uint32_t resident = kernel.resident_workgroups();
  if (groups <= 1 || groups <= resident) return;
  const std::string waiting = "GridBarrier: " + std::to_string(groups) + " workgroups of '" + kernel.name() +
                              "' would wait for one another, but ";
  throw Error(ErrorCode::unsupported,
              waiting + (resident == 0 ? "the device does not say how many run at once. Take those that "
                                         "weft_grid_discover() finds (weft/device/grid_discover.glsl)."
                                       : "the device runs " + std::to_string(resident) +
                                             " at once. Dispatch at most that many."));
}

GridDiscovery::GridDiscovery(const Device& device) { require_forward_progress(device, "GridDiscovery"); }

void GridDiscovery::record_clear(Recorder& recorder, const Region& memory) const {
  fill_words(recorder, require_memory("GridDiscovery", memory, bytes()), 0);
}

}  // namespace weft
