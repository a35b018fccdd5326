#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "camera.h"
#include "particles.h"

/// What a frame left in the particles' memory.
class Snapshot {
 public:
  Snapshot(const ParticleLayout& layout, std::vector<std::byte> memory) : layout_(layout), memory_(std::move(memory)) {}

  const ParticleLayout& layout() const { return layout_; }
  const Counters& counters() const { return *reinterpret_cast<const Counters*>(&memory_[layout_.counters]); }
  template <typename T>
  std::span<const T> array(uint64_t offset, uint64_t count) const {
    return {reinterpret_cast<const T*>(&memory_[offset]), count};
  }

 private:
  ParticleLayout layout_;
  std::vector<std::byte> memory_;
};

/// What simulate.comp computes after the frame `before`.
std::vector<Particle> simulated(const Snapshot& before, const Step& step);

/// The cell of a position, as cell_of() in particles.glsl.
uint32_t cell_of(const std::array<float, 3>& position);

/// What the shaders draw: red, green and blue of each pixel from 0 to 1, row by row.
std::vector<std::array<float, 3>> drawn(std::span<const Particle> particles, std::span<const uint32_t> order,
                                        const Camera& camera, uint32_t width, uint32_t height);
