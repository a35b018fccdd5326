#include <cstdio>
#include <vector>

#include <weft/compact.h>
#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/weft.h>

int main() try {
  weft::Device device = weft::open_device();  // the best one; "vulkan:1" or a part of its name picks another
  weft::Stream stream = device.stream();

  std::vector<uint32_t> numbers(1'000'000);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i % 1000;
  auto input = device.buffer<uint32_t>(numbers.size());
  auto output = device.buffer<uint32_t>(numbers.size());
  stream.upload(input, numbers);

  uint32_t sum = weft::reduce(stream, input);
  uint64_t kept = weft::compact(stream, "x % 7 == 0", input, output);  // the multiples of 7, in order
  uint32_t largest = weft::reduce(stream, output.part(0, kept), weft::Operator::max());
  weft::inclusive_scan(stream, input, output);  // running sums
  uint32_t last = stream.download(output).back();

  std::printf("%s: sum %u, %u multiples of 7 up to %u\n", device.info().name.c_str(), sum, unsigned(kept), largest);
  return sum == 499'500'000 && last == sum && kept == 143'000 && largest == 994 ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
