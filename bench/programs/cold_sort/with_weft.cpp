#include <weft/device.h>
#include <weft/kernel_cache.h>
#include <weft/pack.h>
#include <weft/sort.h>

#include "bench/programs/cold_sort/sorted_keys.h"
#include "bench/programs/timed_process.h"

// Sorts with Weft, whose kernels are in a pack, and whose pipelines are in a cache. See main.cpp.
//
//   cold_sort_weft DEVICE PACK CACHE STARTED
int main(int argc, char** argv) try {
  using namespace weft;
  if (argc != 5) return 2;
  bench::TimedParts parts(argv[4]);
  DeviceOptions options;
  options.packs = {Pack::open(argv[2])};
  options.cache = KernelCache::in_folder(argv[3]);
  options.queues = 1;  // as by hand
  const Device device = open_device(argv[1], options);
  parts.end_part();
  const Sort sort(device, Element::of<uint32_t>(), bench::key_count);
  parts.end_part();
  Stream stream = device.stream();
  const auto keys = device.buffer<uint32_t>(bench::key_count);
  stream.upload(keys, bench::unsorted_keys());
  sort.record(stream, {.keys = keys, .keys_out = keys, .count = bench::key_count});
  const std::vector<uint32_t> result = stream.download(keys);
  parts.end_part();
  parts.print();
  return bench::status_of(result);
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str());
  return 1;
}
