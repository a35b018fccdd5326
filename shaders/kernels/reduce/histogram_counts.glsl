// What the histograms share: push constants, the slot in which a sample is counted, and the way from slots to the
// output. Mirrored in algorithms/src/reduce/histogram.cpp.
//
// Gives:    args
//           void weft_load_edges()   called first, with a barrier after it; with WEFT_SHARED_EDGES
//           bool weft_slot_of(T x, WeftEven even, channel, out slot)   the slot of a sample, if it has one
//           void weft_add_to_counts(bin, uvec2 amount)   adds to the output
//           void weft_put_counts(WeftEven even)          adds a workgroup's counts, by all its invocations
// Macros:   WEFT_SAMPLE(x)   uint, int or float of an element; with WEFT_EVEN_64 a 64-bit integer
//           WEFT_BY_VALUE    optional, for samples of 8 bits: counts each value in workgroup memory, and finds its bins
//                            at the end, with no arithmetic for each sample
//           WEFT_CLOSED      optional: the last bin also has its upper end
//           WEFT_WIDE_COUNTS optional: counts have 64 bits; or WEFT_WIDENED_COUNTS, whose upper words stay zero
//           WEFT_SHARED_BINS optional: see weft/workgroup/histogram.glsl
//           those of weft/thread/bin.glsl and weft/thread/element_memory.glsl
#ifndef WEFT_KERNELS_HISTOGRAM_COUNTS
#define WEFT_KERNELS_HISTOGRAM_COUNTS

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/bin.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/thread/numeric_order.glsl"
#ifdef WEFT_SHARED_BINS
#include "weft/workgroup/histogram.glsl"
#endif

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftCounts { uint word[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 edges;
  uvec2 weights;
  WeftCounts counts;
  WeftCount count_on_device;
  uvec2 count;
  WeftEven even;
  uint groups;
  uint options;
} args;

const uint weft_all_bins = WEFT_BINS * WEFT_COUNTED;
const uint weft_byte_values = 256;  // Of samples of 8 bits.

void weft_add_to_counts(uint bin, uvec2 amount) {
#if defined(WEFT_WIDENED_COUNTS)
  atomicAdd(args.counts.word[2u * bin], amount.x);
#elif defined(WEFT_WIDE_COUNTS)
  uint before = atomicAdd(args.counts.word[2u * bin], amount.x);
  uint high = amount.y + uint(before + amount.x < before);
  if (high > 0u) atomicAdd(args.counts.word[2u * bin + 1u], high);
#else
  atomicAdd(args.counts.word[bin], amount.x);
#endif
}

void weft_set_counts(uint bin, uvec2 amount) {
#if defined(WEFT_WIDE_COUNTS) || defined(WEFT_WIDENED_COUNTS)
  args.counts.word[2u * bin] = amount.x;
  args.counts.word[2u * bin + 1u] = amount.y;
#else
  args.counts.word[bin] = amount.x;
#endif
}

#ifdef WEFT_EVEN_64
#define WEFT_ORDER_BITS uint64_t
#else
#define WEFT_ORDER_BITS uint
#endif

#ifdef WEFT_EDGES
const uint weft_all_edges = (WEFT_BINS + 1) * WEFT_COUNTED;

#ifdef WEFT_SHARED_EDGES
shared uint weft_edges[weft_all_edges];
uint weft_edge(uint i) { return weft_edges[i]; }
#else
WEFT_ORDER_BITS weft_edge(uint i) { return weft_numeric_order_bits(WEFT_SAMPLE(weft_load_element(args.edges, 0u, i))); }
#endif

// The bin of the last edge that is not above x, by bisection.
bool weft_bin_of(T x, WeftEven even, uint channel, out uint bin) {
  WEFT_ORDER_BITS wanted = weft_numeric_order_bits(WEFT_SAMPLE(x));
  uint first = channel * (WEFT_BINS + 1u);
  uint below = 0u, above = WEFT_BINS;
  while (above - below > 1u) {
    uint middle = (below + above) / 2u;
    if (weft_edge(first + middle) <= wanted) {
      below = middle;
    } else {
      above = middle;
    }
  }
  bin = below;
#ifdef WEFT_CLOSED
  return weft_edge(first) <= wanted && wanted <= weft_edge(first + WEFT_BINS);
#else
  return weft_edge(first) <= wanted && wanted < weft_edge(first + WEFT_BINS);
#endif
}
#elif defined(WEFT_EVEN_64)
bool weft_bin_of(T x, WeftEven even, uint channel, out uint bin) { return weft_even_bin(x, even, WEFT_BINS, bin); }
#else
bool weft_bin_of(T x, WeftEven even, uint channel, out uint bin) { return weft_even_bin(WEFT_SAMPLE(x), even, bin); }
#endif

// The slot in which a sample is counted, if any.
bool weft_slot_of(T x, WeftEven even, uint channel, out uint slot) {
#ifdef WEFT_BY_VALUE
  slot = channel * weft_byte_values + (uint(x) & 0xFFu);
  return true;
#else
  uint bin = 0u;
  bool inside = weft_bin_of(x, even, channel, bin);
  slot = channel * WEFT_BINS + bin;
  return inside;
#endif
}

void weft_load_edges() {
#ifdef WEFT_SHARED_EDGES
  for (uint i = gl_LocalInvocationIndex; i < weft_all_edges; i += gl_WorkGroupSize.x) {
    weft_edges[i] = weft_numeric_order_bits(WEFT_SAMPLE(weft_load_element(args.edges, 0u, i)));
  }
#endif
}

#ifdef WEFT_SHARED_BINS
// Adds the workgroup's counts to the output.
void weft_put_counts(WeftEven even) {
#ifdef WEFT_BY_VALUE
  for (uint slot = gl_LocalInvocationIndex; slot < weft_byte_values * WEFT_COUNTED; slot += gl_WorkGroupSize.x) {
    uvec2 sum = weft_sum_of_bin(slot);
    uint channel = slot / weft_byte_values, bin;
    bool inside = weft_bin_of(T(slot % weft_byte_values), even, channel, bin);
    if (inside && sum != uvec2(0u)) weft_add_to_counts(channel * WEFT_BINS + bin, sum);
  }
#else
  for (uint bin = gl_LocalInvocationIndex; bin < weft_all_bins; bin += gl_WorkGroupSize.x) {
    uvec2 sum = weft_sum_of_bin(bin);
    if (args.groups == 1u) {
      weft_set_counts(bin, sum);
    } else if (sum != uvec2(0u)) {
      weft_add_to_counts(bin, sum);
    }
  }
#endif
}
#endif

#endif
