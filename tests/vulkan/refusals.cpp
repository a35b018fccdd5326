#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Devices that Weft refuses, provided by tests/stand_ins/fake_driver, and machines without a device.

namespace {

DeviceInfo find(const std::string& name) {
  for (const BackendInfo& backend : list_devices()) {
    for (const DeviceInfo& device : backend.devices) {
      if (device.name == name) return device;
    }
  }
  FAIL("the fake driver's " << name << " is not listed; is VK_DRIVER_FILES set to its JSON file?");
  return {};
}

void check_refused(const std::string& name, const std::vector<std::string>& words) {
  const DeviceInfo info = find(name);
  INFO("refusal: ", info.refusal);
  for (const std::string& word : words) CHECK(info.refusal.find(word) != std::string::npos);
  std::vector<std::string> message = words;
  message.push_back(name);
  check_error(ErrorCode::unsupported, message, [&] { open_device(info.selector); });
  check_error(ErrorCode::unsupported, message, [&] { open_device("vulkan:" + name); });
}

void check_no_devices(const std::vector<std::string>& environment, const std::string& reason) {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child of the refusal tests"}, environment);
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
  CHECK(outcome.output.find("vulkan has none: ") != std::string::npos);
  CHECK(outcome.output.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("lavapipe below 23 is refused by name, with the reason") {
  check_refused("Fake old lavapipe", {"lavapipe", "22.3.6", "wrong results", "23"});
}

TEST_CASE("a device of Vulkan 1.2 is refused") { check_refused("Fake Vulkan 1.2 device", {"1.2", "1.3"}); }

TEST_CASE("a device that lacks requirements is refused with a list of them") {
  check_refused("Fake poor device", {"bufferDeviceAddress", "kernels take buffers as device addresses"});
  check_refused("Fake device without subgroups", {"vote", "arithmetic", "ballot", "shuffle"});
}

TEST_CASE("a device opens on the instance that listed it") {
  const char* const path = std::getenv("WEFT_TEST_FAKE_DRIVER");
  REQUIRE_MESSAGE(path, "WEFT_TEST_FAKE_DRIVER names no driver");
  void* const driver = dlopen(path, RTLD_NOW);
  const auto instances = reinterpret_cast<unsigned (*)()>(dlsym(driver, "weft_test_instances"));
  REQUIRE((instances != nullptr));
  const unsigned before = instances();
  check_error(ErrorCode::unsupported, {}, [] { open_device("vulkan:Fake broken"); });
  CHECK_EQ(instances() - before, 1);
  check_error(ErrorCode::unsupported, {}, [] { open_device("vulkan"); });
  CHECK_EQ(instances() - before, 2);
}

TEST_CASE("a device that does not open is an error, and the process survives") {
  CHECK(find("Fake broken device").refusal.empty());
  for (int i = 0; i < 3; ++i) {
    try {
      open_device("vulkan:Fake broken");
      FAIL_CHECK("it opened");
    } catch (const Error& error) {
      INFO(error.what());
      CHECK(std::string(error.what()).find("Fake broken device") != std::string::npos);
    }
  }
  // The broken device is the backend's only one that is not refused, and the machine's best. open_device("") may open
  // another one instead, and then reports this one.
  CHECK_THROWS_AS(open_device("vulkan"), const Error&);
  try {
    const DeviceChoice choice = choose_device();
    CHECK_NE(choice.device.backend, "vulkan");
    CHECK(std::ranges::any_of(choice.others, [](const std::string& other) {
      return other.find("Fake broken device) does not open: ") != std::string::npos;
    }));
    CHECK_EQ(open_device().info().selector, choice.device.selector);
  } catch (const Error& error) {  // a build without the host device
    CHECK(std::string(error.what()).find("Fake broken device") != std::string::npos);
  }
  check_error(ErrorCode::invalid_argument, {"Fake poor device", "Fake broken device", "refused"},
              [] { open_device("vulkan:nvidia"); });
}

TEST_CASE("the child of the refusal tests" * doctest::skip()) {
  for (const BackendInfo& backend : list_devices()) {
    if (backend.devices.empty()) std::cout << backend.name << " has none: " << backend.reason << "\n";
  }
  try {
    open_device();
    std::cout << "a device opened\n";
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << "\n";
  }
  std::cout << std::flush;
}

TEST_CASE("a machine without a driver, or without Vulkan, has no devices and a reason") {
  check_no_devices({"VK_DRIVER_FILES=/nowhere.json", "VK_ICD_FILENAMES=/nowhere.json"}, "driver");
  const TemporaryFolder folder;
  folder.write("libvulkan.so.1", "this is no library");
  check_no_devices({"LD_LIBRARY_PATH=" + folder.path().string()}, "libvulkan");
}
