// The narrow phase: pushes apart the bodies of each pair that touch, as spheres. Invocations take pairs in turn, as
// their number is on the device.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "bodies.glsl"

void push(uint i, vec3 change) {
  ivec3 units = ivec3(change * unit);
  atomicAdd(args.pushes.at[i].x, units.x);
  atomicAdd(args.pushes.at[i].y, units.y);
  atomicAdd(args.pushes.at[i].z, units.z);
  atomicAdd(args.pushes.at[i].contacts, 1u);
}

void main() {
  uint number = args.found.number.y > 0u ? args.capacity : min(args.found.number.x, args.capacity);
  for (uint k = gl_GlobalInvocationID.x; k < number; k += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    uvec2 pair = args.pairs.at[k];
    Body a = args.bodies.at[pair.x], b = args.bodies.at[pair.y];
    vec3 between = b.at - a.at;
    float distance = length(between), depth = a.radius + b.radius - distance;
    if (depth <= 0.0) continue;
    vec3 normal = distance > 0.0 ? between / distance : vec3(0.0, 1.0, 0.0);
    float approach = max(dot(a.velocity - b.velocity, normal), 0.0);
    vec3 change = (0.4 * approach + 0.1 * depth / args.step) * normal;
    push(pair.x, -change);
    push(pair.y, change);
  }
}
