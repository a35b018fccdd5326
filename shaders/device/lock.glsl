// Locks: mutual exclusion among all invocations of the device.
//
// Gives:    WeftLocks   buffer reference to an array of locks, a word each; set them to zero first
//           bool weft_try_lock(locks, index)   takes a free lock; false if another invocation holds it
//           void weft_unlock(locks, index)     gives back a lock that this invocation holds
//           WEFT_WITH_LOCK(locks, index, wanted) { body }
//                           runs the body once in each lane that wants it, while the lane holds the lock
// Macros:   none
// Usage:    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Cells { nonprivate Cell at[]; };
//           ...
//           WEFT_WITH_LOCK(args.locks, c, c < args.count) {
//             args.cells.at[c].mass += mass;
//             args.cells.at[c].particles += 1u;
//           }
// Progress: P0 for weft_try_lock() and weft_unlock(). P1 for WEFT_WITH_LOCK: it waits for an invocation that runs. See
//           docs/devices.md.
//
// Members that a lock protects are declared nonprivate (or devicecoherent). Otherwise Vulkan lets the device keep them
// in a cache that the lock does not order. glslang ignores these words in front of `buffer`.
//
// All lanes of a subgroup reach WEFT_WITH_LOCK together, those that want no lock with `wanted` false. Its body contains
// no barrier, subgroup operation, break, return or second WEFT_WITH_LOCK. For one lock in each subgroup, let one lane
// want it: `wanted` is subgroupElect(), and the body does the work of all lanes.
//
// An invocation that needs two locks tries both, in ascending order, and gives both back where it does not get them.
// With another order, two lanes may for ever take one lock each and fail at the other's.
//
// Why a macro: a lane must never wait for another of its subgroup. On devices that run lanes in lockstep the loop
// `while (!weft_try_lock(...)) {}` never ends, because the lane that got the lock cannot leave the loop to unlock it.
// Here all lanes go round together, and take, use and give back a lock within one round.
//
// Under contention, compare-and-swaps keep the memory busy and hold up the owner of the lock. So a lane that tries
// again looks at the lock first, and a subgroup none of whose lanes got a lock pauses, each time twice as long.
#ifndef WEFT_DEVICE_LOCK
#define WEFT_DEVICE_LOCK

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#include "weft/thread/pause.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftLocks { uint taken[]; };

bool weft_try_lock(WeftLocks locks, uint index) {
  return atomicCompSwap(locks.taken[index], 0u, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquire | gl_SemanticsMakeVisible, 0, gl_SemanticsRelaxed) == 0u;
}

void weft_unlock(WeftLocks locks, uint index) {
  atomicStore(locks.taken[index], 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}

const uint weft_longest_lock_pause = 4095u;  // Steps of weft_pause().

// One lane's way through WEFT_WITH_LOCK. It keeps the lock's index, because the body may change its variable.
struct WeftLocking {
  uint lock;
  bool waits, holds;
  bool has_tried;
  uint waiting;  // Number of lanes that waited in the round before.
  WeftPause pause;
};

WeftLocking weft_start_locking(uint index, bool wanted) {
  return WeftLocking(index, wanted, false, false, 0u, WeftPause(0u, index ^ gl_GlobalInvocationID.x));
}

// Whether a lane of the subgroup waits. Pauses if the last round has helped none.
bool weft_go_round(inout WeftLocking one) {
  uint waiting = subgroupBallotBitCount(subgroupBallot(one.waits));
  if (waiting == one.waiting) {
    weft_lengthen(one.pause, weft_longest_lock_pause);
  } else {
    one.pause.steps = 0u;
  }
  one.waiting = waiting;
  weft_pause(one.pause);
  return waiting > 0u;
}

bool weft_take_lock(WeftLocks locks, inout WeftLocking one) {
  if (!one.waits) return false;
  if (one.has_tried) {
    uint taken = atomicLoad(locks.taken[one.lock], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    if (taken != 0u) return false;
  }
  one.has_tried = true;
  return weft_try_lock(locks, one.lock);
}

void weft_end_locking(WeftLocks locks, inout WeftLocking one) {
  weft_unlock(locks, one.lock);
  one.waits = one.holds = false;
}

#define WEFT_WITH_LOCK(locks, index, wanted)                                               \
  for (WeftLocking weft_one = weft_start_locking(index, wanted); weft_go_round(weft_one);) \
    for (weft_one.holds = weft_take_lock(locks, weft_one); weft_one.holds; weft_end_locking(locks, weft_one))

#endif
