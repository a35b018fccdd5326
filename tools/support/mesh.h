#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft::tools {

struct Mesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<uint32_t, 3>> triangles;  ///< Indices of their vertices.
};

/// Reads the vertices and faces of a Wavefront .obj file; other lines are skipped. Faces of more than three corners
/// become fans of triangles. Throws io_failed if the file cannot be read; invalid_argument, with the line, if a vertex
/// has no three finite numbers or a face is not made of vertices before it; and if there is no face.
Mesh read_obj(const std::filesystem::path& path);

}  // namespace weft::tools
