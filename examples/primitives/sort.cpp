#include <weft/sort.h>

#include <cstdio>
#include <vector>

#include <weft/merge_sort.h>
#include <weft/weft.h>

struct Edge {
  uint32_t from, to;
};

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  // By radix: keys, with a value for each.
  const std::vector<float> distances{2.5f, -1, 7, 0};
  const std::vector<uint32_t> indices{0, 1, 2, 3};
  const auto distance = device.buffer<float>(distances.size());
  const auto index = device.buffer<uint32_t>(indices.size());
  stream.upload(distance, distances);
  stream.upload(index, indices);
  weft::sort(stream, distance, index, {.descending = true});
  const std::vector<uint32_t> far_to_near = stream.download(index);

  // By a comparison: elements of any type.
  const std::vector<Edge> edges{{3, 1}, {0, 2}, {3, 0}, {0, 1}};
  const auto edge = device.buffer<Edge>(edges.size());
  stream.upload(edge, edges);
  const auto element = weft::Element::structure<Edge>({{"from", &Edge::from}, {"to", &Edge::to}});
  const auto by_from = weft::Comparison::by("a.from < b.from || (a.from == b.from && a.to < b.to)");
  weft::merge_sort(stream, element, by_from, edge, edge);  // in place
  const std::vector<Edge> sorted = stream.download(edge);

  std::printf("farthest is %u; first edge %u to %u\n", far_to_near[0], sorted[0].from, sorted[0].to);
  const bool right = sorted[0].to == 1 && sorted[1].to == 2 && sorted[2].to == 0 && sorted[3].to == 1;
  return right && far_to_near == std::vector<uint32_t>{2, 0, 3, 1} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
