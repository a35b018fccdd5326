#include "inputs.h"

#include <stdexcept>

#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
#include <tiny_obj_loader.h>

Mesh load_mesh(const std::string& file) {
  tinyobj::ObjReader reader;
  tinyobj::ObjReaderConfig config;
  config.triangulate = true;
  if (!reader.ParseFromFile(file, config)) {
    throw std::runtime_error("cannot read the mesh " + file + ": " +
                             (reader.Error().empty() ? "it does not exist" : reader.Error()));
  }
  Mesh mesh{file, {}, {}};
  const std::vector<float>& v = reader.GetAttrib().vertices;
  for (size_t i = 0; i + 2 < v.size(); i += 3) mesh.vertices.push_back({v[i], v[i + 1], v[i + 2]});
  for (const tinyobj::shape_t& shape : reader.GetShapes()) {
    for (const tinyobj::index_t& index : shape.mesh.indices) {
      if (index.vertex_index < 0 || size_t(index.vertex_index) >= mesh.vertices.size()) {
        throw std::runtime_error("the mesh " + file + " has a triangle whose vertex does not exist");
      }
      mesh.corners.push_back(uint32_t(index.vertex_index));
    }
  }
  if (mesh.corners.empty()) throw std::runtime_error("the mesh " + file + " has no triangles");
  return mesh;
}

Image load_image(const std::string& file) {
  int width = 0, height = 0, channels = 0;
  unsigned char* bytes = stbi_load(file.c_str(), &width, &height, &channels, 4);
  if (bytes == nullptr) {
    throw std::runtime_error("cannot read the image " + file + ": " + stbi_failure_reason());
  }
  Image image{file, uint32_t(width), uint32_t(height), std::vector<uint32_t>(size_t(width) * size_t(height))};
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = bytes[4 * i] | uint32_t(bytes[4 * i + 1]) << 8 | uint32_t(bytes[4 * i + 2]) << 16 |
                      uint32_t(bytes[4 * i + 3]) << 24;
  }
  stbi_image_free(bytes);
  return image;
}
