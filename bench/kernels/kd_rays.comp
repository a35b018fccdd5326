// For each ray the first box that it hits, by a kd-tree of boxes. Of several at the same distance, that with the lowest
// index.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/device/box_kd_tree.glsl"

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
  WeftBoxKdTree tree;
  uvec2 boxes;
  Rays rays;
  Hits hits;
  uint count, unused;
};

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  if (i >= count) return;
  Ray given = rays.at[i];
  WeftRay ray = weft_ray(given.origin, given.direction, given.t_min, given.t_max);
  uint nearest = weft_box_kd_none;
  float at = weft_infinity(), t;
  WeftBoxKdWalk walk = weft_box_kd_hits(ray);
  while (weft_box_kd_next_hit(walk, tree, ray)) {
    WeftBox box = weft_load_box(weft_element_address(boxes, 24u, walk.primitive), 0u);
    if (!weft_ray_box(ray, box, t) || t > ray.t_max) continue;
    if (t == at && walk.primitive > nearest) continue;
    nearest = walk.primitive;
    at = ray.t_max = t;
  }
  hits.at[i] = uvec2(nearest, floatBitsToUint(at));
}
