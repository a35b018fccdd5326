#pragma once

#include <filesystem>
#include <vector>

#include <weft/reductions.h>

namespace weft::bench {

/// Returns the boxes around the triangles of a Wavefront .obj file, moved to the origin and scaled so that the longest
/// edge of the box around all is 1. Throws as tools::read_obj() does.
std::vector<Box<3>> boxes_of_mesh(const std::filesystem::path& file);

}  // namespace weft::bench
