#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Three floats: the layout of a vertex on the device.
struct Point {
  float x = 0, y = 0, z = 0;
  bool operator==(const Point&) const = default;
};

struct Mesh {
  std::string file;
  std::vector<Point> vertices;
  std::vector<uint32_t> corners;  ///< Three vertex indices per triangle.
};

struct Image {
  std::string file;
  uint32_t width = 0, height = 0;
  std::vector<uint32_t> pixels;  ///< Rows from the top; red in the lowest byte, then green, blue, alpha.
};

/// Reads a Wavefront .obj file of triangles. Throws std::runtime_error with the reason on failure.
Mesh load_mesh(const std::string& file);

/// Reads any image that stb_image supports (PNG, JPEG, ...). Throws std::runtime_error with the reason on failure.
Image load_image(const std::string& file);
