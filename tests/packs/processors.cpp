#include <numeric>

#include <weft/scan.h>

#include "core/src/pack/architectures.h"
#include "core/src/pack/served_devices.h"
#include "tests/packs/packed.h"
#include "tests/support/environment.h"
#include "tools/pack/profiles.h"

using namespace weft;
using namespace weft::test;
using namespace weft::tools;

namespace {

const std::vector<std::string> plans{"Scan element=uint op=sum kind=inclusive max_count=5000"};

std::vector<std::byte> pack_for_architecture(const std::string& architecture) {
  PackRequest request;
  request.profiles = {find_profile(architecture)};
  request.options = DeviceOptions::from_environment();
  return make_pack(list_of(plans), request).bytes;
}

std::vector<uint32_t> sums_on(const Device& device, const std::vector<uint32_t>& data) {
  Stream stream = device.stream();
  const Buffer<uint32_t> values = device.buffer<uint32_t>(data.size());
  stream.upload(values, data);
  inclusive_scan(stream, values, values);
  return stream.download(values);
}

}  // namespace

/// Objects of host devices, by profiles for processors.

TEST_CASE("a host device runs objects for its processor and for earlier ones, without a compiler") {
  std::mt19937_64 generator = random_generator("objects for processors");
  const Device device = open_device("host", DeviceOptions::from_environment());
  const std::vector<std::string> all = core::code_architectures(device.info().architecture);
  DeviceOptions without = device.options();
  without.compiler = "no-such-compiler";
  std::vector<uint32_t> data = random_elements<uint32_t>(1 + generator() % 5000, generator), sums(data.size());
  std::partial_sum(data.begin(), data.end(), sums.begin());
  for (const std::string& architecture : all) {
    INFO(architecture);
    const std::vector<std::byte> pack = pack_for_architecture(architecture);
    const Packed packed(device, {pack}, without);
    check_same(sums_on(*packed.packed, data), sums);
    CHECK_EQ(packed.compiled(), 0);
  }
}

TEST_CASE("with its objects in a pack, the host device is as good a choice as with a compiler") {
  DeviceOptions options = DeviceOptions::from_environment();
  const auto best = [&] { return choose_device("", options).device.backend; };
  const std::string with_compiler = best();
  options.compiler = "no-such-compiler";
  const std::vector<std::byte> bytes = pack_for_architecture(open_device("host").info().architecture);
  options.packs = {Pack::in_memory(bytes, "test")};
  CHECK_EQ(best(), with_compiler);
}

TEST_CASE("a host device does not take objects for later processors or for other systems") {
  const std::vector<std::byte> bytes = pack_for_architecture("x86-64-v4");
  const std::vector<Pack> packs{Pack::in_memory(bytes, "test")};
  DeviceInfo device = find_profile("x86-64-v4").device;
  CHECK_EQ(core::served_architecture(device, packs), "x86-64-v4");
  for (const char* other : {"x86-64-v3", "x86-64", "x86-64-v4-windows", "aarch64"}) {
    device.architecture = other;
    CHECK_EQ(core::served_architecture(device, packs), "");
  }
}

TEST_CASE("without the compiler for a system, weft pack says which package has it") {
  const Environment path("PATH", "/nonexistent");
  const std::pair<const char*, const char*> expected[] = {{"x86-64-v3-windows", "g++-mingw-w64-x86-64-posix"},
                                                          {"aarch64", "g++-aarch64-linux-gnu"}};
  for (const auto& [architecture, package] : expected) {
    try {
      pack_for_architecture(architecture);
      FAIL_CHECK("made without a compiler");
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::unsupported);
      CHECK(std::string(error.what()).find(std::string("Debian: ") + package) != std::string::npos);
    }
  }
}
