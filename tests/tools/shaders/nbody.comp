// Velocities after one step of an all-pairs n-body simulation, modelled on the samples of several Vulkan projects.
#version 450
layout(local_size_x = 64) in;
struct Particle { vec4 pos; vec4 vel; };
layout(std140, binding = 0) buffer Pos { Particle particles[]; };
layout(binding = 1) uniform UBO { float deltaT; int particleCount; float gravity; float soften; } ubo;
shared vec4 sharedData[64];

void main() {
  uint index = gl_GlobalInvocationID.x;
  vec4 position = particles[min(index, uint(ubo.particleCount - 1))].pos;
  vec3 acceleration = vec3(0.0);
  for (int i = 0; i < ubo.particleCount; i += int(gl_WorkGroupSize.x)) {
    if (i + gl_LocalInvocationID.x < ubo.particleCount)
      sharedData[gl_LocalInvocationID.x] = particles[i + gl_LocalInvocationID.x].pos;
    else
      sharedData[gl_LocalInvocationID.x] = vec4(0.0);
    memoryBarrierShared();
    barrier();
    for (int j = 0; j < gl_WorkGroupSize.x; j++) {
      vec4 other = sharedData[j];
      vec3 len = other.xyz - position.xyz;
      float d = dot(len, len) + ubo.soften;
      acceleration += ubo.gravity * len * other.w / (d * sqrt(d));
    }
    memoryBarrierShared();
    barrier();
  }
  if (index >= ubo.particleCount) return;
  vec4 velocity = particles[index].vel;
  velocity.xyz += ubo.deltaT * acceleration;
  particles[index].vel = velocity;
}
