#include <array>
#include <cstdio>
#include <vector>

#include <weft/bvh_query.h>
#include <weft/lbvh.h>
#include <weft/weft.h>

int main() try {
  using Triangle = std::array<std::array<float, 3>, 3>;
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  // Three triangles, one behind the other, and a hierarchy over them.
  std::vector<Triangle> corners;
  for (const float z : {3.0f, 1.0f, 2.0f}) corners.push_back({{{0, 0, z}, {1, 0, z}, {0, 1, z}}});
  constexpr uint64_t count = 3;
  const auto triangles = device.buffer<Triangle>(count);
  const auto nodes = device.buffer<weft::BvhNode>(count - 1);
  const auto indices = device.buffer<uint32_t>(count), leaf_parents = device.buffer<uint32_t>(count);
  const auto bounds = device.buffer<weft::Box<3>>(1);
  stream.upload(triangles, corners);
  const weft::Lbvh build(device, weft::BvhPrimitive::triangles(), count);
  const auto temporary = device.buffer<std::byte>(build.temporary_bytes());
  build.record(stream, {triangles, nodes, indices, leaf_parents, bounds, count, temporary});

  // The nearest triangle along each of two rays.
  using Of = weft::BvhQuery::Of;
  const auto rays = device.buffer<weft::BvhRay>(2);
  const auto hits = device.buffer<weft::BvhHit>(2);
  stream.upload(rays, std::vector<weft::BvhRay>{{.origin = {0.25f, 0.25f, 0}, .direction = {0, 0, 1}},
                                                {.origin = {5, 5, 0}, .direction = {0, 0, 1}}});
  const weft::BvhQuery plan(device, Of::rays, weft::BvhQuery::Find::nearest, 2,
                            {.test = weft::BvhQuery::Test::triangles(Of::rays)});
  plan.record(stream, {.nodes = nodes,
                       .indices = indices,
                       .bounds = bounds,
                       .leaves = count,
                       .primitives = triangles,
                       .queries = rays,
                       .count = 2,
                       .hits = hits,
                       .ends = {},
                       .found = {},
                       .temporary = {}});
  const std::vector<weft::BvhHit> found = stream.download(hits);

  std::printf("the first ray hits triangle %u at %g; the second one %s\n", found[0].primitive,
              double(found[0].distance), found[1].primitive == weft::tree::none ? "misses" : "hits");
  return found[0].primitive == 1 && found[0].distance == 1 && found[1].primitive == weft::tree::none ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
