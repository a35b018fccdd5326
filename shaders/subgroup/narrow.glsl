// Search of consecutive indices by the lanes of a subgroup together: how many of them have a property that the first
// ones have and the later ones do not. All lanes probe at once, so n indices take log n to base lanes + 1 probes.
//
// Gives:    WeftSearch weft_search(WeftIndex first, WeftIndex left)   a search of indices [first, first + left)
//           bool weft_is_open(search)        whether the search goes on; if not, `first` is the answer
//           bool weft_looks(search)          whether this lane has something to probe
//           WeftIndex weft_probe(search)     the index that it probes
//           WeftSearch weft_narrow(search, bool found)
//                   the rest of the search; found: the lane probes and sees the property
// Macros:   those of weft/thread/count.glsl and weft/subgroup/lanes.glsl
// Usage:    weft_subgroup_lower_bound() of search.glsl
//
// All lanes of the subgroup call its functions together, with the same search.
#ifndef WEFT_SUBGROUP_NARROW
#define WEFT_SUBGROUP_NARROW

#include "weft/subgroup/lanes.glsl"
#include "weft/thread/count.glsl"

struct WeftSearch {
  WeftIndex first, left;  // The answer is in [first, first + left].
  WeftIndex step;         // The distance between the probes of neighbouring lanes.
};

WeftIndex weft_steps(WeftSearch search, uint number) {
  return weft_index(weft_multiply(weft_wide(search.step), number));
}

WeftSearch weft_search(WeftIndex first, WeftIndex left) {
  uint rest;
  uvec2 part = weft_divide(weft_wide(left), weft_lanes() + 1u, rest);
  return WeftSearch(first, left, weft_index(weft_add(part, 1u)));
}

bool weft_is_open(WeftSearch search) { return search.left != weft_index(0u); }

bool weft_looks(WeftSearch search) {
  return !weft_less(search.left, weft_steps(search, gl_SubgroupInvocationID + 1u));
}

WeftIndex weft_probe(WeftSearch search) {
  return weft_subtract(weft_add(search.first, weft_steps(search, gl_SubgroupInvocationID + 1u)), weft_index(1u));
}

WeftSearch weft_narrow(WeftSearch search, bool found) {
  WeftIndex passed = weft_steps(search, subgroupBallotBitCount(subgroupBallot(found)));
  WeftIndex behind = weft_subtract(search.left, passed), between = weft_subtract(search.step, weft_index(1u));
  return weft_search(weft_add(search.first, passed), weft_min(behind, between));
}

#endif
