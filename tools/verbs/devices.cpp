#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include <weft/device.h>

#include "support/text.h"
#include "tools/device_json.h"
#include "tools/verbs.h"

namespace weft::tools {

using namespace support;

namespace {

using Json = nlohmann::ordered_json;

const char* const devices_footer =
    R"(Shows every backend of this build with its devices, or the reason why it has none. --device takes the name at
the left, or a part of the device's own name: --device vulkan:llvmpipe. The last lines name the default device, and
say why the others were not chosen.

Examples:
  weft devices
  weft devices --json | jq -r '.backends[].devices[].selector')";

// Says which device open_device("") opens, and why.
void print_choice() {
  try {
    const DeviceChoice choice = choose_device();
    std::printf("open_device(\"\") opens %s (%s): %s\n", choice.device.selector.c_str(), choice.device.name.c_str(),
                choice.reason.c_str());
    for (const std::string& other : choice.others) std::printf("  %s\n", other.c_str());
  } catch (const Error& error) {
    std::printf("open_device(\"\") finds no device: %s\n", error.what());
  }
}

Json choice_to_json() {
  try {
    const DeviceChoice choice = choose_device();
    return {{"selector", choice.device.selector}, {"reason", choice.reason}, {"others", choice.others}};
  } catch (const Error& error) {
    return {{"selector", nullptr}, {"reason", error.what()}, {"others", Json::array()}};
  }
}

void print_json(const std::vector<BackendInfo>& backends) {
  Json list = Json::array();
  for (const BackendInfo& backend : backends) {
    Json devices = Json::array();
    for (const DeviceInfo& device : backend.devices) devices.push_back(to_json(device));
    list.push_back({{"name", backend.name}, {"reason", backend.reason}, {"devices", devices}});
  }
  std::printf("%s\n", Json{{"backends", list}, {"default", choice_to_json()}}.dump(2).c_str());
}

std::string sizes(const std::array<uint32_t, 3>& v) {
  return format_count(v[0]) + " x " + format_count(v[1]) + " x " + format_count(v[2]);
}

void print_line(const char* label, const std::string& text) { std::printf("      %-11s %s\n", label, text.c_str()); }

// Prints words separated by spaces, in lines that fit a terminal.
void print_words(const char* label, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (line.size() + word.size() > 80) {
      print_line(label, line);
      label = "";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  print_line(label, line.empty() ? "none" : line);
}

void print(const DeviceInfo& d) {
  std::printf("  %s  %s  (%s)\n", d.selector.c_str(), d.name.c_str(), to_string(d.kind));
  print_line("driver", d.driver + ", " + d.api);
  if (!d.refusal.empty()) {
    print_line("refused", d.refusal);
    return;
  }
  const DeviceLimits& l = d.limits;
  print_line("memory", format_bytes(l.memory_bytes) + ", one buffer up to " + format_bytes(l.max_buffer_bytes));
  print_line("subgroup",
             std::to_string(l.subgroup_size) + " lanes" +
                 (l.min_subgroup_size != l.max_subgroup_size ? ", or any of " + std::to_string(l.min_subgroup_size) +
                                                                   " to " + std::to_string(l.max_subgroup_size)
                                                             : ""));
  print_line("workgroup", "up to " + format_count(l.max_workgroup_invocations) + " invocations, " +
                              sizes(l.max_workgroup_size) + ", " + format_bytes(l.workgroup_memory_bytes) + " shared");
  print_line("dispatch", "up to " + sizes(l.max_workgroup_count) + " workgroups, " +
                             std::to_string(l.push_constant_bytes) + " bytes of push constants");
  std::vector<std::string> has, lacks, operations;
  DeviceFeatures flags = d.features;
  for (const auto& [name, value] : features(flags)) (*value ? has : lacks).push_back(name);
  for (const SubgroupOperation operation : d.subgroup_operations) operations.push_back(to_string(operation));
  print_words("operations", operations);
  print_words("has", has);
  print_words("lacks", lacks);
}

void run(bool json) {
  const std::vector<BackendInfo> backends = list_devices();
  if (json) return print_json(backends);
  for (const BackendInfo& backend : backends) {
    std::printf("%s\n", backend.name.c_str());
    if (backend.devices.empty()) std::printf("  no device: %s\n", backend.reason.c_str());
    for (const DeviceInfo& device : backend.devices) print(device);
  }
  print_choice();
}

}  // namespace

void add_devices(CommandLine& command_line) {
  auto json = std::make_shared<bool>(false);
  Verb verb = command_line.add_verb("devices", "List the devices and their limits");
  verb.add_flag("--json", *json, "Print JSON");
  verb.footer(devices_footer);
  verb.callback([json] { run(*json); });
}

}  // namespace weft::tools
