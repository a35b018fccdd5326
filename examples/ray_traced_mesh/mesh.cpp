#include "mesh.h"

#include <algorithm>
#include <stdexcept>

#include <tiny_obj_loader.h>

Mesh load_mesh(const std::string& file) {
  tinyobj::ObjReader reader;
  if (!reader.ParseFromFile(file)) {
    throw std::runtime_error("cannot read the mesh " + file + ": " +
                             (reader.Error().empty() ? "it does not exist" : reader.Error()));
  }
  Mesh mesh;
  const std::vector<float>& v = reader.GetAttrib().vertices;
  for (const tinyobj::shape_t& shape : reader.GetShapes()) {
    const std::vector<tinyobj::index_t>& corners = shape.mesh.indices;
    for (size_t i = 0; i + 2 < corners.size(); i += 3) {
      Triangle& triangle = mesh.triangles.emplace_back();
      for (size_t k = 0; k < 3; ++k) {
        const auto at = size_t(corners[i + k].vertex_index);
        if (corners[i + k].vertex_index < 0 || 3 * at + 2 >= v.size()) {
          throw std::runtime_error("the mesh " + file + " has a triangle whose vertex does not exist");
        }
        triangle[k] = {v[3 * at], v[3 * at + 1], v[3 * at + 2]};
      }
    }
  }
  if (mesh.triangles.empty()) throw std::runtime_error("the mesh " + file + " has no triangles");
  mesh.low = mesh.high = mesh.triangles[0][0];
  for (const Triangle& triangle : mesh.triangles) {
    for (const Point& corner : triangle) {
      for (size_t axis = 0; axis < 3; ++axis) {
        mesh.low[axis] = std::min(mesh.low[axis], corner[axis]);
        mesh.high[axis] = std::max(mesh.high[axis], corner[axis]);
      }
    }
  }
  return mesh;
}

void add_floor(Mesh& mesh) {
  const float y = mesh.low[1];
  const auto corner = [&](float right, float back) {
    const auto at = [&](size_t axis, float side) {
      const float half = (mesh.high[axis] - mesh.low[axis]) / 2;
      return mesh.low[axis] + half + 4 * side * half;
    };
    return Point{at(0, right), y, at(2, back)};
  };
  mesh.triangles.push_back({corner(-1, -1), corner(-1, 1), corner(1, 1)});
  mesh.triangles.push_back({corner(-1, -1), corner(1, 1), corner(1, -1)});
}
