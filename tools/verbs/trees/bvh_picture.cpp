#include "tools/verbs/trees/bvh_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <weft/device.h>

#include "support/png.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const kernel_text = R"(#version 460
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;

#include "weft/device/bvh.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Indices { uvec3 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Vertices { vec3 at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Pixels { uint nodes[]; };

layout(push_constant, scalar) uniform PictureArguments {
  WeftBvh bvh;
  Indices indices;
  Vertices vertices;
  Pixels pixels;
  vec3 eye, corner, right, down;
  uint size;
} args;

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (max(at.x, at.y) >= args.size) return;
  vec3 direction = args.corner + (float(at.x) + 0.5) * args.right + (float(at.y) + 0.5) * args.down;
  WeftRay ray = weft_ray(args.eye, direction, 0.0, weft_infinity());
  WeftBvhWalk walk = weft_bvh_hits(args.bvh, ray);
  while (weft_bvh_next_hit(walk, args.bvh, ray)) {
    uvec3 i = args.indices.at[walk.primitive];
    ray.t_max = min(ray.t_max, weft_ray_triangle(ray, args.vertices.at[i.x], args.vertices.at[i.y], args.vertices.at[i.z]));
  }
  args.pixels.nodes[at.y * args.size + at.x] = walk.nodes;
}
)";

using Vector = std::array<float, 3>;

struct PictureArguments {
  Bvh bvh;
  uint64_t indices, vertices, pixels;
  Vector eye, corner, right, down;
  uint32_t size, unused = 0;
};

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator*(float a, const Vector& b) { return {a * b[0], a * b[1], a * b[2]}; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) { return 1 / std::hypot(a[0], a[1], a[2]) * a; }

// Looks at the middle of the bounds from as far away as the sphere around them fits into the picture.
void aim(PictureArguments& arguments, const Box<3>& bounds) {
  const Vector low = bounds.low, middle = 0.5f * low + 0.5f * bounds.high, to_corner = middle + -1.0f * low;
  const float radius = std::max(std::hypot(to_corner[0], to_corner[1], to_corner[2]), 1e-30f);
  const Vector backward = unit({0.25f, 0.4f, 1.0f}), right = unit(cross({0, 1, 0}, backward)),
               up = cross(backward, right);
  arguments.eye = middle + 2 * radius * backward;
  const float half = 0.6f;
  arguments.right = 2 * half / float(arguments.size) * right;
  arguments.down = -2 * half / float(arguments.size) * up;
  arguments.corner = -1.0f * backward + -half * right + half * up;
}

std::array<std::byte, 3> heat_color(float heat) {
  constexpr float stops[][3] = {{0, 0, 0}, {20, 20, 150}, {190, 30, 60}, {250, 190, 40}, {255, 255, 255}};
  constexpr size_t steps = std::size(stops) - 1;
  const float at = heat * float(steps);
  const size_t first = std::min(size_t(at), steps - 1);
  std::array<std::byte, 3> color;
  for (size_t channel = 0; channel < 3; ++channel) {
    const float a = stops[first][channel], b = stops[first + 1][channel];
    color[channel] = std::byte(a + (at - float(first)) * (b - a));
  }
  return color;
}

// A number that a hundredth of the numbers above 0 exceed.
uint32_t large_number(const std::vector<std::vector<uint32_t>>& pictures) {
  std::vector<uint32_t> numbers{1};
  for (const std::vector<uint32_t>& picture : pictures) {
    std::ranges::copy_if(picture, std::back_inserter(numbers), [](uint32_t x) { return x > 0; });
  }
  const auto found = numbers.end() - 1 - std::ptrdiff_t(numbers.size() / 100);
  std::ranges::nth_element(numbers, found);
  return *found;
}

}  // namespace

std::vector<uint32_t> nodes_read(Stream& stream, const Bvh& bvh, const Region& indices, const Region& vertices,
                                 const Box<3>& bounds, uint32_t size) {
  const Device device = stream.device();
  const auto pixels = device.buffer<uint32_t>(uint64_t{size} * size);
  PictureArguments arguments{
      bvh, indices.address(), vertices.address(), pixels.view().region().address(), {}, {}, {}, {}, size};
  aim(arguments, bounds);
  const uint32_t groups = (size + 7) / 8;
  stream.dispatch(device.kernel_from_glsl(kernel_text), {groups, groups}, arguments);
  return stream.download(pixels);
}

std::vector<std::byte> heat_map(const std::vector<std::vector<uint32_t>>& pictures, uint32_t size) {
  const float most = float(large_number(pictures));
  std::vector<std::byte> texels;
  for (uint32_t y = 0; y < size; ++y) {
    for (const std::vector<uint32_t>& picture : pictures) {
      for (uint32_t x = 0; x < size; ++x) {
        const auto color = heat_color(std::min(1.0f, float(picture[uint64_t{y} * size + x]) / most));
        texels.insert(texels.end(), color.begin(), color.end());
      }
    }
  }
  return png_of(std::array<uint64_t, 3>{size, size * pictures.size(), 3}, texels);
}

}  // namespace weft::tools
