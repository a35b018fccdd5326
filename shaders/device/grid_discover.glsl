// Finds workgroups that run at once, where nothing else says how many do: those that start while the first one listens.
//
// Gives:    WeftGridDiscovery   buffer reference to 256 bytes, all zero before each dispatch; weft::GridDiscovery has
//                               their size and clears them
//           bool weft_grid_discover(WeftGridDiscovery discovery, out uint group, out uint groups)
//                               whether this workgroup takes part; then `groups` workgroups do, and `group` is this
//                               one's index among them, from 0
// Macros:   WEFT_DISCOVER_PATIENCE   optional: the first workgroup stops listening when it has looked this often
//                                    without finding another one; by default 64
// Usage:    uint group, groups;
//           if (!weft_grid_discover(args.discovery, group, groups)) return;
//           for (uint i = group; i < args.tiles; i += groups) { ... }
//           weft_grid_barrier(args.barrier, groups);
//
// Progress: P1. A workgroup that takes part waits for the first one, which has started and waits for none: it listens
//           for a bounded time, or until all workgroups of the dispatch have come. Afterwards the workgroups that take
//           part may wait for one another (P2), since all of them run. See docs/devices.md.
//
// At least one workgroup takes part, and never more than run at once; those that come later return at once. Which ones
// take part, and how many, differs between runs: results must not depend on it. Dispatch at least as many workgroups as
// the device may run at once; a few too many cost little. All invocations of the workgroup call it together, once in a
// dispatch. (Sorensen et al. 2016, Portable inter-workgroup barrier synchronisation for GPUs. Their lock around a flag
// and a count is one atomic word here.)
#ifndef WEFT_DEVICE_GRID_DISCOVER
#define WEFT_DEVICE_GRID_DISCOVER

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require

#ifndef WEFT_DISCOVER_PATIENCE
#define WEFT_DISCOVER_PATIENCE 64u
#endif

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftGridDiscovery {
  uint come;  // Workgroups that have come; the highest bit is set once later ones are turned away.
  uint unused[31];
  uint groups;  // Workgroups that take part; zero until it is known.
  uint unused_too[31];
};

const uint weft_discover_closed = 0x80000000u;

shared uvec2 weft_discovered;  // This workgroup's index, and the number of workgroups.

// Listens, then turns the workgroups that come from now on away. Returns the number of those that came before.
uint weft_grid_close(WeftGridDiscovery discovery) {
  uint launched = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
  uint come = 1u;
  for (uint looks = 0u; looks < WEFT_DISCOVER_PATIENCE && come < launched; ++looks) {
    uint now = atomicLoad(discovery.come, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    if (now != come) looks = 0u;
    come = now;
  }
  return atomicOr(discovery.come, weft_discover_closed, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

// For one invocation of each workgroup.
uvec2 weft_grid_enter(WeftGridDiscovery discovery) {
  uint group = atomicAdd(discovery.come, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  if (group >= weft_discover_closed) return uvec2(0u);
  uint groups = 0u;
  if (group == 0u) {
    groups = weft_grid_close(discovery);
    atomicStore(discovery.groups, groups, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  }
  while (groups == 0u) {
    groups = atomicLoad(discovery.groups, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  }
  return uvec2(group, groups);
}

bool weft_grid_discover(WeftGridDiscovery discovery, out uint group, out uint groups) {
  if (gl_LocalInvocationIndex == 0u) weft_discovered = weft_grid_enter(discovery);
  barrier();
  group = weft_discovered.x;
  groups = weft_discovered.y;
  return groups > 0u;
}

#endif
