#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using Point = std::array<float, 3>;
using Triangle = std::array<uint32_t, 3>;  ///< Indices of its vertices.

struct Mesh {
  std::vector<Point> vertices;
  std::vector<Triangle> triangles;
  Point low, high;  ///< The box around the triangles.
};

/// Loads a Wavefront .obj file. Throws std::runtime_error if it cannot be read or has no triangles.
Mesh load_mesh(const std::string& file);

/// Adds two triangles below the mesh, for its shadow.
void add_floor(Mesh& mesh);
