// Parallel enqueue: slots in a queue that many invocations fill at once, in no particular order.
//
// Gives:    WeftQueue   buffer reference to a queue's count; set it to zero first
//           WeftIndex weft_enqueue(queue)                     a slot for one element; by any invocation, at any time
//           WeftIndex weft_enqueue_subgroup(queue, wanted)    a slot for each lane that wants one; one atomic for all
//           WeftIndex weft_enqueue_workgroup(queue, wanted)   the first of `wanted` consecutive slots for each
//                                                             invocation; one atomic for the workgroup
//           WeftIndex weft_enqueue_tile(queue, total)         the first of `total` consecutive slots of the workgroup
//           void weft_enqueue_tile_two(queue, total, others, others_total, out slot, out others_slot)
//                                                             the same in two queues: the selected and the others
// Macros:   those of weft/thread/count.glsl; WEFT_WIDE_INDEX makes counts 64-bit and needs 64-bit atomics on buffers
// Usage:    layout(local_size_x = 256) in;
//           #include "weft/device/enqueue.glsl"
//           ...
//           uint slot = weft_enqueue_subgroup(args.queue, keep);
//           if (keep) args.items.item[slot] = x;
//
// All invocations of the subgroup or workgroup call its functions together, including those that want no slot, whose
// result is undefined. (Adinets 2014, warp-aggregated atomics.)
#ifndef WEFT_DEVICE_ENQUEUE
#define WEFT_DEVICE_ENQUEUE

#include "weft/subgroup/rank.glsl"
#include "weft/thread/count.glsl"
#include "weft/workgroup/scan_counts.glsl"

#ifdef WEFT_WIDE_INDEX
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftQueue { uint64_t count; };

WeftIndex weft_enqueue_many(WeftQueue queue, uint wanted) {
  return unpackUint2x32(atomicAdd(queue.count, uint64_t(wanted)));
}
#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftQueue { uint count; };

// The first of `wanted` consecutive slots, for one invocation.
WeftIndex weft_enqueue_many(WeftQueue queue, uint wanted) { return atomicAdd(queue.count, wanted); }
#endif

WeftIndex weft_enqueue(WeftQueue queue) { return weft_enqueue_many(queue, 1u); }

WeftIndex weft_enqueue_subgroup(WeftQueue queue, bool wanted) {
  WeftRank rank = weft_ballot_rank(wanted);
  WeftIndex slot = weft_index(0u);
  if (subgroupElect() && rank.total > 0u) slot = weft_enqueue_many(queue, rank.total);
  return weft_add(subgroupBroadcastFirst(slot), weft_index(rank.before));
}

shared WeftIndex weft_enqueued[2];

void weft_enqueue_tile_two(WeftQueue queue, uint total, WeftQueue others, uint others_total, out WeftIndex slot,
                           out WeftIndex others_slot) {
  if (gl_LocalInvocationIndex == 0u) {
    weft_enqueued[0] = total > 0u ? weft_enqueue_many(queue, total) : weft_index(0u);
    weft_enqueued[1] = others_total > 0u ? weft_enqueue_many(others, others_total) : weft_index(0u);
  }
  barrier();
  slot = weft_enqueued[0];
  others_slot = weft_enqueued[1];
  barrier();  // The next call writes them again.
}

WeftIndex weft_enqueue_tile(WeftQueue queue, uint total) {
  WeftIndex slot, none;
  weft_enqueue_tile_two(queue, total, queue, 0u, slot, none);
  return slot;
}

WeftIndex weft_enqueue_workgroup(WeftQueue queue, uint wanted) {
  uint total;
  uint before = weft_count_workgroup_exclusive_scan(wanted, total);
  return weft_add(weft_enqueue_tile(queue, total), weft_index(before));
}

#endif
