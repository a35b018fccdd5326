// What the engine's shaders share: the layout of particles.cpp's memory, and the grid of cells.
#extension GL_EXT_buffer_reference : require

struct Particle {
  vec3 position;  // the unit cube, and a little around it
  float age;      // seconds; a particle with age >= life is dead
  vec3 velocity;
  float life;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Particles { Particle at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counters {
  uint moved;  // number of particles after simulate.comp, dead ones among them
  uint vertices, living, first_vertex, first_instance;  // VkDrawIndirectCommand: an instance for each living particle
};

const uint cells_per_side = 16;

uint cell_of(vec3 position) {
  uvec3 cell = uvec3(clamp(position * cells_per_side, 0, cells_per_side - 1));
  return (cell.z * cells_per_side + cell.y) * cells_per_side + cell.x;
}
