#pragma once

#include <array>
#include <optional>

#include "camera.h"
#include "particles.h"
#include "pictures.h"
#include "reference.h"

/// Compares every frame with the CPU: the simulation, the dead that are gone, the order, the lists of cells, the draw
/// command and the picture.
class Check {
 public:
  Check(const ParticleArrays& arrays, Memory& memory);
  ~Check();
  Check(const Check&) = delete;

  /// Records a copy of the particles' memory, after Particles::record().
  void record(const Frame& frame);
  /// Compares a frame that is done; frames come in order. Throws std::runtime_error with the first difference.
  void verify(uint64_t frame, const Step& step, const Camera& camera, const Pictures& pictures);

 private:
  const ParticleArrays& arrays_;
  Memory& memory_;
  std::array<Memory::Part, Frames::in_flight> copies_;
  Snapshot before_;  ///< Of the last frame.
};
