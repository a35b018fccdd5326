#include <array>
#include <cstdio>
#include <vector>

#include <weft/mipmaps.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  // A depth buffer of 5 x 3 texels, with the nearest depth in the middle of it.
  const std::vector<float> depths{9, 9, 9, 9, 9, 9, 9, 2, 9, 9, 9, 9, 9, 9, 7};
  const weft::TexelFormat depth{weft::TexelType::float32, 1};
  const weft::Mipmaps nearest(device, depth, 5, 3, {.filter = weft::MipFilter::min});
  const auto image = device.buffer<float>(15);
  const auto levels = device.buffer<std::byte>(nearest.level_bytes());
  const auto counters = device.buffer<std::byte>(nearest.counter_bytes());
  stream.upload(image, depths);
  stream.fill(counters, std::byte{0});  // once: each run leaves them zero
  nearest.record(stream, {.image = image, .levels = levels, .counters = counters});

  // Level 1 has 2 x 1 texels, which both cover the middle column; level 2 has one.
  const std::vector<float> found = stream.download(levels.view().as<float>());
  std::printf("level 1: %g %g, level 2: %g\n", double(found[0]), double(found[1]), double(found[2]));
  return nearest.levels() == 3 && found == std::vector<float>{2, 2, 2} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
