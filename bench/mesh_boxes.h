#pragma once

#include <vector>

#include <weft/reductions.h>

#include "support/mesh.h"

namespace weft::bench {

/// Returns the boxes around the triangles of a mesh, moved to the origin and scaled so that the longest edge of the box
/// around all is 1.
std::vector<Box<3>> boxes_of_mesh(const support::Mesh& mesh);

}  // namespace weft::bench
