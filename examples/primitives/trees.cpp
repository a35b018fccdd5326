#include <array>
#include <cstdio>
#include <vector>

#include <weft/morton.h>
#include <weft/sort.h>
#include <weft/tree_reduce.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  // Points of a plane, sorted along the Z-order curve.
  const std::vector<std::array<float, 2>> corners{{7, 7}, {0, 7}, {7, 0}, {0, 0}};
  const auto points = device.buffer<std::array<float, 2>>(4);
  const auto codes = device.buffer<uint32_t>(4), order = device.buffer<uint32_t>(4);
  stream.upload(points, corners);
  stream.upload(order, std::vector<uint32_t>{0, 1, 2, 3});
  weft::morton(stream, 2, points, codes.view());
  weft::sort(stream, codes, order);
  const std::vector<uint32_t> along = stream.download(order);

  // A tree with two inner nodes: node 0 has leaf 0 and node 1 as children, node 1 has leaves 1 and 2.
  constexpr uint32_t leaf = weft::tree::leaf;
  const auto leaves = device.buffer<float>(3), sums = device.buffer<float>(2);
  const auto children = device.buffer<uint32_t>(4);
  stream.upload(leaves, std::vector<float>{0.5f, 20, 300});
  stream.upload(children, std::vector<uint32_t>{leaf + 0, 1, leaf + 1, leaf + 2});
  const weft::TreeReduce plan(device, weft::Element::of<float>(), weft::Operator::sum(), 3, 2);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {.leaves = leaves,
                       .children = children,
                       .parents = {},
                       .leaf_parents = {},
                       .output = sums,
                       .count = 3,
                       .inner_count = 2,
                       .temporary = temporary});
  const std::vector<float> sum = stream.download(sums);

  std::printf("corners %u %u %u %u, sums %g and %g\n", along[0], along[1], along[2], along[3], double(sum[0]),
              double(sum[1]));
  return along == std::vector<uint32_t>{3, 1, 2, 0} && sum == std::vector<float>{320.5f, 320} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
