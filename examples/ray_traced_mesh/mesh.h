#pragma once

#include <array>
#include <string>
#include <vector>

using Point = std::array<float, 3>;
using Triangle = std::array<Point, 3>;

struct Mesh {
  std::vector<Triangle> triangles;
  Point low, high;  ///< The box around it.
};

/// Loads a Wavefront .obj file. Throws std::runtime_error if it cannot be read or has no triangles.
Mesh load_mesh(const std::string& file);

/// Adds two triangles below the mesh, for its shadow.
void add_floor(Mesh& mesh);
