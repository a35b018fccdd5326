#include <functional>

#include <weft/pack.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include "core/src/pack/served_devices.h"
#include "linked_plans.h"
#include "tests/algorithms/all_plans/overlap_cases.h"
#include "tests/algorithms/base/elements.h"
#include "tests/packs/packed.h"
#include "tests/packs/recorded.h"
#include "tests/support/memory_cache.h"
#include "tests/support/test.h"
#include "tools/pack/described_device.h"

using namespace weft;
using namespace weft::test;
using namespace weft::tools;

DEVICE_TEST("a pack of every plan leaves nothing to compile") {
  const auto recorder = std::make_shared<Recorded>();
  overlap_cases(open_device(device.info().selector, with_recorder(device.options(), recorder)));
  const std::vector<std::byte> pack = pack_for(device, recorder->lines);
  const Packed other(device, {pack});
  overlap_cases(*other.packed);
  for (const auto& [name, bytes] : other.cache->entries) {
    if (!name.starts_with("vulkan")) FAIL_CHECK("compiled: ", name);
  }
}

DEVICE_TEST("a pack of every plan for an architecture leaves nothing to compile, without the vendor's compiler") {
  const std::string& architecture = device.info().architecture;
  if (architecture.empty()) unsupported("the device has no architecture that a profile names");
  Profile profile = find_profile(architecture);
  // The stand-in for HIP has CUDA's workgroups, which are smaller than AMD's.
  profile.device.limits.max_workgroup_size = device.info().limits.max_workgroup_size;
  const auto recorder = std::make_shared<Recorded>();
  overlap_cases(open_device(device.info().selector, with_recorder(device.options(), recorder)));
  PackRequest request;
  request.profiles = {profile};
  request.options = device.options();
  DeviceOptions without = device.options();
  without.libraries.nvrtc = without.libraries.hiprtc = without.compiler = "/nowhere/no-compiler";
  const std::vector<std::byte> pack = make_pack(list_of(recorder->lines), request).bytes;
  const Packed other(device, {pack}, without);
  overlap_cases(*other.packed);
  CHECK_EQ(other.compiled(), 0);
}

DEVICE_TEST("a pack serves every count up to its plan's") {
  std::mt19937_64 generator = random_generator("counts of packs");
  const std::vector<std::byte> pack = pack_for(device, {"Sort key=uint max_count=100000"});
  const Packed other(device, {pack});
  for (const uint64_t count : {1, 2, 1000, 1 + int(generator() % 65536), 65536}) {
    INFO(count);
    std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
    const std::vector<uint32_t> result = sorted_on(*other.packed, data);
    std::ranges::sort(data);
    check_same(result, data);
  }
  CHECK_EQ(other.compiled(), 0);
}

DEVICE_TEST("a plan comes from the first pack that has it, else from the compiler") {
  std::mt19937_64 generator = random_generator("two packs");
  const std::vector<std::byte> sorts = pack_for(device, {"Sort key=uint max_count=65536"}),
                               both = pack_for(device, {"Scan element=uint op=sum kind=inclusive max_count=65536",
                                                        "Sort key=uint max_count=65536"});
  std::vector<uint32_t> data = random_elements<uint32_t>(1000, generator);
  const Packed two(device, {sorts, both}), none(device, {});
  const std::vector<uint32_t> result = sorted_on(*two.packed, data);
  CHECK_EQ(sorted_on(*none.packed, data), result);
  Stream stream = two.packed->stream();
  const Buffer<uint32_t> sums = two.packed->buffer<uint32_t>(1000);
  stream.upload(sums, data);
  inclusive_scan(stream, sums, sums);
  uint32_t sum = 0;
  for (const uint32_t x : data) sum += x;
  CHECK_EQ(stream.download(sums).back(), sum);
  CHECK_EQ(two.compiled(), 0);
  CHECK_GT(none.compiled(), 0);
  inclusive_scan(stream, sums, sums, Operator::max());
  CHECK_GT(two.compiled(), 0);
}

TEST_CASE("a pack of a list is linked into the program, for devices that are not here") {
  const Pack pack = linked_plans();
  CHECK_EQ(pack.name(), "linked_plans");
  const std::string text = pack.description();
  for (const char* line : {"for nvidia\n", "for amd\n", "for intel\n", "Sort key=uint max_count=1048576\n"}) {
    CHECK(text.find(line) != std::string::npos);
  }
  for (const char* name : {"nvidia", "amd", "intel"}) {
    const Profile profile = find_profile(name);
    DeviceOptions options;
    const auto cache = std::make_shared<MemoryCache>();
    options.cache = cache;
    options.packs = {pack};
    const Device device = described_device(profile.device, options, nullptr);
    for (const uint64_t count : {1, 5000, 1048576}) const Sort plan(device, Element::of<uint32_t>(), count);
    CHECK_EQ(cache->stores, 0);
  }
}

TEST_CASE("a device with more than a served one is taken for that") {
  std::mt19937_64 generator = random_generator("served devices");
  const Pack pack = linked_plans();
  const std::vector<Pack> packs{pack};
  for (const Profile& profile : known_profiles()) {
    if (profile.name == "amd-64") continue;  // not in the pack
    INFO(profile.name);
    DeviceInfo device = profile.device;
    device.limits.workgroup_memory_bytes += 1024 * uint32_t(1 + generator() % 64);
    device.limits.max_workgroup_invocations += 512;
    device.limits.max_workgroup_size[0] += 512;
    device.features.float64 = true;
    DeviceOptions options;
    const auto cache = std::make_shared<MemoryCache>();
    options.cache = cache;
    options.packs = packs;
    const DeviceInfo served = core::as_served(device, packs);
    CHECK_EQ(served.limits.workgroup_memory_bytes, profile.device.limits.workgroup_memory_bytes);
    CHECK_EQ(served.features.float64, profile.device.features.float64);
    const Sort plan(described_device(served, options, nullptr), Element::of<uint32_t>(), 1 + generator() % 1048576);
    CHECK_EQ(cache->stores, 0);
  }
}

TEST_CASE("a device with less than a served one, or with other subgroups, stays as it is") {
  const std::vector<Pack> packs{linked_plans()};
  const DeviceInfo amd = find_profile("amd").device;
  const auto check = [&](const std::function<void(DeviceInfo&)>& change) {
    DeviceInfo device = amd;
    change(device);
    device.limits.push_constant_bytes = 999;
    const DeviceInfo served = core::as_served(device, packs);
    CHECK_EQ(served.limits.workgroup_memory_bytes, device.limits.workgroup_memory_bytes);
    CHECK_EQ(served.limits.max_workgroup_invocations, device.limits.max_workgroup_invocations);
    CHECK_EQ(served.features.int64, device.features.int64);
    CHECK_EQ(served.limits.push_constant_bytes, 999);
  };
  check([](DeviceInfo& d) { d.features.int64 = false; });
  check([](DeviceInfo& d) { d.limits.workgroup_memory_bytes = 16384; });
  check([](DeviceInfo& d) { d.limits.max_workgroup_size[0] = 512; });
  check([](DeviceInfo& d) { d.limits.min_subgroup_size = d.limits.max_workgroup_invocations = 64; });
  check([](DeviceInfo& d) { d.vendor = DeviceVendor::other, d.limits.max_workgroup_invocations = 2048; });
}

TEST_CASE("a pack brings the tuning that shaped its kernels") {
  const std::string row = "primitive=scan element_bytes=4 count=1048576 workgroup=64 bytes_per_invocation=16";
  Profile one = find_profile("nvidia");
  one.device.name = "GPU one";
  PackRequest request;
  request.profiles = {find_profile("nvidia"), one};
  request.options.tuning = Tuning::parse(row + " backend=vulkan device=GPU one\n" + row + " device=GPU two\n", "rows");
  const MadePack made = make_pack(list_of({"Scan element=uint op=sum kind=inclusive max_count=100000"}), request);
  REQUIRE_EQ(made.skipped.size(), 1);
  CHECK_EQ(made.skipped[0], "rows, line 2: no profile or device is 'GPU two'");
  const Pack pack = Pack::in_memory(made.bytes, "tuned");
  const auto rows_of = [&](const std::string& name, const Tuning& own, const Profile& profile, bool in_pack) {
    DeviceOptions options;
    const auto cache = std::make_shared<MemoryCache>();
    options.cache = cache;
    options.packs = {pack};
    options.tuning = own;
    DeviceInfo info = profile.device;
    info.name = name;
    const Device device = described_device(info, options, nullptr);
    const Scan plan(device, Element::of<uint32_t>(), Operator::sum(), 100000, {.kind = ScanKind::inclusive});
    CHECK_EQ(cache->stores == 0, in_pack);
    return device.options().tuning.entries().size();
  };
  CHECK_EQ(rows_of("GPU one", {}, one, true), 1);
  CHECK_EQ(rows_of("GPU two", {}, one, true), 0);  // taken for the first profile, whose plans have the defaults
  CHECK_EQ(rows_of("GPU one", {}, find_profile("amd"), false), 0);
  CHECK_EQ(rows_of("GPU one", Tuning::parse("primitive=scan element_bytes=4 count=1024 workgroup=128"), one, false), 1);
  CHECK_EQ(rows_of("GPU one", Tuning::parse("primitive=scan element_bytes=8 count=1024"), one, true), 2);
}

DEVICE_TEST("many threads load kernels from one pack") {
  std::mt19937_64 generator = random_generator("threads of packs");
  const std::vector<std::byte> pack = pack_for(device, {"Sort key=uint max_count=65536"});
  const Packed other(device, {pack});
  const std::vector<uint32_t> data = random_elements<uint32_t>(3000, generator);
  std::vector<uint32_t> expected = data;
  std::ranges::sort(expected);
  on_threads(4, [&](int) { check_same(sorted_on(*other.packed, data), expected); });
  CHECK_EQ(other.compiled(), 0);
}

DEVICE_TEST("the same list gives the same pack") {
  const std::vector<std::string> lines{"Sort key=uint max_count=1024", "Scan element=float op=max max_count=5000"};
  CHECK((pack_for(device, lines) == pack_for(device, {lines[1], lines[0]})) == false);  // the description differs
  CHECK((pack_for(device, lines) == pack_for(device, lines)));
}

DEVICE_TEST("a program keeps the cache by two functions") {
  MemoryCache kept;
  DeviceOptions options = device.options();
  options.cache = KernelCache::of([&](std::string_view kind, std::string_view key) { return kept.load(kind, key); },
                                  [&](std::string_view kind, std::string_view key, std::span<const std::byte> bytes) {
                                    kept.store(kind, key, bytes);
                                  });
  const std::vector<uint32_t> data{3, 1, 2};
  CHECK_EQ(sorted_on(open_device(device.info().selector, options), data), std::vector<uint32_t>{1, 2, 3});
  const size_t stored = kept.stores;
  CHECK_GT(stored, 0);
  CHECK_EQ(sorted_on(open_device(device.info().selector, options), data), std::vector<uint32_t>{1, 2, 3});
  CHECK_EQ(kept.stores, stored);
  check_invalid({"both"}, [] { KernelCache::of({}, {}); });
}
