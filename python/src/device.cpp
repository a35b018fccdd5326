#include "python/src/device.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <filesystem>

#include <weft/pack.h>

#include "python/src/bindings.h"
#include "python/src/stream.h"

namespace weft::python {
namespace {

nb::dict limits_of(const DeviceLimits& limits) {
  const auto three = [](const std::array<uint32_t, 3>& sizes) { return nb::make_tuple(sizes[0], sizes[1], sizes[2]); };
  nb::dict result;
  result["memory_bytes"] = limits.memory_bytes;
  result["max_buffer_bytes"] = limits.max_buffer_bytes;
  result["subgroup_size"] = limits.subgroup_size;
  result["min_subgroup_size"] = limits.min_subgroup_size;
  result["max_subgroup_size"] = limits.max_subgroup_size;
  result["max_workgroup_invocations"] = limits.max_workgroup_invocations;
  result["max_workgroup_size"] = three(limits.max_workgroup_size);
  result["max_workgroup_count"] = three(limits.max_workgroup_count);
  result["workgroup_memory_bytes"] = limits.workgroup_memory_bytes;
  result["push_constant_bytes"] = limits.push_constant_bytes;
  return result;
}

nb::dict features_of(const DeviceFeatures& features) {
  static_assert(sizeof(features) == 17, "a feature is missing below");
  nb::dict result;
  result["int8"] = features.int8;
  result["int16"] = features.int16;
  result["int64"] = features.int64;
  result["float16"] = features.float16;
  result["float64"] = features.float64;
  result["storage8"] = features.storage8;
  result["storage16"] = features.storage16;
  result["buffer_int64_atomics"] = features.buffer_int64_atomics;
  result["workgroup_int64_atomics"] = features.workgroup_int64_atomics;
  result["float32_atomic_add"] = features.float32_atomic_add;
  result["subgroup_extended_types"] = features.subgroup_extended_types;
  result["subgroup_size_control"] = features.subgroup_size_control;
  result["maximal_reconvergence"] = features.maximal_reconvergence;
  result["scalar_layout"] = features.scalar_layout;
  result["workgroup_forward_progress"] = features.workgroup_forward_progress;
  result["bounded_registers"] = features.bounded_registers;
  result["loop_vectorization"] = features.loop_vectorization;
  return result;
}

nb::dict info_of(const DeviceInfo& info) {
  nb::dict result;
  result["selector"] = info.selector;
  result["backend"] = info.backend;
  result["name"] = info.name;
  result["driver"] = info.driver;
  result["api"] = info.api;
  result["kind"] = to_string(info.kind);
  result["vendor"] = to_string(info.vendor);
  result["architecture"] = info.architecture;
  result["limits"] = limits_of(info.limits);
  result["features"] = features_of(info.features);
  result["refusal"] = info.refusal;
  return result;
}

nb::list backends() {
  std::vector<BackendInfo> found;
  {
    const nb::gil_scoped_release release;
    found = list_devices();
  }
  nb::list result;
  for (const BackendInfo& backend : found) {
    nb::list devices;
    for (const DeviceInfo& device : backend.devices) devices.append(info_of(device));
    nb::dict entry;
    entry["name"] = backend.name;
    entry["devices"] = devices;
    entry["reason"] = backend.reason;
    result.append(entry);
  }
  return result;
}

/// The packs that the package brings along (python/packs). Call it with the GIL.
const std::vector<Pack>& packs_of_package() {
  static const std::vector<Pack> packs = [] {
    std::vector<Pack> found;
    for (const nb::handle folder : nb::module_::import_("weft").attr("__path__")) {
      const std::filesystem::path packs_folder = std::filesystem::path(nb::cast<std::string>(folder)) / "packs";
      std::error_code none;
      for (const auto& entry : std::filesystem::directory_iterator(packs_folder, none)) {
        if (entry.path().extension() == ".weftpack") found.push_back(Pack::open(entry.path()));
      }
    }
    return found;
  }();
  return packs;
}

std::shared_ptr<OpenDevice> opened(const std::string& selector, double timeout, bool validation) {
  if (!(timeout > 0)) throw nb::value_error("'timeout' must be a positive number of seconds.");
  const std::vector<Pack>& packs = packs_of_package();
  const nb::gil_scoped_release release;
  DeviceOptions options = DeviceOptions::from_environment();
  options.packs.insert(options.packs.end(), packs.begin(), packs.end());
  options.timeout = std::chrono::nanoseconds(int64_t(std::min(timeout, 1e9) * 1e9));
  options.validation = options.validation || validation;
  const Device device = open_device(selector, options);
  const nb::gil_scoped_acquire acquire;  // for the dictionary of plans
  return std::make_shared<OpenDevice>(device);
}

}  // namespace

const std::shared_ptr<OpenStream>& OpenDevice::stream() {
  if (!stream_) stream_ = std::make_shared<OpenStream>(device);
  return stream_;
}

void bind_devices(nb::module_& module) {
  module.def("list_devices", backends, "Every backend of this build: its name, its devices, and why it has none.");

  module.def("open_devices", [] { return OpenDevice::number.load(); }, "Number of open devices, for tests.");

  nb::class_<OpenDevice>(module, "Device", nb::is_weak_referenceable(),
                         "An open device. The selector is that of the command line: \"cuda:1\", \"vulkan\", "
                         "\"host:subgroup=64\"; \"\" takes the best device that opens.")
      .def(nb::new_(&opened), nb::arg("selector") = "", nb::kw_only(), nb::arg("timeout") = 60.0,
           nb::arg("validation") = false)
      .def_prop_ro(
          "info", [](const OpenDevice& device) { return info_of(device.device.info()); },
          "Names, limits and features, as list_devices() shows them.")
      .def_prop_ro("selector", [](const OpenDevice& device) { return device.device.info().selector; })
      .def_prop_ro("backend", [](const OpenDevice& device) { return device.device.info().backend; })
      .def_prop_ro("name", [](const OpenDevice& device) { return device.device.info().name; })
      .def_prop_ro(
          "stream", [](OpenDevice& device) { return device.stream(); },
          "The stream that functions use unless they are given another.")
      .def_prop_ro(
          "plans", [](const OpenDevice& device) { return device.plans; },
          "The plans that functions have made, by what they are made from.")
      .def_prop_ro(
          "kept_bytes", [](const OpenDevice& device) { return device.pool.bytes(); },
          "Bytes of memory that arrays have left, which is kept for later ones.")
      .def(
          "release_memory", [](OpenDevice& device) { device.pool.clear(); }, "Gives that memory back to the device.")
      .def(
          "synchronize",
          [](const OpenDevice& device) {
            const nb::gil_scoped_release release;
            device.device.synchronize();
          },
          "Blocks until the work of every stream is done.")
      .def("__repr__", [](const OpenDevice& device) {
        return "<weft.Device " + device.device.info().selector + " (" + device.device.info().name + ")>";
      });
}

}  // namespace weft::python
