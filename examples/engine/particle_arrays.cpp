#include "particle_arrays.h"

ParticleLayout::ParticleLayout(uint32_t particles) : capacity(particles) {
  const auto take = [&](uint64_t count, uint64_t element_bytes) {
    const uint64_t offset = bytes;
    bytes += (count * element_bytes + 255) / 256 * 256;
    return offset;
  };
  counters = take(1, sizeof(Counters));
  for (uint64_t* const of_particles : {&moved, &living}) *of_particles = take(capacity, sizeof(Particle));
  for (uint64_t* const of_words : {&depths, &cells, &indices, &sorted_depths, &order, &sorted_cells, &members}) {
    *of_words = take(capacity, sizeof(uint32_t));
  }
  for (uint64_t* const of_cells : {&cell_counts, &cell_starts}) *of_cells = take(cell_count, sizeof(uint32_t));
}
