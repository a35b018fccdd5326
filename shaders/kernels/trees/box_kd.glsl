// What the kernels share that build a kd-tree of boxes level by level.
//
// Gives:    args              the push constants
//           uint level_word(level, word), void set_level_word(level, word, value)   what is known of a level
//           BoxKdEntry        a reference to a primitive, .primitive, from a node, .node: its rank in the level
//           BoxKdEntry load_entry(i)      entry i of the level: those on the first side of a plane, then those on the
//                                         second. Entries of a node follow one another, in the order of nodes
//           void store_entry(i, entry)    for Split
//           BoxKdCell         a node of the level. Its box; .node: its index; .number: of its entries; .bins: its rank
//                             among nodes with bins, or weft_tree_none
//           BoxKdCell load_cell(level, rank), void store_cell(level, rank, cell)
//           BoxKdChoice       what becomes of it: the axis, or 3 for a leaf, the plane; .target: for a leaf, what turns
//                             the index of an entry into that of a reference; else its rank among those with children
//           BoxKdChoice load_choice(rank), void store_choice(rank, choice)
//           BoxKdSums         sums over nodes: .parents, those with children; .below, .above, the entries of these;
//                             .divided, entries of parents; .entries, of all; .bins, children that have bins
//           BoxKdSums load_sums(rank), void store_sums(rank, sums)
//           float plane_of(low, high, k)  plane k of 1 to 15 across a cell along an axis
#ifndef WEFT_KERNELS_TREES_BOX_KD
#define WEFT_KERNELS_TREES_BOX_KD

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/bvh_node.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 boxes;
  uvec2 entries;  // Before Split,
  uvec2 sides;    // and after it: room for max_references entries on either side.
  uvec2 cells;    // Of even levels, then of odd ones.
  uvec2 bins;     // For each axis and bin the number of boxes that begin, and that end, in it.
  uvec2 sums;     // Of each node; once they are scanned, with all before it.
  uvec2 levels;   // 16 words for each.
  uvec2 nodes;
  uvec2 references;
  WeftCount counts;
  uint max_references;
  uint max_nodes;
  uint level;
  uint last_level;
  uint leaf_size;
  uint node_cost;  // As bits.
  uint leaf_cost;
  uint options;
}
args;

// Words of a level.
const uint weft_level_nodes = 0u;       // Number of its nodes.
const uint weft_level_parents = 1u;     // Number of nodes of the level above that have children.
const uint weft_level_first = 2u;       // Number of nodes in all levels so far, its own included.
const uint weft_level_references = 3u;  // References in the levels above.
const uint weft_level_below = 4u;       // Entries below planes, as Split counts them,
const uint weft_level_above = 5u;       // and above.
const uint weft_level_entries = 6u;     // Both.
const uint weft_level_cutoff = 7u;      // The rank from which on there is no room for children.
const uint weft_level_divided = 8u;     // Entries of the nodes that have children,
const uint weft_level_dividing = 9u;    // and the number of these.
const uint weft_level_refused = 10u;    // Nodes in the levels above without room for children.

uint level_word(uint level, uint word) {
  return weft_load_word(weft_element_address(args.levels, 64u, level), 0u, word);
}
void set_level_word(uint level, uint word, uint value) {
  weft_store_word(weft_element_address(args.levels, 64u, level), 0u, word, value);
}

uint invocation() { return weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

struct BoxKdEntry {
  uint primitive, node;
};
const uint weft_below = 0x40000000u, weft_above = 0x80000000u;  // Sides, in .node, as Split reads them.

uint entry_count() { return level_word(args.level, weft_level_below) + level_word(args.level, weft_level_above); }

BoxKdEntry load_entry(uint i) {
  uint below = level_word(args.level, weft_level_below);
  bool is_below = i < below;
  uvec2 entry = weft_element_address(args.sides, 8u, is_below ? i : args.max_references + (i - below));
  uint parent = weft_load_word(entry, 0u, 1u) & ~(weft_below | weft_above);
  return BoxKdEntry(weft_load_word(entry, 0u, 0u),
                    is_below ? parent : level_word(args.level, weft_level_parents) + parent);
}
void store_entry(uint i, BoxKdEntry entry) {
  uvec2 memory = weft_element_address(args.entries, 8u, i);
  weft_store_word(memory, 0u, 0u, entry.primitive);
  weft_store_word(memory, 0u, 1u, entry.node);
}

WeftBox load_box(uint primitive) { return weft_load_box(weft_element_address(args.boxes, 24u, primitive), 0u); }

struct BoxKdCell {
  WeftBox box;
  uint node, number, bins;
};
struct BoxKdChoice {
  uint axis;
  float split;
  uint target;
};

uvec2 cell_address(uint level, uint rank) {
  return weft_element_address(args.cells, 48u, (level & 1u) * args.max_nodes + rank);
}
BoxKdCell load_cell(uint level, uint rank) {
  uvec2 memory = cell_address(level, rank);
  uvec4 a = weft_load_vector(memory, 0u, 0u), b = weft_load_vector(memory, 0u, 1u);
  WeftBox box = WeftBox(uintBitsToFloat(a.xyz), uintBitsToFloat(uvec3(a.w, b.xy)));
  return BoxKdCell(box, b.z, b.w, weft_load_word(memory, 0u, 8u));
}
void store_cell(uint level, uint rank, BoxKdCell cell) {
  uvec2 memory = cell_address(level, rank);
  uvec3 low = floatBitsToUint(cell.box.low), high = floatBitsToUint(cell.box.high);
  weft_store_vector(memory, 0u, 0u, uvec4(low, high.x));
  weft_store_vector(memory, 0u, 1u, uvec4(high.yz, cell.node, cell.number));
  weft_store_word(memory, 0u, 8u, cell.bins);
}
BoxKdChoice load_choice(uint rank) {
  uvec4 words = weft_load_vector(cell_address(args.level, rank), 0u, 2u);
  return BoxKdChoice(words.y, uintBitsToFloat(words.z), words.w);
}
void store_choice(uint rank, BoxKdChoice choice) {
  uvec2 memory = cell_address(args.level, rank);
  weft_store_word(memory, 0u, 9u, choice.axis);
  weft_store_word(memory, 0u, 10u, floatBitsToUint(choice.split));
  weft_store_word(memory, 0u, 11u, choice.target);
}

struct BoxKdSums {
  uint parents, below, above, divided, entries, bins;
};
BoxKdSums load_sums(uint rank) {
  uvec2 memory = weft_element_address(args.sums, 24u, rank);
  uint x[6];
  [[unroll]] for (int k = 0; k < 6; ++k) x[k] = weft_load_word(memory, 0u, uint(k));
  return BoxKdSums(x[0], x[1], x[2], x[3], x[4], x[5]);
}
void store_sums(uint rank, BoxKdSums sums) {
  uvec2 memory = weft_element_address(args.sums, 24u, rank);
  uint x[6] = uint[6](sums.parents, sums.below, sums.above, sums.divided, sums.entries, sums.bins);
  [[unroll]] for (int k = 0; k < 6; ++k) weft_store_word(memory, 0u, uint(k), x[k]);
}
// Of all nodes before one.
BoxKdSums sums_before(uint rank) { return rank > 0u ? load_sums(rank - 1u) : BoxKdSums(0u, 0u, 0u, 0u, 0u, 0u); }

const uint weft_box_bins = 16u;  // plane_of() has its inverse.

float plane_of(float low, float high, uint k) {
  precise float plane = low + (high - low) * (float(k) * 0.0625);
  return plane;
}

// A node has bins if it may be divided.
bool has_bins(uint number) { return number > args.leaf_size; }

#endif
