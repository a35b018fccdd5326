// Upper bound on the number of subgroups in a workgroup, for the sizes of shared arrays.
//
// Gives:    WEFT_MAX_SUBGROUPS
// Macros:   WEFT_MAX_SUBGROUPS  optional: without it, enough for subgroups of 4 lanes
//
// Declare the workgroup's size (layout(local_size_x = 256) in;) before including any file of this layer.
#ifndef WEFT_WORKGROUP_SUBGROUPS
#define WEFT_WORKGROUP_SUBGROUPS

#extension GL_KHR_shader_subgroup_basic : require

#ifndef WEFT_MAX_SUBGROUPS
#define WEFT_MAX_SUBGROUPS ((gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z + 3) / 4)
#endif

#endif
