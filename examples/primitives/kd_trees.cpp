#include <array>
#include <cstdio>
#include <vector>

#include <weft/kd_tree.h>
#include <weft/weft.h>

int main() try {
  using Point = std::array<float, 2>;
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  const std::vector<Point> towns{{1, 1}, {9, 2}, {5, 5}, {2, 8}, {9, 9}};
  const auto points = device.buffer<Point>(towns.size());
  const auto nodes = device.buffer<weft::KdNode<2>>(towns.size());
  stream.upload(points, towns);
  const weft::KdTree tree(device, 2, towns.size());
  const auto temporary = device.buffer<std::byte>(tree.temporary_bytes());
  tree.record(stream, {points, nodes, towns.size(), temporary});

  // The two nearest towns of each of two places, but none farther away than 5.
  const std::vector<Point> places{{4, 6}, {9, 5}};
  const auto queries = device.buffer<Point>(2);
  const auto indices = device.buffer<uint32_t>(4);
  const auto squared_distances = device.buffer<float>(4);
  stream.upload(queries, places);
  const weft::KdNearest nearest(device, 2, 2, places.size());
  nearest.record(stream, {.nodes = nodes,
                          .node_count = towns.size(),
                          .queries = queries,
                          .indices = indices,
                          .squared_distances = squared_distances,
                          .count = places.size(),
                          .squared_radius = 25});
  const std::vector<uint32_t> found = stream.download(indices);
  const std::vector<float> squares = stream.download(squared_distances);

  for (size_t i = 0; i < found.size(); ++i) {
    std::printf("place %zu: town %u, squared distance %g\n", i / 2, found[i], double(squares[i]));
  }
  // Towns 2 and 4 are both 4 away from the second place; the lower index comes first.
  return found == std::vector<uint32_t>{2, 3, 1, 2} && squares == std::vector<float>{2, 8, 9, 16} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
