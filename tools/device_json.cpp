#include "tools/device_json.h"

#include <weft/error.h>

namespace weft::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr DeviceKind kinds[] = {DeviceKind::discrete_gpu, DeviceKind::integrated_gpu, DeviceKind::virtual_gpu,
                                DeviceKind::cpu, DeviceKind::other};
constexpr DeviceVendor vendors[] = {DeviceVendor::nvidia, DeviceVendor::amd, DeviceVendor::intel, DeviceVendor::other};
constexpr SubgroupOperation operations[] = {SubgroupOperation::basic,      SubgroupOperation::vote,
                                            SubgroupOperation::arithmetic, SubgroupOperation::ballot,
                                            SubgroupOperation::shuffle,    SubgroupOperation::shuffle_relative,
                                            SubgroupOperation::clustered,  SubgroupOperation::quad};

/// Calls `visit` with the name of each limit and the limit.
template <typename Limits, typename Visit>
void each_limit(Limits& l, const Visit& visit) {
  visit("memory_bytes", l.memory_bytes);
  visit("max_buffer_bytes", l.max_buffer_bytes);
  visit("subgroup_size", l.subgroup_size);
  visit("min_subgroup_size", l.min_subgroup_size);
  visit("max_subgroup_size", l.max_subgroup_size);
  visit("max_workgroup_invocations", l.max_workgroup_invocations);
  visit("max_workgroup_size", l.max_workgroup_size);
  visit("max_workgroup_count", l.max_workgroup_count);
  visit("workgroup_memory_bytes", l.workgroup_memory_bytes);
  visit("multiprocessor_memory_bytes", l.multiprocessor_memory_bytes);
  visit("push_constant_bytes", l.push_constant_bytes);
  visit("storage_binding_alignment", l.storage_binding_alignment);
  visit("uniform_binding_alignment", l.uniform_binding_alignment);
  visit("max_storage_binding_bytes", l.max_storage_binding_bytes);
  visit("max_uniform_binding_bytes", l.max_uniform_binding_bytes);
  visit("timestamp_period_ns", l.timestamp_period_ns);
}

/// The one of `values` whose name is `name`.
template <typename Values>
auto named(const Values& values, const std::string& name, const char* what) {
  std::string names;
  for (const auto value : values) {
    if (name == to_string(value)) return value;
    names += (names.empty() ? "" : ", ") + std::string(to_string(value));
  }
  throw Error(ErrorCode::invalid_argument, "'" + name + "' is no " + what + "; there are: " + names + ".");
}

}  // namespace

std::vector<std::pair<const char*, bool*>> features(DeviceFeatures& f) {
  return {{"int64", &f.int64},
          {"float64", &f.float64},
          {"int16", &f.int16},
          {"int8", &f.int8},
          {"float16", &f.float16},
          {"storage16", &f.storage16},
          {"storage8", &f.storage8},
          {"buffer_int64_atomics", &f.buffer_int64_atomics},
          {"workgroup_int64_atomics", &f.workgroup_int64_atomics},
          {"float32_atomic_add", &f.float32_atomic_add},
          {"subgroup_extended_types", &f.subgroup_extended_types},
          {"subgroup_size_control", &f.subgroup_size_control},
          {"maximal_reconvergence", &f.maximal_reconvergence},
          {"scalar_layout", &f.scalar_layout},
          {"workgroup_forward_progress", &f.workgroup_forward_progress},
          {"bounded_registers", &f.bounded_registers},
          {"loop_vectorization", &f.loop_vectorization}};
}

Json to_json(const DeviceInfo& given) {
  DeviceInfo d = given;
  Json limits = Json::object(), flags = Json::object(), names = Json::array();
  each_limit(d.limits, [&](const char* name, const auto& value) { limits[name] = value; });
  for (const auto& [name, value] : features(d.features)) flags[name] = *value;
  for (const SubgroupOperation operation : d.subgroup_operations) names.push_back(to_string(operation));
  return {{"selector", d.selector},
          {"name", d.name},
          {"driver", d.driver},
          {"api", d.api},
          {"kind", to_string(d.kind)},
          {"vendor", to_string(d.vendor)},
          {"architecture", d.architecture},
          {"usable", d.refusal.empty()},
          {"refusal", d.refusal},
          {"limits", limits},
          {"features", flags},
          {"subgroup_operations", names},
          {"spirv_capabilities", d.capabilities}};
}

DeviceInfo device_from_json(const Json& json) try {
  DeviceInfo d;
  d.selector = json.value("selector", "");
  d.backend = d.selector.substr(0, d.selector.find(':'));
  d.name = json.value("name", "");
  d.kind = named(kinds, json.value("kind", to_string(d.kind)), "kind of device");
  d.vendor = named(vendors, json.value("vendor", to_string(d.vendor)), "vendor");
  d.architecture = json.value("architecture", "");
  const Json limits = json.value("limits", Json::object()), flags = json.value("features", Json::object());
  each_limit(d.limits, [&](const char* name, auto& value) {
    if (limits.contains(name)) limits.at(name).get_to(value);
  });
  for (const auto& [name, value] : features(d.features)) *value = flags.value(name, false);
  for (const std::string name : json.value("subgroup_operations", Json::array())) {
    d.subgroup_operations.insert(named(operations, name, "group of subgroup operations"));
  }
  d.capabilities = json.value("spirv_capabilities", d.capabilities);
  return d;
} catch (const nlohmann::json::exception& error) {
  throw Error(ErrorCode::invalid_argument, std::string("The description of a device is wrong (") + error.what() +
                                               "). Take it from `weft devices --json`: one element of \"devices\".");
}

}  // namespace weft::tools
