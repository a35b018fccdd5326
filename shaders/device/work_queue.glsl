// A bounded queue that any number of invocations put items into and take items from, and on it a queue of work that
// knows when all work is done.
//
// Gives:    WeftWorkQueue   buffer reference to a queue; weft::WorkQueue has its size and records its initial state. An
//                           item is one word: a number, or the index of something larger that is elsewhere
//           bool weft_queue_push(queue, item)       false: the queue is full, and unchanged
//           bool weft_queue_pop(queue, out item)    false: the queue is empty
//                           by any invocation, at any time
//           bool weft_queue_push_subgroup(queue, wanted, item)
//           bool weft_queue_pop_subgroup(queue, wanted, out item)
//                           the same for each lane that wants it, with one ticket for all; all lanes of the subgroup
//                           call it together. False for a lane that did not want it, or that found the queue full or
//                           empty
//           bool weft_work_push(queue, item)        weft_queue_push(), by any invocation
//           bool weft_work_take(queue, out item)    an item for the workgroup; false if all items are finished. It
//                           waits while the queue is empty but other workgroups have yet to finish items of theirs
//           bool weft_work_take_any(queue, out item)  the same, but false as soon as the queue is empty
//           void weft_work_finish(queue)            ends the item that the workgroup has taken, before it takes another
//                           by all invocations of the workgroup together
// Macros:   none
// Usage:    uint item;
//           while (weft_work_take(args.queue, item)) {
//             ... for each new piece of work: if (!weft_work_push(args.queue, piece)) { do that piece here } ...
//             weft_work_finish(args.queue);
//           }
//
// Progress: P1. weft_work_take() waits for workgroups that hold items. Each of the others waits only for invocations
//           that are between their ticket and their access of a slot, where no barrier is. A push into a full queue
//           and a pop from an empty one wait for nobody. See docs/devices.md.
//
// A full queue is a result: whoever gets it does the work itself, or keeps the item. "Full" and "empty" may come early:
// while the operation that makes room has not ended, or while another one that gets nothing gives back what it claimed.
// That one looks again afterwards, so "empty" does not come to all while there is an item. With weft_work_take_any(),
// the workgroup that pushed an item looks for items again before it leaves.
//
// In a queue of work, weft_work_finish() ends every item that was pushed since the host cleared it, by whatever
// function.
//
// What an invocation wrote to `nonprivate` members of buffers before it pushed an item may be read by the invocation
// that pops it; after weft_work_take() by all invocations of the workgroup; and what the workgroup wrote before
// weft_work_finish(), by every workgroup to which weft_work_take() said that all is finished.
//
// An operation claims a free slot, or an item; takes a ticket; accesses the ticket's slot when its turn has come; and
// then offers the other side an item, or a free slot. Claims, tickets and offers are additions, of which many at once
// cost little. Free slots and items have a count each: a claim that fails makes its count too low until it is undone,
// and a count of items that is too low would let too many pushes through if free slots were derived from it. So pushes
// are never ahead of pops by more than the capacity, nor pops of pushes, and what an operation waits for has begun.
//
// Each slot has a turn: t where it is free for the push with ticket t, t + 1 where that item waits for the pop with
// ticket t. (Kerbl et al. 2018, The Broker Queue, with one count; the turns are those of Vyukov 2010, bounded MPMC
// queue.)
#ifndef WEFT_DEVICE_WORK_QUEUE
#define WEFT_DEVICE_WORK_QUEUE

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_vote : require
#include "weft/subgroup/rank.glsl"
#include "weft/thread/pause.glsl"
#include "weft/workgroup/meet.glsl"

// The words that many invocations change are on cache lines of their own.
struct WeftQueueSide {
  int room;  // Free slots, or items, that nobody has claimed; fewer while a claim that failed is not undone.
  uint unused[31];
  uint ticket;  // The next one. Tickets wrap around.
  uint unused_too[31];
};

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWorkQueue {
  WeftQueueSide sides[2];  // Of pushes and of pops.
  uint finished;           // Items that were pushed and are finished; wraps around.
  uint unused[31];
  uint capacity;  // A power of two from 2 on.
  uint unused_too[31];
  uint slots[];  // The turn of each slot, less the slot's index, so that it starts as zero; then the item of each slot.
};

const uint weft_queue_pushes = 0u, weft_queue_pops = 1u;
const int weft_queue_publish = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
const int weft_queue_see = gl_SemanticsAcquire | gl_SemanticsMakeVisible;

// Claims up to `wanted` free slots or items. Returns fewer only if there were no more after all of its additions, so
// that of several that fail together the last one finds what they all left.
uint weft_queue_claim(WeftWorkQueue queue, uint side, uint wanted) {
  uint claimed = 0u;
  while (claimed < wanted) {
    int room = atomicLoad(queue.sides[side].room, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    if (room <= 0) break;
    int left = int(wanted - claimed);
    int got = clamp(atomicAdd(queue.sides[side].room, -left), 0, left);
    if (got < left) atomicAdd(queue.sides[side].room, left - got);
    claimed += uint(got);
  }
  return claimed;
}

void weft_queue_put(WeftWorkQueue queue, uint ticket, uint item) {
  uint slot = ticket & (queue.capacity - 1u);
  atomicStore(queue.slots[queue.capacity + slot], item, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  atomicStore(queue.slots[slot], ticket + 1u - slot, gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_publish);
}

uint weft_queue_get(WeftWorkQueue queue, uint ticket) {
  uint slot = ticket & (queue.capacity - 1u);
  uint item =
      atomicLoad(queue.slots[queue.capacity + slot], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  atomicStore(queue.slots[slot], ticket + queue.capacity - slot, gl_ScopeDevice, gl_StorageSemanticsBuffer,
              weft_queue_publish);
  return item;
}

// Whether the slot's turn has come for a push (0) or pop (1) with this ticket.
bool weft_queue_ready(WeftWorkQueue queue, uint side, uint ticket) {
  uint slot = ticket & (queue.capacity - 1u);
  return slot + atomicLoad(queue.slots[slot], gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_see) ==
         ticket + side;
}

// Moves the item into its ticket's slot or out of it, when its turn has come. A lane may wait for another one of its
// own subgroup, whose ticket came a round of the ring earlier. The vote keeps all of them in the loop, so that this
// one's access is not put off until the loop has ended.
void weft_queue_access(WeftWorkQueue queue, uint side, uint ticket, bool waits, inout uint item) {
  for (;;) {
    if (waits && weft_queue_ready(queue, side, ticket)) {
      if (side == weft_queue_pushes) {
        weft_queue_put(queue, ticket, item);
      } else {
        item = weft_queue_get(queue, ticket);
      }
      waits = false;
    }
    if (!subgroupAny(waits)) break;
  }
}

bool weft_queue_operate(WeftWorkQueue queue, uint side, inout uint item) {
  bool claimed = weft_queue_claim(queue, side, 1u) == 1u;
  if (claimed) {
    uint ticket = atomicAdd(queue.sides[side].ticket, 1u);
    weft_queue_access(queue, side, ticket, true, item);
    atomicAdd(queue.sides[1u - side].room, 1);
  }
  return claimed;
}

bool weft_queue_operate_subgroup(WeftWorkQueue queue, uint side, bool wanted, inout uint item) {
  WeftRank rank = weft_ballot_rank(wanted);
  uint claimed = 0u, ticket = 0u;
  if (subgroupElect()) {
    claimed = weft_queue_claim(queue, side, rank.total);
    if (claimed > 0u) ticket = atomicAdd(queue.sides[side].ticket, claimed);
  }
  claimed = subgroupBroadcastFirst(claimed);
  ticket = subgroupBroadcastFirst(ticket) + rank.before;
  bool mine = wanted && rank.before < claimed;
  weft_queue_access(queue, side, ticket, mine, item);
  if (subgroupElect() && claimed > 0u) atomicAdd(queue.sides[1u - side].room, int(claimed));
  return mine;
}

bool weft_queue_push(WeftWorkQueue queue, uint item) { return weft_queue_operate(queue, weft_queue_pushes, item); }

bool weft_queue_pop(WeftWorkQueue queue, out uint item) {
  item = 0u;
  return weft_queue_operate(queue, weft_queue_pops, item);
}

bool weft_queue_push_subgroup(WeftWorkQueue queue, bool wanted, uint item) {
  return weft_queue_operate_subgroup(queue, weft_queue_pushes, wanted, item);
}

bool weft_queue_pop_subgroup(WeftWorkQueue queue, bool wanted, out uint item) {
  item = 0u;
  return weft_queue_operate_subgroup(queue, weft_queue_pops, wanted, item);
}

bool weft_work_push(WeftWorkQueue queue, uint item) { return weft_queue_push(queue, item); }

void weft_work_finish(WeftWorkQueue queue) {
  weft_workgroup_meet();
  if (gl_LocalInvocationIndex == 0u) {
    atomicAdd(queue.finished, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_publish);
  }
}

// An item is pushed before the one that it comes of is finished. So all are finished if as many had been, before, as
// have been pushed.
bool weft_work_all_finished(WeftWorkQueue queue) {
  uint finished = atomicLoad(queue.finished, gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_see);
  return finished == atomicLoad(queue.sides[weft_queue_pushes].ticket, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                                gl_SemanticsRelaxed);
}

shared uvec2 weft_taken_work;  // Whether to look again, an item was found, or there is none; and the item.
const uint weft_work_again = 0u, weft_work_found = 1u, weft_work_none = 2u;
const uint weft_longest_work_pause = 2047u;  // Steps of weft_pause().

// weft_queue_pop() for one invocation of a workgroup. It is alone, so it needs no vote, and branches around it keep no
// account of lanes.
bool weft_work_pop(WeftWorkQueue queue, out uint item) {
  item = 0u;
  bool claimed = weft_queue_claim(queue, weft_queue_pops, 1u) == 1u;
  if (claimed) {
    uint ticket = atomicAdd(queue.sides[weft_queue_pops].ticket, 1u);
    while (!weft_queue_ready(queue, weft_queue_pops, ticket)) {}
    item = weft_queue_get(queue, ticket);
    atomicAdd(queue.sides[weft_queue_pushes].room, 1);
  }
  return claimed;
}

// One look, for one invocation of the workgroup.
uvec2 weft_work_look(WeftWorkQueue queue, bool wait) {
  uint item;
  if (weft_work_pop(queue, item)) return uvec2(weft_work_found, item);
  bool again = wait && !weft_work_all_finished(queue);
  return uvec2(again ? weft_work_again : weft_work_none, 0u);
}

// Looks again behind a barrier of the workgroup, where drivers that run several workgroups on one thread change to
// another one. Pauses between, because looks hold up the pushes and pops of others.
bool weft_work_take_or_wait(WeftWorkQueue queue, bool wait, out uint item) {
  WeftPause pause = WeftPause(0u, gl_GlobalInvocationID.x);
  uvec2 taken;
  do {
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
      weft_pause(pause);
      weft_lengthen(pause, weft_longest_work_pause);
      weft_taken_work = weft_work_look(queue, wait);
    }
    weft_workgroup_meet();
    taken = weft_taken_work;
  } while (taken.x == weft_work_again);
  // Without the condition, a kernel that ends with a loop around this never ended on NVIDIA's Vulkan driver 580.
  bool found = taken.x == weft_work_found;
  if (found) item = taken.y;
  return found;
}

bool weft_work_take(WeftWorkQueue queue, out uint item) { return weft_work_take_or_wait(queue, true, item); }
bool weft_work_take_any(WeftWorkQueue queue, out uint item) { return weft_work_take_or_wait(queue, false, item); }

#endif
