// Which tile a workgroup works on.
//
// Gives:    uint weft_claim_tile(WeftTicket ticket)   the next tile that no workgroup has claimed yet
//           uint weft_group_index()                   this workgroup's number in a grid that may be spread over y and z
// Macros:   none
// Usage:    uint tile = weft_claim_tile(args.ticket);   // args.ticket.next was set to zero before the dispatch
//
// A workgroup may wait for the tiles before its own only if it claimed it: claimed tiles are in the hands of workgroups
// that have started, while gl_WorkGroupID says nothing about who starts first.
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
  return subgroupBroadcastFirst(weft_claimed_tile);  // which says that it is one for all
}

uint weft_group_index() {
  return (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

#endif
