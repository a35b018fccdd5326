#include <algorithm>

#include "c/src/objects.h"
#include "c/src/options.h"
#include "c/src/structs.h"

namespace weft::c {
namespace {

uint64_t features_of(const DeviceFeatures& features) {
  uint64_t bits = 0;
  const auto add = [&](bool has, uint64_t bit) { bits |= has ? bit : 0; };
  add(features.int8, WEFT_INT8);
  add(features.int16, WEFT_INT16);
  add(features.int64, WEFT_INT64);
  add(features.float16, WEFT_FLOAT16);
  add(features.float64, WEFT_FLOAT64);
  add(features.storage8, WEFT_STORAGE8);
  add(features.storage16, WEFT_STORAGE16);
  add(features.buffer_int64_atomics, WEFT_BUFFER_INT64_ATOMICS);
  add(features.workgroup_int64_atomics, WEFT_WORKGROUP_INT64_ATOMICS);
  add(features.float32_atomic_add, WEFT_FLOAT32_ATOMIC_ADD);
  add(features.subgroup_extended_types, WEFT_SUBGROUP_EXTENDED_TYPES);
  add(features.subgroup_size_control, WEFT_SUBGROUP_SIZE_CONTROL);
  add(features.maximal_reconvergence, WEFT_MAXIMAL_RECONVERGENCE);
  add(features.scalar_layout, WEFT_SCALAR_LAYOUT);
  add(features.workgroup_forward_progress, WEFT_WORKGROUP_FORWARD_PROGRESS);
  return bits;
}

// The enumerations have the values of DeviceKind and DeviceVendor.
static_assert(WEFT_OTHER_DEVICE == int(DeviceKind::other) && WEFT_OTHER_VENDOR == int(DeviceVendor::other));

weft_device_info info_of(const DeviceInfo& device) {
  const DeviceLimits& limits = device.limits;
  weft_device_info info{};
  info.selector = device.selector.c_str();
  info.backend = device.backend.c_str();
  info.name = device.name.c_str();
  info.driver = device.driver.c_str();
  info.api = device.api.c_str();
  info.architecture = device.architecture.c_str();
  info.refusal = device.refusal.c_str();
  info.kind = uint32_t(device.kind);
  info.vendor = uint32_t(device.vendor);
  info.features = features_of(device.features);
  info.memory_bytes = limits.memory_bytes;
  info.max_buffer_bytes = limits.max_buffer_bytes;
  info.subgroup_size = limits.subgroup_size;
  info.min_subgroup_size = limits.min_subgroup_size;
  info.max_subgroup_size = limits.max_subgroup_size;
  info.max_workgroup_invocations = limits.max_workgroup_invocations;
  std::ranges::copy(limits.max_workgroup_size, info.max_workgroup_size);
  std::ranges::copy(limits.max_workgroup_count, info.max_workgroup_count);
  info.workgroup_memory_bytes = limits.workgroup_memory_bytes;
  info.push_constant_bytes = limits.push_constant_bytes;
  return info;
}

std::unique_ptr<weft_device_list> listed() {
  auto list = std::make_unique<weft_device_list>();
  for (const BackendInfo& backend : list_devices()) {
    list->devices.insert(list->devices.end(), backend.devices.begin(), backend.devices.end());
    if (backend.devices.empty()) list->missing += backend.name + ": " + backend.reason + "\n";
  }
  return list;
}

}  // namespace
}  // namespace weft::c

using namespace weft::c;

weft_result weft_open_device(const char* selector, const weft_device_options* options, weft_device** device) {
  return create(__func__, device, [&] {
    return std::unique_ptr<weft_device>(
        new weft_device{.device = weft::open_device(text_or(selector, ""), options_of(options))});
  });
}

weft_result weft_destroy_device(weft_device* device) { return destroy(__func__, device); }

weft_result weft_get_device_info(const weft_device* device, weft_device_info* info) {
  return guarded(__func__,
                 [&] { copy_to(given(info, "info"), "info", info_of(checked(device, "device").device.info())); });
}

weft_result weft_synchronize_device(const weft_device* device) {
  return guarded(__func__, [&] { checked(device, "device").device.synchronize(); });
}

weft_result weft_list_devices(weft_device_list** list) { return create(__func__, list, listed); }

weft_result weft_destroy_device_list(weft_device_list* list) { return destroy(__func__, list); }

weft_result weft_get_listed_device_count(const weft_device_list* list, size_t* count) {
  return guarded(__func__, [&] { *given(count, "count") = checked(list, "list").devices.size(); });
}

weft_result weft_get_listed_device(const weft_device_list* list, size_t index, weft_device_info* info) {
  return guarded(__func__, [&] {
    const std::vector<weft::DeviceInfo>& devices = checked(list, "list").devices;
    if (index >= devices.size()) {
      refuse("'index' is " + std::to_string(index) + ", and the list has " + std::to_string(devices.size()) +
             " devices.");
    }
    copy_to(given(info, "info"), "info", info_of(devices[index]));
  });
}

weft_result weft_get_missing_devices(const weft_device_list* list, const char** reasons) {
  return guarded(__func__, [&] { *given(reasons, "reasons") = checked(list, "list").missing.c_str(); });
}

weft_result weft_create_buffer(const weft_device* device, uint64_t bytes, weft_buffer** buffer) {
  return create(__func__, buffer, [&] {
    return std::unique_ptr<weft_buffer>(
        new weft_buffer{.buffer = checked(device, "device").device.buffer<std::byte>(bytes)});
  });
}

weft_result weft_destroy_buffer(weft_buffer* buffer) { return destroy(__func__, buffer); }

weft_result weft_get_buffer_bytes(const weft_buffer* buffer, uint64_t* bytes) {
  return guarded(__func__, [&] { *given(bytes, "bytes") = checked(buffer, "buffer").buffer.bytes(); });
}

weft_result weft_get_buffer_address(const weft_buffer* buffer, uint64_t* address) {
  return guarded(__func__, [&] { *given(address, "address") = checked(buffer, "buffer").buffer.pointer().address; });
}
