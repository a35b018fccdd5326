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
//           bool weft_work_push(queue, item)        like weft_queue_push(), for an item that weft_work_finish() ends
//           bool weft_work_take(queue, out item)    an item for the workgroup; false if all items are finished. It
//           waits
//                           while the queue is empty but other workgroups have yet to finish items of theirs
//           bool weft_work_take_any(queue, out item)  the same, but false as soon as the queue is empty: it never waits
//           void weft_work_finish(queue)            ends the item that the workgroup has taken, before it takes another
//                           by all invocations of the workgroup together; weft_work_push() by any of them
// Macros:   none
// Usage:    uint item;
//           while (weft_work_take(args.queue, item)) {
//             ... for each new piece of work: if (!weft_work_push(args.queue, piece)) { do that piece here } ...
//             weft_work_finish(args.queue);
//           }
//
// Progress: P1 for weft_work_take(), which waits for workgroups that hold items; P0 for all others. See
//           docs/devices.md.
//
// A full queue is a result: whoever gets it does the work itself, or keeps the item. "Full" and "empty" may come one
// operation early: while an invocation is between its ticket and its access, its slot counts as neither free nor
// filled. Nothing is lost by that: with weft_work_take_any(), the workgroup that pushed an item looks for items again
// before it leaves.
//
// What an invocation wrote to `nonprivate` members of buffers before it pushed an item may be read by the invocation
// that pops it; after weft_work_take() by all invocations of the workgroup; and what the workgroup wrote before
// weft_work_finish(), by every workgroup to which weft_work_take() said that all is finished.
//
// Each slot has a turn: t where it is free for the push with ticket t, t + 1 where that item waits for the pop with
// ticket t. A ticket is claimed only after a look at its slot's turn, so nobody waits, and no item is overwritten.
// (Vyukov 2010, bounded MPMC queue; Kerbl et al. 2018, The Broker Queue, has the figures for GPUs.)
#ifndef WEFT_DEVICE_WORK_QUEUE
#define WEFT_DEVICE_WORK_QUEUE

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_vote : require
#include "weft/subgroup/rank.glsl"
#include "weft/workgroup/meet.glsl"

// The words that many invocations change are on cache lines of their own.
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWorkQueue {
  uint pushed;  // The next ticket of a push. Tickets wrap around.
  uint unused[31];
  uint popped;  // The next ticket of a pop.
  uint unused_too[31];
  uint unfinished;  // Items of weft_work_push() that are not finished.
  uint capacity;    // A power of two from 2 on.
  uint unused_three[30];
  uint slots[];  // The turn of each slot, less the slot's index, so that it starts as zero; then the item of each slot.
};

const int weft_queue_publish = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
const int weft_queue_see = gl_SemanticsAcquire | gl_SemanticsMakeVisible;

// The next ticket of a push, or of a pop.
uint weft_queue_next(WeftWorkQueue queue, bool push) {
  if (push) return atomicLoad(queue.pushed, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  return atomicLoad(queue.popped, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

// Claims `count` tickets from `ticket` on, if that is the next one. Returns the next one before the call.
uint weft_queue_claim(WeftWorkQueue queue, bool push, uint ticket, uint count) {
  if (push) return atomicCompSwap(queue.pushed, ticket, ticket + count);
  return atomicCompSwap(queue.popped, ticket, ticket + count);
}

// How far a ticket's slot is from ready for it: 0 where it is, negative where an earlier ticket still has the slot,
// positive where this ticket was claimed by another invocation.
int weft_queue_ready(WeftWorkQueue queue, bool push, uint ticket) {
  uint slot = ticket & (queue.capacity - 1u);
  uint turn = slot + atomicLoad(queue.slots[slot], gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_see);
  return int(turn - ticket - (push ? 0u : 1u));
}

bool weft_queue_ticket(WeftWorkQueue queue, bool push, out uint ticket) {
  ticket = weft_queue_next(queue, push);
  for (;;) {
    int ready = weft_queue_ready(queue, push, ticket);
    if (ready < 0) return false;
    uint next = ready > 0 ? weft_queue_next(queue, push) : weft_queue_claim(queue, push, ticket, 1u);
    if (ready == 0 && next == ticket) return true;
    ticket = next;
  }
}

// Consecutive tickets for the lanes that want one. Claims those before the first whose slot is not ready, until all
// lanes have one or none is ready.
bool weft_queue_ticket_subgroup(WeftWorkQueue queue, bool push, bool wanted, out uint ticket) {
  bool claimed = false;
  ticket = 0u;
  while (subgroupAny(wanted)) {
    uint next = 0u;
    if (subgroupElect()) next = weft_queue_next(queue, push);
    next = subgroupBroadcastFirst(next);
    uint mine = next + weft_ballot_rank(wanted).before;
    int ready = 0;
    if (wanted) ready = weft_queue_ready(queue, push, mine);
    uvec4 unready = subgroupBallot(wanted && ready != 0);
    bool first = wanted && (unready == uvec4(0u) || gl_SubgroupInvocationID < subgroupBallotFindLSB(unready));
    uint count = subgroupBallotBitCount(subgroupBallot(first));
    if (count == 0u) {
      if (subgroupAny(wanted && mine == next && ready < 0)) break;
    } else {
      uint before = 0u;
      if (subgroupElect()) before = weft_queue_claim(queue, push, next, count);
      if (subgroupBroadcastFirst(before) == next && first) {
        ticket = mine;
        claimed = true;
        wanted = false;
      }
    }
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

bool weft_queue_push(WeftWorkQueue queue, uint item) {
  uint ticket;
  bool claimed = weft_queue_ticket(queue, true, ticket);
  if (claimed) weft_queue_put(queue, ticket, item);
  return claimed;
}

bool weft_queue_pop(WeftWorkQueue queue, out uint item) {
  uint ticket;
  bool claimed = weft_queue_ticket(queue, false, ticket);
  item = 0u;
  if (claimed) item = weft_queue_get(queue, ticket);
  return claimed;
}

bool weft_queue_push_subgroup(WeftWorkQueue queue, bool wanted, uint item) {
  uint ticket;
  bool claimed = weft_queue_ticket_subgroup(queue, true, wanted, ticket);
  if (claimed) weft_queue_put(queue, ticket, item);
  return claimed;
}

bool weft_queue_pop_subgroup(WeftWorkQueue queue, bool wanted, out uint item) {
  uint ticket;
  bool claimed = weft_queue_ticket_subgroup(queue, false, wanted, ticket);
  item = 0u;
  if (claimed) item = weft_queue_get(queue, ticket);
  return claimed;
}

// Counts the item before others can finish it.
bool weft_work_push(WeftWorkQueue queue, uint item) {
  atomicAdd(queue.unfinished, 1u);
  bool pushed = weft_queue_push(queue, item);
  if (!pushed) atomicAdd(queue.unfinished, ~0u);
  return pushed;
}

void weft_work_finish(WeftWorkQueue queue) {
  weft_workgroup_meet();
  if (gl_LocalInvocationIndex == 0u) {
    atomicAdd(queue.unfinished, ~0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_publish);
  }
}

shared uvec2 weft_taken_work;  // Whether to look again, an item was found, or there is none; and the item.
const uint weft_work_again = 0u, weft_work_found = 1u, weft_work_none = 2u;

// One look, for one invocation of the workgroup.
uvec2 weft_work_look(WeftWorkQueue queue, bool wait) {
  uint item;
  if (weft_queue_pop(queue, item)) return uvec2(weft_work_found, item);
  bool again = wait && atomicLoad(queue.unfinished, gl_ScopeDevice, gl_StorageSemanticsBuffer, weft_queue_see) > 0u;
  return uvec2(again ? weft_work_again : weft_work_none, 0u);
}

// Looks again behind a barrier of the workgroup, where drivers that run several workgroups on one thread change to
// another one.
bool weft_work_take_or_wait(WeftWorkQueue queue, bool wait, out uint item) {
  uvec2 taken;
  do {
    barrier();
    if (gl_LocalInvocationIndex == 0u) weft_taken_work = weft_work_look(queue, wait);
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
