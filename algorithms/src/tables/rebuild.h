#pragma once

#include <optional>

#include <weft/hash_table.h>
#include <weft/scan.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/tables/hash_kernels.h"

namespace weft::algorithms {

/// Push constants of shaders/kernels/tables/rebuild.glsl.
struct RebuildBlock {
  uint64_t slots, capacity, keys, values, results, counts, words, indices, gaps, added, used, list, shifts,
      count_on_device, count;
  uint32_t options, pass;
};

/// Arguments of the plans that rebuild a table, checked.
struct RebuildArguments {
  Region table, keys, values, results;
  CountOutput counts;
  Count count;
  ResolvedCount resolved;
  Region temporary;
};

/// Rebuilds a bidirectional table: lists its entries in the order of their hashes, without those that are erased and
/// with room for new ones, and stores the list into the emptied table.
///
/// Entry i of n goes to slot i + shift. A shift of home - i would be its home; shifts must not decrease, and where they
/// increase, the gap must not be between an entry and its home. Their largest so far gives the lowest such slots above
/// the homes, their smallest from there on those below. The mean of the two is the target. Then each entry takes the
/// value nearest to the target that keeps both rules: its own shift, limited by the target's side that it is on. That
/// takes two more scans. Entries are as close to their homes as insertions one by one would bring them.
class Rebuild {
 public:
  /// For arrays of up to `max_keys` keys.
  Rebuild(const char* primitive, const HashTable& table, uint64_t max_keys, const std::optional<Tuning>& tuning);

  /// Throws unsupported for tables and arrays whose indices need 64 bits.
  static void check(const char* primitive, const HashTable::Impl& table);

  /// Parts of the temporary storage.
  struct Parts {
    TemporaryLayout::Part used, list, shifts, steps;
  };
  /// Adds them. `more_steps`: bytes that others need at other times.
  Parts add_to(TemporaryLayout& layout, uint64_t more_steps) const;

  Tiling tiling() const { return tiling_; }
  void dispatch(Recorder& recorder, const Kernel& kernel, uint64_t elements, const RebuildBlock& block) const;
  /// The arguments and parts as push constants; those of sorted keys are 0.
  RebuildBlock block(const RebuildArguments& arguments, const Parts& parts) const;
  /// Marks the slots in use.
  void mark_used(Recorder& recorder, const RebuildBlock& block) const;
  /// Sums of marks, one for each key, in place.
  void add_up(Recorder& recorder, const Region& marks, const Count& count, const Region& steps) const;
  /// Lists the entries in the marked slots.
  void list_entries(Recorder& recorder, const Parts& parts, const Region& temporary, const RebuildBlock& block) const;
  /// Stores the list.
  void store(Recorder& recorder, const Region& table, const Parts& parts, const Region& temporary,
             const RebuildBlock& block) const;

 private:
  HashTable table_;
  Tiling tiling_;
  Scan sum_, largest_, smallest_;
  Kernel used_, list_, center_, place_;
};

}  // namespace weft::algorithms
