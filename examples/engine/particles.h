#pragma once

#include <array>
#include <cstdint>

#include <weft/compact.h>
#include <weft/histogram.h>
#include <weft/indirect_groups.h>
#include <weft/interop/vulkan.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include "particle_arrays.h"

/// What the simulation needs to know about a frame.
struct Step {
  std::array<float, 3> emitter;  ///< Where particles are born ...
  float spread;                  ///< ... or, if this is 1, everywhere.
  uint32_t born;                 ///< Number of new particles, as far as there is room.
  uint32_t seed;
  float seconds;
  std::array<float, 4> depth_row;  ///< dot(depth_row, (position, 1)) is the depth from the camera.
};

/// Everything that Weft does with the particles. Only the device knows how many live.
class Particles {
 public:
  static constexpr uint32_t group_size = 128;  ///< Invocations in a workgroup of the engine's own kernels.

  /// Makes all plans and kernels, so that recording compiles and allocates nothing. `arrays` must outlive this.
  Particles(const weft::Device& device, const ParticleArrays& arrays);

  /// Records a step of the simulation, and all that drawing needs. Frames are recorded in order.
  void record(VkCommandBuffer commands, uint64_t frame, const Step& step);
  /// All frames up to `frame` are done.
  void finished(uint64_t frame) { arena_.finished(frame); }

 private:
  void clear(weft::Recorder& recorder) const;
  void simulate(weft::vulkan::Recording& recording, const Step& step) const;
  void sort(weft::vulkan::Recording& recording, const Step& step) const;
  void list_cells(weft::vulkan::Recording& recording) const;

  uint32_t capacity_;
  weft::Kernel simulate_, measure_;
  weft::Compact bury_;
  weft::IndirectGroups count_groups_;
  weft::Sort by_depth_, by_cell_;
  weft::Histogram count_cells_;
  weft::Scan start_cells_;
  weft::vulkan::RecordingArena arena_;

  // The arrays, wrapped once.
  weft::Buffer<uint32_t> counters_, moved_count_, vertex_count_, living_count_, groups_;
  weft::Buffer<Particle> moved_, living_;
  weft::Buffer<float> depths_, sorted_depths_;
  weft::Buffer<uint32_t> cells_, indices_, order_, sorted_cells_, members_, cell_counts_, cell_starts_;
};
