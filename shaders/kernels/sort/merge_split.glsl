// The split of two sorted runs at a diagonal: the number of elements of the first run among the first merged elements.
// (Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.)
//
// Gives:    WeftIndex weft_find_split(pair)            at pair.diagonal; for one invocation
//           WeftIndex weft_subgroup_find_split(pair)   the same by the lanes of a subgroup together
// Macros:   those of weft/kernels/sort/merge_pair.glsl and weft/thread/comparison.glsl
#ifndef WEFT_KERNELS_MERGE_SPLIT
#define WEFT_KERNELS_MERGE_SPLIT

#include "weft/kernels/sort/merge_pair.glsl"
#include "weft/subgroup/narrow.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/thread/comparison.glsl"

// The splits that the ends of both runs allow.
struct WeftSplitRange {
  WeftIndex low, high;
};

WeftSplitRange weft_split_range(WeftMergePair pair) {
  WeftSplitRange range;
  range.low = weft_subtract(pair.diagonal, weft_min(pair.diagonal, pair.moving));
  range.high = weft_min(pair.diagonal, pair.first_count);
  if (weft_less(range.low, pair.staying)) range.low = pair.staying;
  range.low = weft_min(range.low, range.high);
  return range;
}

// Whether that element of the first run precedes the element of the second that is its alternative on the diagonal.
bool weft_is_before_split(WeftMergePair pair, WeftIndex element) {
  WeftIndex after = weft_add(element, weft_index(1u));
  T a = weft_load_at(args.first, weft_add(pair.first, element));
  T b = weft_load_at(args.second, weft_add(pair.second, weft_subtract(pair.diagonal, after)));
  return !weft_before(b, a);
}

WeftIndex weft_find_split(WeftMergePair pair) {
  WeftSplitRange range = weft_split_range(pair);
  while (weft_less(range.low, range.high)) {
    WeftIndex middle = weft_add(range.low, weft_half(weft_subtract(range.high, range.low)));
    if (weft_is_before_split(pair, middle)) {
      range.low = weft_add(middle, weft_index(1u));
    } else {
      range.high = middle;
    }
  }
  return range.low;
}

WeftIndex weft_subgroup_find_split(WeftMergePair pair) {
  WeftSplitRange range = weft_split_range(pair);
  WeftSearch search = weft_search(range.low, weft_subtract(range.high, range.low));
  while (weft_is_open(search)) {
    bool before = weft_looks(search) && weft_is_before_split(pair, weft_probe(search));
    search = weft_narrow(search, before);
  }
  return search.first;
}

#endif
