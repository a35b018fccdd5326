#include <cstdio>
#include <vector>

#include <weft/by_key.h>
#include <weft/run_length.h>
#include <weft/segmented.h>
#include <weft/weft.h>

int main() try {
  const weft::Device device = weft::open_device();
  weft::Stream stream = device.stream();

  const std::vector<uint32_t> keys{4, 4, 4, 7, 7, 4};
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto key = device.buffer<uint32_t>(6), first_of_run = device.buffer<uint32_t>(6);
  const auto length = device.buffer<uint32_t>(6);
  const auto value = device.buffer<float>(6), total = device.buffer<float>(6);
  stream.upload(key, keys);
  stream.upload(value, values);

  // Runs are neighbours with equal keys: here 4 4 4, 7 7 and 4.
  const uint64_t runs = weft::run_length_encode(stream, key, first_of_run, length);
  const std::vector<uint32_t> lengths = stream.download(length.part(0, runs));
  weft::reduce_by_key(stream, key, value, first_of_run, total);
  const std::vector<float> totals = stream.download(total.part(0, runs));

  // Segments are given by offsets: [0, 2), the empty [2, 2), and [2, 6).
  const std::vector<uint32_t> offsets{0, 2, 2, 6};
  const auto offset = device.buffer<uint32_t>(offsets.size());
  stream.upload(offset, offsets);
  weft::segmented_reduce(stream, value, offset, total);
  const std::vector<float> sums = stream.download(total.part(0, offsets.size() - 1));

  std::printf("%u runs, totals %g %g %g\n", unsigned(runs), double(totals[0]), double(totals[1]), double(totals[2]));
  const bool right = lengths == std::vector<uint32_t>{3, 2, 1} && totals == std::vector<float>{6, 9, 6};
  return right && sums == std::vector<float>{3, 0, 18} ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}
