#include <algorithm>
#include <cstdio>
#include <vector>

#include <weft/find_pairs.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  // Two boxes that touch, one inside the first, and one apart.
  const std::vector<weft::Box<3>> corners{
      {{0, 0, 0}, {2, 2, 2}}, {{2, 0, 0}, {3, 1, 1}}, {{1, 1, 1}, {1.5f, 1.5f, 1.5f}}, {{9, 9, 9}, {10, 10, 10}}};
  const auto boxes = device.buffer<weft::Box<3>>(corners.size());
  stream.upload(boxes, corners);

  // Their number first, then the pairs.
  const weft::BvhPrimitive box = weft::BvhPrimitive::boxes();
  const uint64_t number = weft::find_pairs(stream, box, boxes, {});
  const auto pairs = device.buffer<weft::IndexPair>(number);
  weft::find_pairs(stream, box, boxes, pairs.view());

  std::vector<weft::IndexPair> found = stream.download(pairs);
  std::ranges::sort(found);
  for (const auto& [first, second] : found) std::printf("%u overlaps %u\n", first, second);
  return found == std::vector<weft::IndexPair>{{0, 1}, {0, 2}} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
