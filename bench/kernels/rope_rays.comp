// For each ray the first box of a hierarchy that it hits, without a stack. Of several at the same distance, that with
// the lowest index.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/device/bvh_ropes.glsl"

layout(local_size_x = 256) in;

struct Ray {
  vec3 origin;
  float t_min;
  vec3 direction;
  float t_max;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Rays { Ray at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Hits { uvec2 at[]; };
layout(push_constant, scalar) uniform Block {
  WeftBvh bvh;
  uvec2 leaf_parents;
  Rays rays;
  Hits hits;
  uint count, unused;
};

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  if (i >= count) return;
  Ray given = rays.at[i];
  WeftRay ray = weft_ray(given.origin, given.direction, given.t_min, given.t_max);
  uint nearest = weft_tree_none;
  float at = weft_infinity();
  WeftBvhRopes ropes = weft_bvh_ropes(bvh);
  while (weft_bvh_next_by_rope(ropes, bvh, leaf_parents, ray)) {
    bool is_nearer = ropes.distance < at || (ropes.distance == at && ropes.primitive < nearest);
    if (!is_nearer || ropes.distance > ray.t_max) continue;
    nearest = ropes.primitive;
    at = ray.t_max = ropes.distance;
  }
  hits.at[i] = uvec2(nearest, floatBitsToUint(at));
}
