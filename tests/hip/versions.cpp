#include <algorithm>
#include <iostream>

#include "backends/hip/api.h"
#include "backends/hip/compiler.h"
#include "backends/hip/describe.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tools/pack/pack_maker.h"

// Versions of HIP with different structures, devices without a compiler, and packs for them, as
// tests/stand_ins/hip_on_cuda imitates them. WEFT_HIP_DRIVER names that, and WEFT_CUDA_DRIVER a CUDA driver with a
// device.
using namespace weft;
using namespace weft::test;
using namespace weft::tools;

namespace {

Spirv own_kernel() {
  return compile_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { target.v[0] = 391; })");
}

std::vector<std::byte> pack_for(const std::string& architecture) {
  const TemporaryFolder folder;
  folder.write("list", "kernel file=own.spv\n");
  const std::vector<uint32_t> words = own_kernel().words;
  const auto bytes = std::as_bytes(std::span(words));
  write_file(folder.path() / "own.spv", {bytes.begin(), bytes.end()});
  PackRequest request;
  request.profiles = {find_profile(architecture)};
  request.options.libraries = DriverLibraries::from_environment();
  return make_pack(PlanList::read(folder.path() / "list"), request).bytes;
}

std::string output_of_child(const std::vector<std::string>& environment) {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child of these tests"}, environment);
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
  return outcome.output;
}

void check_says(const std::vector<std::string>& environment, const std::vector<std::string>& words) {
  const std::string output = output_of_child(environment);
  INFO(output);
  for (const std::string& word : words) CHECK(output.find(word) != std::string::npos);
}

// HIP's attributes of a pointer.
void show(const char* what, const cuda_hip::PointerInfo& info, uint64_t allocation) {
  std::cout << what << ": device " << info.ordinal << ", " << info.bytes << " bytes"
            << (info.base == allocation ? " from its start" : "") << "\n";
}

void show_pointers() {
  const hip::Api api(hip::DriverFunctions::open(DriverLibraries::from_environment()));
  const cuda_hip::Current current(api, api.retain_context(0));
  const uint64_t memory = api.allocate(4096);
  show("inside", api.pointer_info(memory + 1024), memory);
  std::byte* const pinned = api.allocate_pinned(4096);
  show("pinned", api.pointer_info(reinterpret_cast<uint64_t>(pinned)), memory);
  int local = 0;
  show("the host's", api.pointer_info(reinterpret_cast<uint64_t>(&local)), memory);
  api.release_pinned(pinned);
  api.release(memory);
}

void show_kernel(const Device& device) {
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  stream.dispatch(device.kernel(own_kernel()), {}, Arguments().bind(0, 0, target));
  std::cout << "the kernel computed " << stream.download(target).at(0) << "\n";
}

}  // namespace

TEST_CASE("devices are the same in every version of HIP") {
  for (const char* version : {"5", "6", "7"}) {
    INFO("version ", version);
    check_says({"WEFT_HIP_ON_CUDA_VERSION=" + std::string(version), "WEFT_HIP_ON_CUDA_DEVICE=gfx1030:xnack-"},
               {"hip:0 is HIP " + std::string(version) + ".0.0, gfx1030:xnack-", "it opens"});
  }
}

TEST_CASE("pointer attributes are the same in every version of HIP") {
  for (const char* version : {"5", "6", "7"}) {
    INFO("version ", version);
    check_says(
        {"WEFT_HIP_ON_CUDA_VERSION=" + std::string(version)},
        {"inside: device 0, 4096 bytes from its start", "pinned: device -1, 0 bytes", "the host's: device -1, 0"});
  }
}

TEST_CASE("a device without hipRTC opens, and a kernel's error says what is missing") {
  check_says({"WEFT_HIPRTC=/nowhere/libhiprtc.so.6"},
             {"it opens", "unsupported: ", "WEFT_HIPRTC", "/nowhere/libhiprtc.so.6", "no pack"});
}

TEST_CASE("a device whose architecture hipRTC does not know opens, and a kernel's error says so") {
  check_says({"WEFT_HIP_ON_CUDA_DEVICE=gfx9999:sramecc+"},
             {"it opens", "unsupported: ", "does not compile for gfx9999", "no pack"});
}

TEST_CASE("a device takes code for its architecture, or for its processor, from a pack, and needs no hipRTC") {
  const TemporaryFolder folder;
  write_file(folder.path() / "pack", pack_for("gfx1030"));
  const std::string pack = "WEFT_PACKS=" + (folder.path() / "pack").string(), none = "WEFT_HIPRTC=/nowhere/hiprtc";
  for (const char* device : {"gfx1030", "gfx1030:xnack-"}) {
    check_says({pack, none, std::string("WEFT_HIP_ON_CUDA_DEVICE=") + device}, {"it opens", "the kernel computed 391"});
  }
  check_says({pack, none, "WEFT_HIP_ON_CUDA_DEVICE=gfx1031"}, {"it opens", "/nowhere/hiprtc", "no pack holds"});
  check_says({pack, "WEFT_HIP_ON_CUDA_DEVICE=gfx1031"}, {"it opens", "does not compile for gfx1031", "no pack holds"});
}

TEST_CASE("a profile of an architecture that hipRTC does not know is an error") {
  check_error(ErrorCode::unsupported, {"machine code for gfx1100", "does not compile for gfx1100"},
              [] { pack_for("gfx1100"); });
  check_invalid({"gfx", "gfx90a"}, [] { pack_for("gfx"); });
}

TEST_CASE("a profile of an architecture has its wavefronts") {
  CHECK_EQ(find_profile("gfx90a:xnack-").device.limits.subgroup_size, 64);
  CHECK_EQ(find_profile("gfx1100").device.limits.subgroup_size, 32);
}

TEST_CASE("the child of these tests" * doctest::skip()) {
  for (const BackendInfo& backend : list_devices()) {
    if (backend.name != "hip") continue;
    for (const DeviceInfo& device : backend.devices) {
      std::cout << device.selector << (device.refusal.empty() ? " is " + device.api : " is refused: " + device.refusal)
                << "\n";
    }
  }
  try {
    const Device device = open_device("hip:0");
    std::cout << "it opens\n";
    show_pointers();
    show_kernel(device);
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << "\n";
  }
  std::cout << std::flush;
}
