#include "tools/pack/profiles.h"

#include <set>

#include <weft/scan.h>

#include "core/src/pack/served_devices.h"
#include "tests/algorithms/base/elements.h"
#include "tests/packs/packed.h"
#include "tests/support/sample.h"
#include "tools/pack/described_device.h"

using namespace weft;
using namespace weft::test;
using namespace weft::tools;

/// Packs for other devices than the one that uses them, and for every element type.

namespace {

std::vector<std::byte> pack_for_described(const DeviceInfo& info, const std::vector<std::string>& lines,
                                          const DeviceOptions& options) {
  PackRequest request;
  request.profiles = {{"described", info}};
  request.options = options;
  return make_pack(list_of(lines), request).bytes;
}

void check_sorts_and_scans(const Device& device, std::mt19937_64& generator) {
  for (const uint64_t count : {1, 100, 1000, 5000}) {
    INFO(count);
    std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
    const std::vector<uint32_t> sorted = sorted_on(device, data);
    Stream stream = device.stream();
    const Buffer<uint32_t> sums = device.buffer<uint32_t>(count);
    stream.upload(sums, data);
    inclusive_scan(stream, sums, sums);
    uint32_t sum = 0;
    for (const uint32_t x : data) sum += x;
    CHECK_EQ(stream.download(sums).back(), sum);
    std::ranges::sort(data);
    check_same(sorted, data);
  }
}

/// E stands for the element. With `numbers` alone, it is no struct.
struct Line {
  const char* text;
  bool numbers = false;
  std::set<std::string> without = {};
};
const std::vector<std::string> numbers{"int8_t",  "uint8_t",  "int16_t",   "uint16_t", "int",   "uint",
                                       "int64_t", "uint64_t", "float16_t", "float",    "double"};
const std::vector<std::string> structs{"\"struct{float lo; dvec2 hi;}\"", "\"struct{uint8_t a; u8vec2 b;}\"",
                                       "\"struct{f16vec3 a; uint16_t b;}\"", "\"struct{int64_t a; ivec4 b;}\""};
const std::vector<Line> lines{
    {"Reduce element=E op=sum max_count=1000", true},
    {"Reduce element=E op=max max_count=1000", true},
    {"Scan element=E op=sum kind=inclusive max_count=1000", true},
    {"ScanByKey key=E value=uint op=sum max_count=1000"},
    {"ScanByKey key=uint value=E op=min max_count=1000", true},
    {"Map element=E transform.from=E transform.expression=x max_count=1000", true},
    {"Compact element=E max_count=1000"},
    {"Compact element=E selection.of_runs=true max_count=1000"},
    {"Partition element=E max_count=1000"},
    {"Split element=E first=\"i % 2 == 0\" second=\"i % 3 == 0\" three=true max_count=1000"},
    {"Enqueue element=E selection.where=\"i % 2 == 0\" max_count=1000"},
    {"RunLengthEncode element=E max_count=1000"},
    {"RunLengthDecode element=E max_runs=100 max_count=1000"},
    {"ReduceByKey key=E value=uint op=sum max_count=1000"},
    {"ReduceByKey key=uint value=E op=max max_count=1000", true},
    {"SegmentedReduce element=E op=sum by=offsets max_count=1000 max_segments=100", true},
    {"SegmentedScan element=E op=sum max_count=1000 max_segments=100", true},
    {"SegmentedSort element=E before=\"weft_ascending(a, b)\" max_count=1000 max_segments=100", true},
    {"Sort key=E max_count=1000", true},
    {"Sort key=uint value=E max_count=1000"},
    {"TopK key=E max_count=1000 max_k=100", true},
    {"MergeSort element=E before=\"weft_ascending(a, b)\" max_count=1000", true},
    {"MergeSort element=uint before=\"a > b\" values=E max_count=1000"},
    {"Merge element=E before=\"weft_ascending(a, b)\" max_count=1000", true},
    {"TileSort element=E before=\"weft_ascending(a, b)\" length=64 max_count=1000", true},
    {"Histogram element=E bins=64 lower=0 upper=100 max_count=1000", true, {"double"}},
    {"TreeReduce element=E op=sum max_leaves=100 max_inner=100", true},
};

std::string with_element(std::string line, const std::string& element) {
  for (size_t at = 0; (at = line.find("=E", at)) != std::string::npos; at += element.size()) {
    line.replace(at + 1, 1, element);
  }
  return line;
}

std::vector<std::string> lines_of(const Line& line) {
  std::vector<std::string> all;
  for (const std::string& number : numbers) {
    if (!line.without.contains(number)) all.push_back(with_element(line.text, number));
  }
  if (line.numbers) return all;
  for (const std::string& structure : structs) all.push_back(with_element(line.text, structure));
  return all;
}

}  // namespace

DEVICE_TEST("a pack for subgroups of other sizes changes no result") {
  std::mt19937_64 generator = random_generator("packs of other sizes");
  for (const uint32_t lanes : {4, 8, 16, 32}) {
    INFO(lanes);
    DeviceInfo info = device.info();
    info.limits.min_subgroup_size = info.limits.subgroup_size = info.limits.max_subgroup_size = lanes;
    const std::vector<std::byte> pack = pack_for_described(
        info, {"Sort key=uint max_count=65536", "Scan element=uint op=sum kind=inclusive max_count=65536"},
        device.options());
    check_sorts_and_scans(*Packed(device, {pack}).packed, generator);
  }
}

DEVICE_TEST("a pack for a device with less changes no result, and serves one that is taken for it") {
  std::mt19937_64 generator = random_generator("packs of less");
  DeviceInfo info = device.info();
  DeviceFeatures& has = info.features;
  has.int64 = has.float64 = has.buffer_int64_atomics = has.workgroup_int64_atomics = false;
  has.int8 = has.storage8 = has.int16 = has.storage16 = has.float16 = false;
  const std::vector<std::byte> pack = pack_for_described(
      info, {"Sort key=uint max_count=65536", "Scan element=uint op=sum kind=inclusive max_count=65536"},
      device.options());
  check_sorts_and_scans(*Packed(device, {pack}).packed, generator);
  // As a Weft without compilers takes the device.
  DeviceOptions options = device.options();
  const auto cache = std::make_shared<MemoryCache>();
  options.cache = cache;
  options.packs = {Pack::in_memory(pack, "less")};
  const DeviceInfo served = core::as_served(device.info(), options.packs);
  CHECK_FALSE(served.features.int64);
  const Sort plan(described_device(served, options, nullptr), Element::of<uint32_t>(), 5000);
  CHECK_EQ(cache->stores, 0);
}

TEST_CASE("plans of every element type come from the pack of their lines") {
  std::mt19937_64 generator = random_generator("element types");
  std::vector<std::string> taken;
  const uint32_t types = Sample::from_environment().types;
  for (const Line& line : lines) {
    std::vector<std::string> all = lines_of(line);
    for (const std::string& one : all) {
      INFO(one);
      const std::string again = ListedPlan::parse(one)->line();
      CHECK_EQ(ListedPlan::parse(again)->line(), again);
    }
    std::ranges::shuffle(all, generator);
    if (types != 0) all.resize(std::min<size_t>(types, all.size()));
    taken.insert(taken.end(), all.begin(), all.end());
  }
  DeviceOptions options = DeviceOptions::from_environment();
  const DeviceInfo gpu = find_profile("nvidia").device;
  const std::vector<std::byte> pack = pack_for_described(gpu, taken, options);
  const auto cache = std::make_shared<MemoryCache>();
  options.cache = cache;
  options.packs = {Pack::in_memory(pack, "every type")};
  const Device device = described_device(gpu, options, nullptr);
  for (const std::string& line : taken) {
    INFO(line);
    ListedPlan::parse(line)->make(device);
    CHECK_EQ(cache->stores, 0);
  }
}
