#pragma once

#include <cstdint>
#include <vector>

#include <weft/weft.h>

#include "mesh.h"

struct View {
  uint32_t width, height;
  uint32_t rays;  ///< Around the surface of each pixel, for ambient occlusion; up to 31.
};

/// What render.comp computes for a pixel.
struct Pixel {
  uint32_t primitive;
  float t;
  uint32_t blocked, nodes, color;
};

struct Rendering {
  std::vector<Pixel> pixels;
  double build_seconds, render_seconds;  ///< By the device's clock.
  size_t compared, wrong;                ///< Pixels that were compared with brute force, and those that differ.
};

/// Builds a hierarchy over the mesh and renders it. Compares every `step`-th pixel of every `step`-th row with one
/// whose rays were tested against all triangles.
Rendering render(const weft::Device& device, const Mesh& mesh, const View& view, uint32_t step);
