#include "tests/support/devices.h"

#include <cstdlib>
#include <sstream>

#include "tests/support/poison.h"
#ifdef WEFT_TEST_TRACED
#include "tests/support/vulkan_host/traced.h"
#endif
#ifdef WEFT_TEST_VULKAN
#include "tests/support/vulkan_host/wrapped.h"
#endif

namespace weft::test {

namespace {

std::vector<DeviceTest>& registered_tests() {
  static std::vector<DeviceTest> tests;
  return tests;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items(1);
  for (const char c : list) {
    if (c == ';' || c == ',') {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  // A comma may also separate the settings of one device: "host:subgroup=4,threads=2".
  for (size_t i = 1; i < items.size(); ++i) {
    if (items[i].find('=') == std::string::npos || items[i].find(':') != std::string::npos) continue;
    items[i] = items[i - 1] + "," + items[i];
    items[i - 1].clear();
  }
  std::erase(items, "");
  return items;
}

/// Returns every usable device. If there is none, throws an error that says why.
std::vector<std::string> usable_devices() {
  std::vector<std::string> selectors;
  std::ostringstream reasons;
  for (const BackendInfo& backend : list_devices()) {
    if (!backend.reason.empty()) reasons << "\n  " << backend.name << ": " << backend.reason;
    for (const DeviceInfo& device : backend.devices) {
      if (device.refusal.empty()) {
        selectors.push_back(device.selector);
      } else {
        reasons << "\n  " << device.selector << " (" << device.name << "): " << device.refusal;
      }
    }
  }
  if (selectors.empty()) throw Error(ErrorCode::unsupported, "there is no device to test:" + reasons.str());
  return selectors;
}

Device open(const std::string& selector) {
#ifdef WEFT_TEST_VULKAN
  if (selector == "wrapped") return open_wrapped_device();
#endif
#ifdef WEFT_TEST_TRACED
  if (selector == "traced") return open_traced_device(false);
  if (selector == "traced-minimum") return open_traced_device(true);
#endif
  return open_device(selector);
}

void check_subgroup_size(const TestedDevice& tested) {
  const std::string wanted = environment("WEFT_TEST_SUBGROUP_SIZE");
  const std::string size = std::to_string(tested.device.info().limits.subgroup_size);
  if (!wanted.empty() && wanted != size) {
    throw Error(ErrorCode::unsupported, "WEFT_TEST_SUBGROUP_SIZE asks for subgroups of " + wanted + ", but " +
                                            tested.device.info().name + " has subgroups of " + size);
  }
}

}  // namespace

bool add_device_test(DeviceTest test) {
  registered_tests().push_back(std::move(test));
  return true;
}

const std::vector<DeviceTest>& device_tests() { return registered_tests(); }

bool computes_on_cpu(const Device& device) {
  return device.info().kind == DeviceKind::cpu || device.info().name.find("CUDA on CPU") != std::string::npos;
}

bool runs_fibers(const Device& device) { return computes_on_cpu(device) && device.info().backend != "vulkan"; }

std::vector<TestedDevice> open_tested_devices() {
  std::vector<std::string> selectors = split(environment("WEFT_TEST_DEVICES"));
  if (selectors.empty()) selectors = usable_devices();
  std::vector<TestedDevice> devices;
  for (const std::string& selector : selectors) {
    devices.push_back({selector, open(selector)});
    check_subgroup_size(devices.back());
    poison_new_buffers(devices.back().device);
  }
  return devices;
}

}  // namespace weft::test
