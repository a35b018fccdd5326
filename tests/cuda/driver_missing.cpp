#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "tests/cuda/check_says.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Machines without a driver, without devices, or with parts that do not match: list_devices() and open_device() say
/// so.

namespace {

/// Returns the output of list_devices() and open_device() with these libraries.
std::string answer(const DriverLibraries& libraries) {
  std::ostringstream text;
  for (const BackendInfo& backend : list_devices(libraries)) {
    if (backend.name != "cuda") continue;
    text << backend.devices.size() << " devices. Reason: " << backend.reason << "\n";
    for (const DeviceInfo& device : backend.devices) text << device.name << " refused: " << device.refusal << "\n";
  }
  DeviceOptions options;
  options.libraries = libraries;
  try {
    const Device device = open_device("cuda", options);
    text << "opened\n";
    static_cast<void>(device.kernel_from_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n"));
    text << "compiled\n";
  } catch (const Error& error) {
    text << "an error: " << to_string(error.code()) << ": " << error.what() << "\n";
  }
  return text.str();
}

/// Returns their output in a process with another environment.
std::string answers(const std::vector<std::string>& environment) {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child that lists"}, environment);
  CHECK_EQ(outcome.status, 0);
  return outcome.output;
}

}  // namespace

TEST_CASE("the child that lists" * doctest::skip()) {
  std::cout << answer(DriverLibraries::from_environment()) << std::flush;
}

TEST_CASE("with a driver and a compiler there are devices") {
  check_says(answers({}), {"2 devices. Reason: \n", "CUDA on CPU 0 refused: \n", "opened\ncompiled\n"});
}

TEST_CASE("a missing driver is named, with the variable that may have set it") {
  check_says(answers({"WEFT_CUDA_DRIVER=/nowhere/libcuda.so.1"}),
             {"0 devices", "WEFT_CUDA_DRIVER", "/nowhere/libcuda.so.1", "an error: unsupported"});
  DriverLibraries libraries = DriverLibraries::from_environment();
  libraries.cuda_driver = "/nowhere/libcuda.so.1";
  check_says(answer(libraries), {"0 devices", "DeviceOptions::libraries", "/nowhere/libcuda.so.1"});
  check_says(answer(DriverLibraries::from_environment()), {"2 devices", "opened\n"});
}

TEST_CASE("a named driver that others can change is not loaded") {
  const TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / "driver.so";
  DriverLibraries libraries = DriverLibraries::from_environment();
  std::filesystem::copy_file(libraries.cuda_driver, copy);
  libraries.cuda_driver = copy.string();
  std::filesystem::permissions(copy, std::filesystem::perms::all);
  check_says(answer(libraries),
             {"0 devices", "WEFT_CUDA_DRIVER", copy.string(), "every user can write it", "an error: unsupported"});
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  check_says(answers({"WEFT_CUDA_DRIVER=" + copy.string()}), {"opened\n"});
}

TEST_CASE("a library that is not a driver is an error that names a missing function") {
  DriverLibraries libraries = DriverLibraries::from_environment();
  libraries.cuda_driver = "libm.so.6";
  check_says(answer(libraries), {"0 devices", "libm.so.6", "cuInit", "an error: unsupported"});
}

TEST_CASE("without the compiler a device opens, a kernel's error names it, and every other device is preferred") {
  DeviceOptions options;
  options.libraries.nvrtc = "/nowhere/libnvrtc.so.12";
  options.libraries.cuda_driver = DriverLibraries::from_environment().cuda_driver;
  check_says(answer(options.libraries),
             {"2 devices", "CUDA on CPU 0 refused: \n", "opened\nan error: unsupported", "WEFT_NVRTC",
              "/nowhere/libnvrtc.so.12", "no pack", "machine code of kernel", "for sm_90", "weft pack"});
  const DeviceChoice choice = choose_device("", options);
  INFO(choice.device.selector);
  CHECK(choice.device.backend != "cuda");
  CHECK(std::ranges::any_of(choice.others, [](const std::string& other) {
    return other.starts_with("cuda:0") && other.find("compiles no kernels: /nowhere/libnvrtc") != std::string::npos;
  }));
}

TEST_CASE("a compiler that does not know a device's architecture is named like a missing one") {
  check_says(answers({"WEFT_CUDA_ON_CPU_CAPABILITY=131", "WEFT_CUDA_ON_CPU_DEVICES=1"}),
             {"opened\nan error: unsupported", "NVRTC 12.99 does not compile for sm_131", "no pack"});
}

TEST_CASE("a driver without devices is reported to have none") {
  check_says(answers({"WEFT_CUDA_ON_CPU_DEVICES=0"}), {"0 devices", "CUDA_ERROR_NO_DEVICE", "an error: unsupported"});
}

TEST_CASE("a driver that is too old is refused with its version and the required one") {
  check_says(answers({"WEFT_CUDA_ON_CPU_VERSION=11080"}), {"2 devices", "11.8", "CUDA 12", "an error: unsupported"});
}
