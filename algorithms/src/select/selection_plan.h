#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/compact.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/partition.h>
#include <weft/stream.h>
#include <weft/tile_path.h>

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// The parameters of a SelectionPlan, filled in by Compact and Partition.
struct SelectionWork {
  const char* primitive;  ///< For messages.
  const TunedPrimitive<StagedTuning>* tuned;
  std::optional<Tuning> tuning;  ///< Overrides the device's tuning.
  Element element;
  Selection selection;
  std::optional<Others> others;  ///< If set, elements that are not selected are written too.
  uint32_t index_bits = 0;       ///< 32 or 64: indices of as many bits are written instead of elements, without others.
  uint64_t max_count = 0;
  TilePath path = TilePath::automatic;  ///< Not look_back for Others::behind.
};

/// Writes the selected elements in their order, the others if wanted, and the number selected, by a scan of the numbers
/// selected in each tile. Immutable.
class SelectionPlan {
 public:
  SelectionPlan(const Device& device, const SelectionWork& work);

  TilePath path() const;
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;  ///< Empty for indices by flags.
    Region flags;  ///< For Selection::flagged().
    Region output;
    Region others;  ///< For Others::apart.
    CountOutput selected;
    Count count;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft::algorithms
