// Search in an ascending list of offsets in device memory.
//
// Gives:    WeftIndex weft_lower_bound(offsets, first, last, WeftIndex element)
//                   the first of offsets [first, last) that is not below `element`, or `last`; for one invocation
//           WeftIndex weft_subgroup_lower_bound(offsets, number, element)
//                   the same over all of them, by the lanes of a subgroup together
//           WeftOffsetRange weft_subgroup_range(offsets, number, begin, end)   which of them name elements [begin, end)
// Macros:   those of weft/thread/indices.glsl
// Usage:    WeftOffsetRange range = weft_subgroup_range(args.offsets, number, start, weft_add(start, limit));
//
// A subgroup cuts what is left into as many parts as it has lanes. All its lanes call its functions together, with
// the same arguments.
#ifndef WEFT_SUBGROUP_SEARCH
#define WEFT_SUBGROUP_SEARCH

#include "weft/subgroup/lanes.glsl"
#include "weft/thread/indices.glsl"

struct WeftOffsetRange {
  WeftIndex first, end;
};

WeftIndex weft_lower_bound(uvec2 offsets, WeftIndex first, WeftIndex last, WeftIndex element) {
  while (weft_less(first, last)) {
    WeftIndex middle = weft_add(first, weft_half(weft_subtract(last, first)));
    if (weft_less(weft_load_index(offsets, middle), element)) {
      first = weft_add(middle, weft_index(1u));
    } else {
      last = middle;
    }
  }
  return first;
}

WeftIndex weft_subgroup_lower_bound(uvec2 offsets, WeftIndex number, WeftIndex element) {
  uint lanes = weft_lanes(), rest;
  WeftIndex first = weft_index(0u), last = number;
  while (weft_less(first, last)) {
    // Lane l looks at first + l * step; those that are below the element come first.
    uvec2 step = weft_add(weft_divide(weft_wide(weft_subtract(last, first)), lanes, rest), 1u);
    WeftIndex probe = weft_add(first, weft_index(weft_multiply(step, gl_SubgroupInvocationID)));
    bool below = weft_less(probe, last) && weft_less(weft_load_index(offsets, probe), element);
    uint lanes_below = subgroupBallotBitCount(subgroupBallot(below));
    WeftIndex end = weft_add(first, weft_index(weft_multiply(step, lanes_below)));
    if (lanes_below > 0u) {
      first = weft_add(weft_subtract(end, weft_index(step)), weft_index(1u));
    }
    if (weft_less(end, last)) last = end;
  }
  return first;
}

WeftOffsetRange weft_subgroup_range(uvec2 offsets, WeftIndex number, WeftIndex begin, WeftIndex end) {
  return WeftOffsetRange(weft_subgroup_lower_bound(offsets, number, begin),
                         weft_subgroup_lower_bound(offsets, number, end));
}

#endif
