// A barrier for the workgroups of one dispatch, which may be passed any number of times.
//
// Gives:    WeftGridBarrier   buffer reference to a barrier; weft::GridBarrier has its size and clears it
//           void weft_grid_barrier(WeftGridBarrier grid, uint groups)
//                             returns when `groups` workgroups have called it for this barrier; what any of their
//                             invocations wrote to buffers before, all of them may read after it
//           void weft_grid_barrier(WeftGridBarrier grid, uint group, uint groups)
//                             the same with this workgroup's index among them, from 0: saves an atomic operation
// Macros:   none
// Usage:    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
//           ...
//           args.words.at[mine] = x;
//           weft_grid_barrier(args.barrier, gl_NumWorkGroups.x);
//           uint y = args.words.at[other];
//
// Progress: P2. Each workgroup waits for all others, so all of them must run at once. Dispatch no more than
//           Kernel::resident_workgroups(), which weft::GridBarrier checks, or take the workgroups that
//           weft/device/grid_discover.glsl finds. With more, the dispatch never ends. See docs/devices.md.
//
// All invocations of the workgroup call it together, with the same arguments, in all workgroups equally often. Buffers
// through which workgroups pass values have `nonprivate` members: the Vulkan memory model orders no others. Workgroup
// memory is ordered too. One invocation of each workgroup polls; the others wait at a barrier of the workgroup, so no
// lane waits for a lane of its own subgroup. (Gupta, Stuart and Owens 2012, persistent threads.)
#ifndef WEFT_DEVICE_GRID_BARRIER
#define WEFT_DEVICE_GRID_BARRIER

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#include "weft/workgroup/meet.glsl"

// Each pass adds 2^31 in all, in one addition for each workgroup and one more by one of them. So the highest bit
// changes when the last of them is done, and the other bits are zero again. There is nothing to read before the first
// addition and nothing to write after the last one, which the polling invocations see themselves. (Cooperative groups
// of CUDA have such a bit.)
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftGridBarrier {
  uint arrivals;
  uint unused[31];
};

// What a read of any later value acquires: additions only continue what a release began.
uint weft_grid_arrive(WeftGridBarrier grid, uint addend) {
  return atomicAdd(grid.arrivals, addend, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                   gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}

// Waits until the highest bit is another one than it was. It stays so until this workgroup arrives again.
void weft_grid_wait(WeftGridBarrier grid, uint before) {
  uint now;
  do {
    now = atomicLoad(grid.arrivals, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  } while (((now ^ before) & 0x80000000u) == 0u);
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
}

// For one invocation of each workgroup. The first workgroup to arrive adds what the others leave.
void weft_grid_meet(WeftGridBarrier grid, uint groups) {
  uint before = weft_grid_arrive(grid, 1u);
  if ((before & 0x7FFFFFFFu) == 0u) weft_grid_arrive(grid, 0x80000000u - groups);
  weft_grid_wait(grid, before);
}

void weft_grid_barrier(WeftGridBarrier grid, uint groups) {
  weft_workgroup_meet();
  if (gl_LocalInvocationIndex == 0u) weft_grid_meet(grid, groups);
  weft_workgroup_meet();
}

void weft_grid_barrier(WeftGridBarrier grid, uint group, uint groups) {
  weft_workgroup_meet();
  if (gl_LocalInvocationIndex == 0u) {
    weft_grid_wait(grid, weft_grid_arrive(grid, group == 0u ? 0x80000001u - groups : 1u));
  }
  weft_workgroup_meet();
}

#endif
