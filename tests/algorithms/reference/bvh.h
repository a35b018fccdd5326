#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <weft/bvh_query.h>

#include "tests/algorithms/reference/lbvh.h"
#include "tests/support/test.h"

/// Queries to hierarchies, and what each finds of a single box.
namespace weft::test {

/// Devices may take denormals for zeros when they compare.
std::vector<TestBox> without_denormals(std::vector<TestBox> boxes);

/// Some of the boxes, neighbours that touch them, one around everything, others; with NaNs and infinities.
std::vector<TestBox> make_query_boxes(const std::vector<TestBox>& boxes, BoxKind kind, std::mt19937_64& generator);
/// Rays that hit and miss, start inside, are parallel to axes, and cannot be.
std::vector<BvhRay> make_rays(const std::vector<TestBox>& boxes, std::mt19937_64& generator);
std::vector<BvhPoint> make_points(const std::vector<TestBox>& boxes, std::mt19937_64& generator);

/// GLSL of kernels that include weft/thread/ray.glsl: ray_of(rays, i), of an array of BvhRay.
constexpr const char* ray_source = R"(
  float float_at(uvec2 memory, uint word) { return uintBitsToFloat(weft_load_word(memory, 0u, word)); }
  vec3 vec3_at(uvec2 memory, uint word) {
    return vec3(float_at(memory, word), float_at(memory, word + 1u), float_at(memory, word + 2u));
  }
  WeftRay ray_of(uvec2 rays, uint i) {
    uvec2 memory = weft_element_address(rays, 32u, i);
    return weft_ray(vec3_at(memory, 0u), vec3_at(memory, 4u), float_at(memory, 3u), float_at(memory, 7u));
  }
)";

bool overlap(const TestBox& a, const TestBox& b);

/// What a test in exact arithmetic says of a hit. Near misses may be found; hits must.
enum class Hit { no, maybe, yes };
struct Found {
  Hit hit = Hit::no;
  double distance = 0;  ///< t, or the squared distance.
};
using TestTriangle = std::array<std::array<float, 3>, 3>;
Found hits(const BvhRay& ray, const TestBox& box);
Found hits(const BvhRay& ray, const TestTriangle& triangle);
Found is_near(const BvhPoint& point, const TestBox& box);
Found is_near(const BvhPoint& point, const TestTriangle& triangle);
/// Of any triangle, also one without area.
double distance_from(const std::array<float, 3>& point, const TestTriangle& triangle);

/// A hierarchy on the device, built by the host: a linear one, or another one as given.
struct TestBvh {
  TestBvh(const Device& device, Stream& stream, const std::vector<TestBox>& boxes, std::mt19937_64& generator);
  TestBvh(const Device& device, Stream& stream, const TestLbvh& lbvh, std::mt19937_64& generator);

  Bvh in_kernels() const { return Bvh::of(nodes, indices, bounds, leaves); }

  uint32_t leaves;
  TestLbvh built;
  Guarded<BvhNode> nodes;
  Guarded<uint32_t> indices, leaf_parents;
  Guarded<Box<3>> bounds;
};

}  // namespace weft::test
