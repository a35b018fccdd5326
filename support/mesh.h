#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::support {

struct Mesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<uint32_t, 3>> triangles;  ///< Indices of their vertices.
  std::string ignored;  ///< What to tell the user of lines that begin with an unknown word; empty if there is none.
};

/// Reads the vertices and faces of a Wavefront .obj file in UTF-8; `ignored` has lines that are unknown, the others of
/// the format are skipped. Faces of more than three corners become fans of triangles. Throws io_failed if the file
/// cannot be read; invalid_argument, with the line, if a vertex has no three finite numbers or a face is not made of
/// vertices of the file; and if there is no face.
///
/// tinyobjloader 2.0.0, which Debian has, skips a first line after a byte order mark without a word, so that each face
/// takes the vertices next to its own; reads words that are not numbers as 0; and refuses lines that a backslash
/// continues.
Mesh read_obj(const std::string& name);

}  // namespace weft::support
