#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "files.h"
#include "test.h"

using namespace weft;
using namespace weft::test;

/// Machines without a driver, without devices, or with parts that do not fit: the lists of devices say so, and so does
/// whoever opens one.

namespace {

/// What list_devices() and open_device() say in another environment.
std::string answers(const std::vector<std::string>& environment) {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child that lists"}, environment);
  CHECK_EQ(outcome.status, 0);
  return outcome.output;
}

void check_says(const std::string& output, const std::vector<std::string>& parts) {
  INFO(output);
  for (const std::string& part : parts) CHECK_MESSAGE(output.find(part) != std::string::npos, "does not say: ", part);
}

}  // namespace

TEST_CASE("the child that lists" * doctest::skip()) {
  for (const BackendInfo& backend : list_devices()) {
    if (backend.name != "cuda") continue;
    std::cout << backend.devices.size() << " devices. Reason: " << backend.reason << "\n";
    for (const DeviceInfo& device : backend.devices) std::cout << device.name << " refused: " << device.refusal << "\n";
  }
  try {
    open_device("cuda");
    std::cout << "opened" << std::endl;
  } catch (const Error& error) {
    std::cout << "not opened: " << to_string(error.code()) << ": " << error.what() << std::endl;
  }
}

TEST_CASE("a driver and a compiler that are there give devices") {
  check_says(answers({}), {"2 devices. Reason: \n", "CUDA on CPU 0 refused: \n", "opened\n"});
}

TEST_CASE("a missing driver is named, with the variable that named it") {
  check_says(answers({"WEFT_CUDA_DRIVER=/nowhere/libcuda.so.1"}),
             {"0 devices", "WEFT_CUDA_DRIVER", "/nowhere/libcuda.so.1", "not opened: unsupported"});
}

TEST_CASE("a driver that is named and that others can change is not loaded") {
  const TemporaryFolder folder;
  const std::filesystem::path copy = folder.path() / "driver.so";
  std::filesystem::copy_file(std::getenv("WEFT_CUDA_DRIVER"), copy);
  std::filesystem::permissions(copy, std::filesystem::perms::all);
  check_says(answers({"WEFT_CUDA_DRIVER=" + copy.string()}),
             {"0 devices", "WEFT_CUDA_DRIVER", copy.string(), "every user can write it", "not opened: unsupported"});
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  check_says(answers({"WEFT_CUDA_DRIVER=" + copy.string()}), {"opened\n"});
}

TEST_CASE("a library that is no driver is an error that names what it lacks") {
  check_says(answers({"WEFT_CUDA_DRIVER=libm.so.6"}), {"0 devices", "libm.so.6", "cuInit", "not opened: unsupported"});
}

TEST_CASE("a missing compiler refuses the devices, by name") {
  check_says(answers({"WEFT_NVRTC=/nowhere/libnvrtc.so.12"}), {"2 devices", "CUDA on CPU 0 refused: ", "WEFT_NVRTC",
                                                               "/nowhere/libnvrtc.so.12", "not opened: unsupported"});
}

TEST_CASE("a driver without devices is said to have none") {
  check_says(answers({"WEFT_CUDA_ON_CPU_DEVICES=0"}), {"0 devices", "CUDA_ERROR_NO_DEVICE", "not opened: unsupported"});
}

TEST_CASE("a driver that is too old is refused with its version and the one that is needed") {
  check_says(answers({"WEFT_CUDA_ON_CPU_VERSION=11080"}), {"2 devices", "11.8", "CUDA 12", "not opened: unsupported"});
}
