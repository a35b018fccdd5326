#include <algorithm>
#include <cstdio>
#include <vector>

#include <weft/compact.h>
#include <weft/reduce.h>
#include <weft/top_k.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  std::vector<uint32_t> numbers(1000);
  for (uint32_t i = 0; i < 1000; ++i) numbers[i] = i * 617 % 1000;  // a permutation of 0 to 999
  const auto input = device.buffer<uint32_t>(numbers.size());
  const auto kept = device.buffer<uint32_t>(numbers.size());
  const auto largest = device.buffer<uint32_t>(3);
  stream.upload(input, numbers);

  // The number of kept elements stays on the device, where the next plan reads it: nothing waits in between.
  const weft::Compact compact(device, weft::Element::of<uint32_t>(), weft::Selection::when("x >= 900"), numbers.size());
  const weft::Reduce reduce(device, weft::Element::of<uint32_t>(), weft::Operator::sum(), numbers.size());
  const auto count = device.buffer<uint64_t>(1);
  const auto sum = device.buffer<uint32_t>(1);
  const auto temporary = device.buffer<std::byte>(std::max(compact.temporary_bytes(), reduce.temporary_bytes()));
  compact.record(stream, {input, {}, kept, count, numbers.size(), temporary});
  reduce.record(stream, {kept, sum, count, temporary});

  weft::top_k(stream, input, largest);  // as many as `largest` has elements
  const uint32_t total = stream.download(sum)[0];
  const std::vector<uint32_t> three = stream.download(largest);

  std::printf("sum of the kept %u, largest %u %u %u\n", total, three[0], three[1], three[2]);
  return total == 94'950 && three == std::vector<uint32_t>{999, 998, 997} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
