#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include <weft/reduce.h>
#include <weft/weft.h>

#include "app_kernels.h"

// The push-constant block of collect.comp, member by member.
struct CollectArguments {
  weft::Pointer<float> values;
  weft::Pointer<uint32_t> found;
  uint32_t count;
  float threshold;
};

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  std::vector<float> values(100'003);
  for (float& value : values) value = std::uniform_real_distribution<float>(0, 1)(random);
  auto input = device.buffer<float>(values.size());
  auto found = device.buffer<uint32_t>(values.size() + 1);
  stream.upload(input, values);

  const weft::Kernel collect = device.kernel(app::kernels::collect());
  const auto count = uint32_t(values.size());
  stream.fill(found, 0u);
  stream.dispatch(collect, {(count + 127) / 128}, CollectArguments{input.pointer(), found.pointer(), count, 0.75f});

  std::vector<uint32_t> indices = stream.download(found);
  indices = {indices.begin() + 1, indices.begin() + 1 + std::min(indices[0], count)};
  std::sort(indices.begin(), indices.end());
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < count; ++i) {
    if (values[i] > 0.75f) expected.push_back(i);
  }
  const float largest = weft::reduce(stream, input, weft::Operator::max());
  const bool right = indices == expected && largest == *std::max_element(values.begin(), values.end());
  std::printf("%s, Weft %s, seed %u: %zu of %u values found, the largest is %g: %s\n", device.info().name.c_str(),
              WEFT_VERSION, seed, indices.size(), count, double(largest), right ? "right" : "WRONG");
  return right ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
