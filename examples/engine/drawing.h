#pragma once

#include "camera.h"
#include "particle_arrays.h"
#include "screen.h"

/// Draws the particles as discs, from the back to the front.
class Drawing {
 public:
  Drawing(const Gpu& gpu, VkFormat format);
  ~Drawing();
  Drawing(const Drawing&) = delete;

  static constexpr float background[] = {0.02f, 0.02f, 0.05f};

  /// Binds the pipeline and sets its dynamic state. Weft's commands change none of it.
  void bind(VkCommandBuffer commands, VkExtent2D size) const;
  /// Draws into `target`, which becomes a color attachment. The number of particles is read by the device.
  void draw(VkCommandBuffer commands, const Target& target, const ParticleArrays& arrays, const Camera& camera) const;

 private:
  const Gpu& gpu_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};
