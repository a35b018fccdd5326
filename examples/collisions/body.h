#pragma once

#include <array>
#include <cstdint>

/// A sphere, as the kernels have it.
struct Body {
  std::array<float, 3> at;
  float radius;
  std::array<float, 3> velocity;
  uint32_t contacts;  ///< Bodies that it touched in the last step.
};
