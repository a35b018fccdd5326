// The tile that a workgroup works on.
//
// Gives:    uint weft_claim_tile(WeftTicket ticket)   the next tile that no workgroup has claimed yet
//           uint weft_group_index()                   this workgroup's index in a grid that may extend over y and z
// Macros:   none
// Usage:    uint tile = weft_claim_tile(args.ticket);   // args.ticket.next was set to zero before the dispatch
//
// A workgroup may wait for preceding tiles only if it claimed its tile: workgroups that claimed them have started,
// while gl_WorkGroupID says nothing about the order in which workgroups start.
//
// All invocations of the workgroup call weft_claim_tile() together, with a barrier between two calls.
#ifndef WEFT_DEVICE_TICKETS
#define WEFT_DEVICE_TICKETS

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTicket { uint next; };

shared uint weft_claimed_tile;

uint weft_claim_tile(WeftTicket ticket) {
  if (gl_LocalInvocationIndex == 0u) weft_claimed_tile = atomicAdd(ticket.next, 1u);
  barrier();
  return subgroupBroadcastFirst(weft_claimed_tile);  // The broadcast makes it uniform.
}

uint weft_group_index() {
  return (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

#endif
