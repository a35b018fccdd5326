#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/device_info.h>
#include <weft/tuning.h>

#include "algorithms/src/base/tuning_values.h"

namespace weft::algorithms {

/// What default values depend on. They may change with the count at powers of two (2^20, say), and at 2^32, where
/// counts need more than 32 bits.
struct TuningQuery {
  const DeviceInfo& device;
  uint32_t element_bytes;
  uint64_t max_count;  ///< Of the plan.
};

/// Where a primitive's default tiles on a CPU come from: they are those of GPUs, made smaller, or were measured there.
enum class CpuTiles { shrunk, measured };

/// A primitive that is tuned: its name in tuning files, and the values that come with Weft.
template <class Values>
struct TunedPrimitive {
  const char* name;
  Values (*defaults)(const TuningQuery&);
  CpuTiles cpu_tiles = CpuTiles::shrunk;
};

/// On a CPU, limits an invocation's part of a tile: to 64 elements if the tile was measured, else to 64 bytes. A CPU
/// has no latency to hide, and its compilers take long over large unrolled loops.
void limit_for_cpu(TileTuning& tile, const TuningQuery& query, CpuTiles tiles);

template <class Values>
Values default_values(const TunedPrimitive<Values>& primitive, const TuningQuery& query) {
  Values values = primitive.defaults(query);
  limit_for_cpu(values.tile, query, primitive.cpu_tiles);
  return values;
}

/// Values as entries of a tuning have them.
template <class Values>
Tuning::Values named_values(const Values& values) {
  Tuning::Values named;
  Values::each(values, [&](const char* name, uint32_t value, const ValueRange&) { named[name] = value; });
  return named;
}

/// Reads the values of an entry one by one.
class EntryReader {
 public:
  explicit EntryReader(const Tuning::Entry& entry) : entry_(entry) {}

  /// Leaves a value alone that the entry lacks. Throws invalid_argument if the entry's is out of range.
  void read(const char* name, uint32_t& value, const ValueRange& range);
  /// Throws invalid_argument if the entry has a value that was not read.
  void check_all_read() const;

 private:
  const Tuning::Entry& entry_;
  std::set<std::string> known_;
};

/// Throws what EntryReader throws.
template <class Values>
Values values_of(const Tuning::Entry& entry) {
  Values values;
  EntryReader reader(entry);
  Values::each(values,
               [&](const char* name, uint32_t& value, const ValueRange& range) { reader.read(name, value, range); });
  reader.check_all_read();
  return values;
}

/// The entries for a primitive on a device, by count.
std::vector<Tuning::Entry> entries_for(const Tuning& tuning, const char* primitive, const DeviceInfo& device,
                                       uint32_t element_bytes);

/// A plan's own tuning if it has one, else its device's.
Tuning tuning_of(const Device& device, const std::optional<Tuning>& own);

/// A primitive's values on one device: those of a tuning, else its defaults.
template <class Values>
class Tuner {
 public:
  /// Throws invalid_argument for an entry of the primitive with values that it does not have or that are out of range.
  Tuner(const TunedPrimitive<Values>& primitive, const DeviceInfo& device, const Tuning& tuning, uint32_t element_bytes)
      : primitive_(primitive), device_(device), element_bytes_(element_bytes) {
    for (const Tuning::Entry& entry : entries_for(tuning, primitive.name, device, element_bytes)) {
      measured_.push_back({entry.count, values_of<Values>(entry)});
    }
  }

  /// For a plan of up to `max_count` elements.
  Values at(uint64_t max_count) const {
    if (measured_.empty()) return default_values(primitive_, {device_, element_bytes_, max_count});
    const auto reaches = std::ranges::lower_bound(measured_, max_count, {}, &Measured::count);
    return reaches == measured_.end() ? measured_.back().values : reaches->values;
  }

  /// The most tiles of any plan of up to `max_count` elements, with the tiling `tiling_of(Values)`. Temporary storage
  /// for that number of tiles grows with the count even where larger plans have larger tiles.
  template <class TilingOf>
  uint64_t most_tiles(uint64_t max_count, const TilingOf& tiling_of) const {
    uint64_t most = 0;
    const auto see = [&](uint64_t count) { most = std::max(most, tiling_of(at(count)).tiles(count)); };
    see(max_count);
    if (max_count > UINT32_MAX) see(UINT32_MAX);
    for (uint64_t count = 1; count < max_count; count *= 2) {
      see(count);
      if (count > max_count / 2) break;
    }
    return most;
  }

 private:
  struct Measured {
    uint64_t count;
    Values values;
  };

  const TunedPrimitive<Values>& primitive_;
  const DeviceInfo& device_;
  uint32_t element_bytes_;
  std::vector<Measured> measured_;  // By count.
};

}  // namespace weft::algorithms
