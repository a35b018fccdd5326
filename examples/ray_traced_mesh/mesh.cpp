#include "mesh.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <stdexcept>

Mesh load_mesh(const std::string& file) {
  tinyobj::ObjReader reader;
  if (!reader.ParseFromFile(file)) {
    throw std::runtime_error("cannot read the mesh " + file + ": " +
                             (reader.Error().empty() ? "it does not exist" : reader.Error()));
  }
  Mesh mesh;
  const std::vector<float>& v = reader.GetAttrib().vertices;
  for (size_t i = 0; i + 2 < v.size(); i += 3) mesh.vertices.push_back({v[i], v[i + 1], v[i + 2]});
  for (const tinyobj::shape_t& shape : reader.GetShapes()) {
    const std::vector<tinyobj::index_t>& corners = shape.mesh.indices;
    for (size_t i = 0; i + 2 < corners.size(); i += 3) {
      Triangle& triangle = mesh.triangles.emplace_back();
      for (size_t k = 0; k < 3; ++k) {
        const int vertex = corners[i + k].vertex_index;
        if (vertex < 0 || size_t(vertex) >= mesh.vertices.size()) {
          throw std::runtime_error("the mesh " + file + " has a triangle whose vertex does not exist");
        }
        triangle[k] = uint32_t(vertex);
      }
    }
  }
  if (mesh.triangles.empty()) throw std::runtime_error("the mesh " + file + " has no triangles");
  mesh.low = mesh.high = mesh.vertices[mesh.triangles[0][0]];
  for (const Triangle& triangle : mesh.triangles) {
    for (const uint32_t vertex : triangle) {
      for (size_t axis = 0; axis < 3; ++axis) {
        mesh.low[axis] = std::min(mesh.low[axis], mesh.vertices[vertex][axis]);
        mesh.high[axis] = std::max(mesh.high[axis], mesh.vertices[vertex][axis]);
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
  const auto first = uint32_t(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1)});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}
