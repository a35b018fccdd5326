#pragma once

#include <array>
#include <cstdint>

#include "memory.h"

/// As in shaders/particles.glsl.
struct Particle {
  std::array<float, 3> position;
  float age;
  std::array<float, 3> velocity;
  float life;
};

struct Counters {
  uint32_t moved;                    ///< Number of particles after the step, dead ones among them.
  VkDrawIndirectCommand draw;        ///< draw.instanceCount is the number of living particles.
  VkDispatchIndirectCommand groups;  ///< Workgroups for the living particles.
};

constexpr uint32_t cells_per_side = 16, cell_count = cells_per_side * cells_per_side * cells_per_side;

/// Where the arrays of `capacity` particles are in one piece of memory: offsets in bytes.
struct ParticleLayout {
  explicit ParticleLayout(uint32_t capacity);
  uint32_t capacity;
  uint64_t counters;                  ///< Counters
  uint64_t moved, living;             ///< Particle: after the step, and without the dead
  uint64_t depths, cells, indices;    ///< float, uint32_t, uint32_t: of each living particle
  uint64_t sorted_depths, order;      ///< float, uint32_t: indices of the living particles from the back to the front
  uint64_t sorted_cells, members;     ///< uint32_t: indices of the living particles, cell by cell
  uint64_t cell_counts, cell_starts;  ///< uint32_t: the members of cell c are members[starts[c] + k], k < counts[c]
  uint64_t bytes = 0;
};

/// Memory of the engine for these arrays.
class ParticleArrays {
 public:
  ParticleArrays(Memory& memory, uint32_t capacity)
      : layout(capacity), part(memory.allocate(layout.bytes, false)), memory_(memory) {}
  ~ParticleArrays() { memory_.release(part); }
  ParticleArrays(const ParticleArrays&) = delete;

  uint64_t address(uint64_t offset) const { return part.address + offset; }

  const ParticleLayout layout;
  const Memory::Part part;

 private:
  Memory& memory_;
};
