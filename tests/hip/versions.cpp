#include <algorithm>
#include <iostream>

#include "backends/hip/api.h"
#include "backends/hip/compiler.h"
#include "backends/hip/describe.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

// Versions of HIP with different structures, and devices without a compiler, as tests/stand_ins/hip_on_cuda imitates
// them. WEFT_HIP_DRIVER names that, and WEFT_CUDA_DRIVER a CUDA driver with a device.
using namespace weft;
using namespace weft::test;

namespace {

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

TEST_CASE("a device without hipRTC is refused") {
  check_says({"WEFT_HIPRTC=/nowhere/libhiprtc.so.6"},
             {"hip:0 is refused: ", "WEFT_HIPRTC", "/nowhere/libhiprtc.so.6", "unsupported: "});
}

TEST_CASE("a device whose architecture hipRTC does not know is refused, and the process survives") {
  check_says({"WEFT_HIP_ON_CUDA_DEVICE=gfx9999:sramecc+"},
             {"hip:0 is refused: ", "does not compile for gfx9999", "unsupported: "});
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
    open_device("hip:0");
    std::cout << "it opens\n";
    show_pointers();
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << "\n";
  }
  std::cout << std::flush;
}
