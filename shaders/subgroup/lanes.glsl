// The lanes of a subgroup.
//
// Gives:    uint weft_lanes()   the number of lanes of this subgroup: gl_SubgroupSize, or fewer in the last subgroup of
//                               a workgroup whose size is no multiple of it
// Macros:   WEFT_FULL_SUBGROUPS  optional: define it if every subgroup is full
#ifndef WEFT_SUBGROUP_LANES
#define WEFT_SUBGROUP_LANES

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

uint weft_lanes() {
#ifdef WEFT_FULL_SUBGROUPS
  return gl_SubgroupSize;
#else
  return subgroupBallotBitCount(subgroupBallot(true));
#endif
}

#endif
