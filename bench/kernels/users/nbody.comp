// The acceleration of each body by the first 256 of them. A body is its position and its mass.
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) readonly buffer Bodies { vec4 bodies[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Accelerations { vec4 accelerations[]; };
layout(push_constant) uniform Block { uint count, side; };

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
  if (i >= count) return;
  vec3 position = bodies[i].xyz, sum = vec3(0.0);
  uint sources = min(count, 256u);
  for (uint k = 0u; k < sources; ++k) {
    vec4 other = bodies[k];
    vec3 to = other.xyz - position;
    float near = inversesqrt(dot(to, to) + 0.01);
    sum += to * (other.w * near * near * near);
  }
  accelerations[i] = vec4(sum, 0.0);
}
