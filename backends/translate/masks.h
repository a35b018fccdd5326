#pragma once

#include <vector>

#include "backends/translate/structure.h"

namespace weft::translate {

/// The constructs of a function that need a mask of active lanes: those where lanes may diverge and that contain a
/// subgroup operation, or that some lanes leave for good while others reach one.
///
/// In a function that runs once for a subgroup, also the constructs that each lane runs alone, in a loop over the
/// lanes.
class Masks {
 public:
  /// `acts`: whether the function contains a subgroup operation. `runs_once`: whether it runs once for a subgroup.
  Masks(const Structure& structure, bool acts, bool runs_once);

  /// Whether `mask` has the active lanes in the construct.
  bool tracked(int construct) const { return tracked_[construct]; }
  bool masked(int construct) const { return masked_[construct]; }
  /// Whether a switch sends all lanes through all cases in order.
  bool masked_cases(int switch_construct) const;
  /// The innermost masked construct from this one outwards; -1 for none.
  int innermost(int construct) const { return innermost_[construct]; }
  /// The innermost masked construct from `from` outwards, up to but excluding `owner`; -1 for none.
  int below(int from, int owner) const;
  /// The outermost construct around this one, or itself, that each lane runs alone; -1 for none.
  int lane_root(int construct) const { return lane_root_[construct]; }
  /// Whether a subgroup's one flow of control parts at the construct's header.
  bool parts_lanes(int construct) const;

 private:
  void find_of_invocations(bool acts);
  void find_of_subgroups();
  bool wants_mask(int construct) const;

  const Structure& structure_;
  const bool runs_once_;
  std::vector<bool> tracked_, masked_;
  std::vector<int> innermost_, lane_root_;
};

}  // namespace weft::translate
