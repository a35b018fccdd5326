// Moves the living particles by one step of time, and appends new ones. Particles push their neighbours apart: the
// first ones in the list of their own cell, as the last frame left it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "particles.glsl"

layout(local_size_x = 128) in;

layout(push_constant) uniform Arguments {
  vec3 emitter;  // where particles are born ...
  float spread;  // ... or, if this is 1, everywhere and at any age
  Particles living, moved;
  Words cell_starts, cell_counts, members;
  Counters counters;
  uint capacity, born, seed;
  float seconds;
};

const uint most_neighbours = 16;
const float reach = 0.03;

vec3 push_from_neighbours(vec3 position) {
  const uint cell = cell_of(position), first = cell_starts.at[cell];
  const uint end = first + min(cell_counts.at[cell], most_neighbours);
  vec3 push = vec3(0);
  for (uint k = first; k < end; ++k) {
    const vec3 apart = position - living.at[members.at[k]].position;
    push += max(0, 1 - dot(apart, apart) / (reach * reach)) * apart;
  }
  return push;
}

Particle step_of(Particle p) {
  const vec3 walls = max(-p.position, 0) - max(p.position - 1, 0);
  p.velocity += seconds * (vec3(0, -1, 0) + 400 * walls + 200 * push_from_neighbours(p.position));
  p.position += seconds * p.velocity;
  p.age += seconds;
  return p;
}

uint hash(uint x) {  // PCG (Jarzynski and Olano 2020)
  x = x * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
  return (x >> 22) ^ x;
}

float random(inout uint state) {
  state = hash(state);
  return float(state >> 8) / 16777216;
}

vec3 random3(inout uint state) {
  const float x = random(state), y = random(state), z = random(state);
  return vec3(x, y, z);
}

Particle newborn(uint i) {
  uint state = hash(seed) ^ i;
  Particle p;
  const vec3 anywhere = random3(state);
  p.position = spread * anywhere + (1 - spread) * (emitter + 0.1 * (anywhere - 0.5));
  p.velocity = vec3(0, 1, 0) + random3(state) - 0.5;
  p.life = 0.5 + random(state);
  p.age = spread * random(state) * p.life;
  return p;
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint old = counters.living, all = min(old + born, capacity);
  if (i == 0) counters.moved = all;
  if (i < old) {
    moved.at[i] = step_of(living.at[i]);
  } else if (i < all) {
    moved.at[i] = newborn(i);
  }
}
