// Bottom-up traversal of a tree: invocations start at the leaves and go up. The last child to arrive at a node goes on
// with it; the others stop. So each node is visited once, after all nodes below it. Nobody waits, so it runs on every
// device.
//
// Gives:    WeftTreeCounters   buffer reference to one word for each inner node, all zero before the dispatch
//           bool weft_tree_arrive(counters, node, children)   true for the last of `children` arrivals at the node
//           uint weft_tree_meet(meetings, at, word)   for two that meet: the second gets the word of the first, which
//                                                     gets weft_tree_none. Words are all weft_tree_none before
//           References to nodes: a number below 2^31 is the index of an inner node; weft_tree_leaf + i is leaf i;
//           weft_tree_none is no node.
//           bool weft_is_leaf(reference), uint weft_leaf_index(reference)   not for weft_tree_none
// Macros:   none
// Usage:    uint node = parent_of_leaf[leaf];
//           while (node != weft_tree_none && weft_tree_arrive(args.counters, node, 2u)) {
//             value[node] = ...;   // from the values of its two children
//             node = parent[node];
//           }
//
// What an invocation stores before it arrives is seen by the last one to arrive, if both use memory that is declared
// `coherent`: weft_tree_arrive() releases the arriving invocation's stores before it counts, and acquires the others'
// after; so does weft_tree_meet(). (Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d
// Trees.)
#ifndef WEFT_DEVICE_TREE_UP
#define WEFT_DEVICE_TREE_UP

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require

const uint weft_tree_leaf = 0x80000000u;
const uint weft_tree_none = 0xFFFFFFFFu;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTreeCounters { uint arrived[]; };

bool weft_is_leaf(uint reference) { return reference >= weft_tree_leaf; }
uint weft_leaf_index(uint reference) { return reference - weft_tree_leaf; }

bool weft_tree_arrive(WeftTreeCounters counters, uint node, uint children) {
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  if (atomicAdd(counters.arrived[node], 1u) + 1u != children) return false;
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  return true;
}

uint weft_tree_meet(WeftTreeCounters meetings, uint at, uint word) {
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  uint met = atomicExchange(meetings.arrived[at], word);
  if (met != weft_tree_none) memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  return met;
}

#endif
