#include "algorithms/src/base/tuning.h"

#include "algorithms/src/base/tuning_file.h"

namespace weft::algorithms {

uint32_t Tuning::copies(uint64_t copy_bytes, uint64_t room, uint64_t beside_bytes) const {
  const uint64_t most = std::min<uint64_t>(shared_bytes, room);
  uint32_t fit = 1;
  while (fit < shared_copies && 2 * fit * copy_bytes + beside_bytes <= most) fit *= 2;
  return fit;
}

Tuner::Tuner(std::string primitive, const DeviceInfo& device, uint32_t element_bytes)
    : primitive_(std::move(primitive)), device_(device), element_bytes_(element_bytes) {
  const auto file = tuning_file();
  if (!file) return;
  for (const TuningEntry& entry : read_tuning(*file)) {
    if (entry.primitive == primitive_ && entry.element_bytes == element_bytes && entry.backend == device.backend &&
        entry.device == device.name) {
      measured_.push_back({entry.count, entry.tuning});
    }
  }
  std::ranges::sort(measured_, {}, &Measured::count);
}

Tuning Tuner::at(uint64_t max_count) const {
  if (measured_.empty()) return default_tuning(primitive_, {device_, element_bytes_, max_count});
  const auto reaches = std::ranges::lower_bound(measured_, max_count, {}, &Measured::count);
  return reaches == measured_.end() ? measured_.back().tuning : reaches->tuning;
}

}  // namespace weft::algorithms
