#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <weft/weft.h>

#include "hlsl_kernels.h"

struct Parameters {
  float a;
  uint32_t count;
};

weft::Spirv read_module(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  return weft::spirv_from_bytes(std::as_bytes(std::span(bytes)), path);
}

// Computes y = 2 * x + y with each kernel: embedded ones, and those read at run time.
int main(int count, char** names) try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();
  const std::vector<float> numbers{1, 2, 3, 4, 5};
  auto x = device.buffer<float>(5), y = device.buffer<float>(5);
  auto parameters = device.buffer<Parameters>(1);
  const std::vector<Parameters> values{{2, 5}};
  stream.upload(x, numbers);
  stream.upload(y, numbers);
  stream.upload(parameters, values);

  weft::Arguments pushed(values[0]);
  stream.dispatch(device.kernel(kernels::saxpy()), {1}, pushed.bind(0, 0, x).bind(0, 1, y));
  const weft::Spirv module = count > 1 ? read_module(names[1]) : kernels::saxpy_registers();
  stream.dispatch(device.kernel(module), {1}, weft::Arguments().bind(0, 0, x).bind(0, 1, y).bind(0, 2, parameters));

  const std::vector<float> result = stream.download(y);
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] != 5 * numbers[i]) return std::fprintf(stderr, "y[%zu] is %g\n", i, double(result[i])), 1;
  }
  std::printf("HLSL on %s: right\n", device.info().name.c_str());
  return 0;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
