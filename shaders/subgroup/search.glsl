// Search in an ascending list of offsets in device memory.
//
// Gives:    WeftIndex weft_lower_bound(offsets, first, last, WeftIndex element)
//                   the first of offsets [first, last) that is not below `element`, or `last`; for one invocation
//           WeftIndex weft_subgroup_lower_bound(offsets, number, element)
//                   the same over all of them, by the lanes of a subgroup together
//           WeftOffsetRange weft_subgroup_range(offsets, number, begin, end)   those that name elements [begin, end)
// Macros:   those of weft/thread/indices.glsl
// Usage:    WeftOffsetRange range = weft_subgroup_range(args.offsets, number, start, weft_add(start, limit));
//
// All lanes of a subgroup call its functions together, with the same arguments.
#ifndef WEFT_SUBGROUP_SEARCH
#define WEFT_SUBGROUP_SEARCH

#include "weft/subgroup/narrow.glsl"
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
  WeftSearch search = weft_search(weft_index(0u), number);
  while (weft_is_open(search)) {
    bool below = weft_looks(search) && weft_less(weft_load_index(offsets, weft_probe(search)), element);
    search = weft_narrow(search, below);
  }
  return search.first;
}

WeftOffsetRange weft_subgroup_range(uvec2 offsets, WeftIndex number, WeftIndex begin, WeftIndex end) {
  return WeftOffsetRange(weft_subgroup_lower_bound(offsets, number, begin),
                         weft_subgroup_lower_bound(offsets, number, end));
}

#endif
