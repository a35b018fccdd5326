#include <weft/reduce.h>

#include <array>
#include <cstdio>
#include <vector>

#include <weft/histogram.h>
#include <weft/reductions.h>
#include <weft/weft.h>

struct Particle {
  float mass;
  std::array<float, 3> at;
};

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  std::vector<Particle> particles(1000);
  for (uint32_t i = 0; i < 1000; ++i) particles[i] = {float(i % 4), {float(i), float(i % 10), -1}};
  const auto input = device.buffer<Particle>(particles.size());
  stream.upload(input, particles);

  const auto particle = weft::Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}});
  const float mass = weft::reduce<float>(stream, particle, "x.mass", input);
  const weft::Box<3> box = weft::bounds<3>(stream, particle, "x.at", input);

  const std::vector<uint8_t> pixels{7, 200, 7, 64, 255, 0};
  const auto image = device.buffer<uint8_t>(pixels.size());
  const auto counts = device.buffer<uint32_t>(4);
  stream.upload(image, pixels);
  const auto sum = weft::reduce<uint64_t>(stream, image);  // 64 bits wide: does not wrap at 8
  weft::histogram(stream, 0, 256, image, counts);          // four bins over [0, 256)
  const std::vector<uint32_t> bins = stream.download(counts);

  std::printf("mass %g, x up to %g, sum of pixels %u\n", double(mass), double(box.high[0]), unsigned(sum));
  return mass == 1500 && box.high[0] == 999 && sum == 533 && bins == std::vector<uint32_t>{3, 1, 0, 2} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
