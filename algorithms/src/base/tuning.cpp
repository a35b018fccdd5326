#include "algorithms/src/base/tuning.h"

#include <weft/error.h>

#include "core/src/runtime/tuning_file.h"

namespace weft::algorithms {

uint32_t CountingTuning::copies(uint64_t copy_bytes, uint64_t room, uint64_t beside_bytes) const {
  const uint64_t most = std::min<uint64_t>(shared_bytes, room);
  uint32_t fit = 1;
  while (fit < shared_copies && 2 * fit * copy_bytes + beside_bytes <= most) fit *= 2;
  return fit;
}

void limit_for_cpu(TileTuning& tile, const TuningQuery& query, CpuTiles tiles) {
  if (query.device.kind != DeviceKind::cpu) return;
  constexpr uint32_t most_bytes = 64, most_elements = 64;
  const uint32_t most = tiles == CpuTiles::measured ? most_elements * query.element_bytes : most_bytes;
  tile.bytes_per_invocation = std::min(tile.bytes_per_invocation, most);
}

void EntryReader::read(const char* name, uint32_t& value, const ValueRange& range) {
  known_.insert(name);
  const auto found = entry_.values.find(name);
  if (found == entry_.values.end()) return;
  value = found->second;
  if (range.contains(value)) return;
  throw Error(ErrorCode::invalid_argument,
              core::wrong_entry(entry_, std::string(name) + "=" + std::to_string(value) + " has to be " +
                                            (range.only ? std::string(range.only) + ", " : "") + "from " +
                                            std::to_string(range.least) + " to " + std::to_string(range.most)));
}

void EntryReader::check_all_read() const {
  for (const auto& [name, value] : entry_.values) {
    if (known_.contains(name)) continue;
    std::string names;
    for (const std::string& known : known_) names += (names.empty() ? "" : ", ") + known;
    throw Error(ErrorCode::invalid_argument,
                core::wrong_entry(entry_, entry_.primitive + " has no value '" + name + "'; it has " + names));
  }
}

std::vector<Tuning::Entry> entries_for(const Tuning& tuning, const char* primitive, const DeviceInfo& device,
                                       uint32_t element_bytes) {
  std::vector<Tuning::Entry> found;
  for (const Tuning::Entry& entry : tuning.entries()) {
    const bool of_plan = entry.primitive == primitive && entry.element_bytes == element_bytes;
    if (of_plan && entry.is_for(device)) found.push_back(entry);
  }
  std::ranges::stable_sort(found, {}, &Tuning::Entry::count);
  return found;
}

Tuning tuning_of(const Device& device, const std::optional<Tuning>& own) {
  return own ? *own : device.options().tuning;
}

}  // namespace weft::algorithms
