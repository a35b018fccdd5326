#pragma once

#include <array>
#include <cstddef>

/// A camera that looks at the middle of the unit cube.
struct Camera {
  /// `turn` is the angle around the cube in radians, `aspect` the picture's width over its height.
  Camera(float turn, float aspect);

  std::array<float, 4> row(size_t r) const { return {matrix[r], matrix[4 + r], matrix[8 + r], matrix[12 + r]}; }

  std::array<float, 16> matrix;    ///< From the world to clip coordinates, column by column.
  std::array<float, 2> disc_size;  ///< Half the size of a particle at w = 1, in clip coordinates.
};
