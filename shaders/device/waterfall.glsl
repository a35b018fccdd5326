// The waterfall: tasks numbered so that each depends on lower numbers only. In one dispatch, workgroups take the tasks
// in order, and a task waits until what it depends on is done. Or level by level, a dispatch for each, where nobody
// waits. The kernel is the same; weft::Waterfall chooses the macro and records the dispatches.
//
// Gives:    WeftWaterfall   buffer reference to a waterfall; weft::Waterfall has its size
//           bool weft_waterfall_claim(waterfall, out uint task)
//                           this invocation's task; false if there is none for it
//           bool weft_waterfall_is_set(waterfall, uint flag)
//                           whether a flag is set; level by level always true. Each number of a task has a flag
//           void weft_waterfall_set(waterfall, uint flag)       sets a flag
//           uint weft_waterfall_append(waterfall, uint count)   the first of `count` numbers for new tasks
//           bool weft_waterfall_any(bool open)
//                           whether an invocation of the workgroup has yet to do its task
//           void weft_waterfall_end(waterfall)                  the end of the kernel
// Macros:   WEFT_WATERFALL   one dispatch; without it, level by level
// Usage:    uint task;
//           bool open = weft_waterfall_claim(args.waterfall, task);
//           do {
//             if (open && weft_waterfall_is_set(args.waterfall, task)) {
//               ... the task ...
//               uint child = weft_waterfall_append(args.waterfall, 1u);
//               ... what the new task reads ...
//               weft_waterfall_set(args.waterfall, child);
//               open = false;
//             }
//           } while (weft_waterfall_any(open));
//           weft_waterfall_end(args.waterfall);
//
// Progress: P1 with WEFT_WATERFALL: it waits for tasks that workgroups which have started have claimed. P0 without.
//           See docs/devices.md.
//
// What a flag means is up to the kernel. It may say that the task of that number can start, as above, where another
// task appends it. Or it may say that the task is done; then a task looks at the flags of all tasks that it depends on.
// What an invocation wrote to `nonprivate` members of buffers before it set a flag may be read by one that saw it set.
//
// The loop above is the only form that works everywhere: a task is done and its flag set within one round, and all
// invocations of the workgroup call weft_waterfall_any() in each round, which is a barrier. So a lane never waits for a
// lane of its own subgroup. All invocations of the workgroup call weft_waterfall_claim() and weft_waterfall_end().
#ifndef WEFT_DEVICE_WATERFALL
#define WEFT_DEVICE_WATERFALL

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#include "weft/device/tickets.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWaterfall {
  uint groups[3];  // Of the next level's dispatch.
  uint begin;      // The level's tasks: from begin to end - 1. In one dispatch, all tasks.
  uint end;
  uint appended;  // Number of tasks that there are so far.
  uint arrived;   // Workgroups that have done their tasks of the level.
  uint claimed;   // Workgroups that have taken tasks.
  uint flags[];   // In one dispatch only.
};

const uint weft_group_invocations = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;

uint weft_waterfall_append(WeftWaterfall waterfall, uint count) { return atomicAdd(waterfall.appended, count); }

#ifdef WEFT_WATERFALL
shared uint weft_waterfall_batch;

// Whether an invocation has yet to do its task: of this round, of the next and of the one before, which slower
// invocations still read.
shared uint weft_waterfall_open[3];
uint weft_waterfall_round = 0u;

bool weft_waterfall_claim(WeftWaterfall waterfall, out uint task) {
  if (gl_LocalInvocationIndex == 0u) {
    weft_waterfall_batch = atomicAdd(waterfall.claimed, 1u);
    weft_waterfall_open[0] = 0u;
  }
  barrier();
  task = weft_waterfall_batch * weft_group_invocations + gl_LocalInvocationIndex;
  return task < waterfall.end;
}

bool weft_waterfall_is_set(WeftWaterfall waterfall, uint flag) {
  return atomicLoad(waterfall.flags[flag], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsAcquire | gl_SemanticsMakeVisible) != 0u;
}

void weft_waterfall_set(WeftWaterfall waterfall, uint flag) {
  atomicStore(waterfall.flags[flag], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}

bool weft_waterfall_any(bool open) {
  uint round = weft_waterfall_round;
  weft_waterfall_round = (round + 1u) % 3u;
  if (open) atomicOr(weft_waterfall_open[round], 1u);
  if (gl_LocalInvocationIndex == 0u) weft_waterfall_open[weft_waterfall_round] = 0u;
  barrier();
  return weft_waterfall_open[round] != 0u;
}

void weft_waterfall_end(WeftWaterfall waterfall) {}

#else
bool weft_waterfall_claim(WeftWaterfall waterfall, out uint task) {
  task = waterfall.begin + weft_group_index() * weft_group_invocations + gl_LocalInvocationIndex;
  return task < waterfall.end;
}

bool weft_waterfall_is_set(WeftWaterfall waterfall, uint flag) { return true; }
void weft_waterfall_set(WeftWaterfall waterfall, uint flag) {}
bool weft_waterfall_any(bool open) { return false; }

// The last workgroup of a level makes the next one out of the tasks that were appended.
void weft_waterfall_end(WeftWaterfall waterfall) {
  barrier();  // All have read the level's bounds, and appended their tasks.
  if (gl_LocalInvocationIndex != 0u) return;
  uint workgroups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
  uint before = atomicAdd(waterfall.arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                          gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  if (before + 1u < workgroups) return;
  uint begin = waterfall.end;
  uint end = atomicLoad(waterfall.appended, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  uint next = (end - begin + weft_group_invocations - 1u) / weft_group_invocations;
  const uint widest = 32768u;  // A device may allow no more than 65,535 in a dimension.
  waterfall.groups[0] = min(next, widest);
  waterfall.groups[1] = (next + widest - 1u) / widest;
  waterfall.groups[2] = 1u;
  waterfall.begin = begin;
  waterfall.end = end;
  waterfall.arrived = 0u;
}
#endif

#endif
