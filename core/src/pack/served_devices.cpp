#include "core/src/pack/served_devices.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/src/pack/architectures.h"
#include "core/src/pack/contents.h"
#include "core/src/runtime/byte_stream.h"

namespace weft::core {
namespace {

using Features = DeviceFeatures;

constexpr std::array all_features{&Features::int8,
                                  &Features::int16,
                                  &Features::int64,
                                  &Features::float16,
                                  &Features::float64,
                                  &Features::storage8,
                                  &Features::storage16,
                                  &Features::buffer_int64_atomics,
                                  &Features::workgroup_int64_atomics,
                                  &Features::float32_atomic_add,
                                  &Features::subgroup_extended_types,
                                  &Features::subgroup_size_control,
                                  &Features::maximal_reconvergence,
                                  &Features::scalar_layout,
                                  &Features::workgroup_forward_progress,
                                  &Features::bounded_registers,
                                  &Features::loop_vectorization};
static_assert(sizeof(Features) == all_features.size(), "a feature is missing in the list");

// Limits that a device may exceed. For plans it has those of the served device then.
constexpr std::array lower_limits{&DeviceLimits::max_workgroup_invocations, &DeviceLimits::workgroup_memory_bytes};

bool has_subgroups_of(const DeviceLimits& a, const DeviceLimits& b) {
  const auto sizes = [](const DeviceLimits& l) {
    return std::tuple(l.min_subgroup_size, l.subgroup_size, l.max_subgroup_size);
  };
  return sizes(a) == sizes(b);
}

bool serves(const DeviceInfo& served, const DeviceInfo& device) {
  if (served.backend != device.backend || served.vendor != device.vendor) return false;
  if ((served.kind == DeviceKind::cpu) != (device.kind == DeviceKind::cpu)) return false;
  if (!has_subgroups_of(served.limits, device.limits)) return false;
  for (const auto limit : lower_limits) {
    if (device.limits.*limit < served.limits.*limit) return false;
  }
  for (size_t d = 0; d < 3; ++d) {
    if (device.limits.max_workgroup_size[d] < served.limits.max_workgroup_size[d]) return false;
  }
  for (const auto feature : all_features) {
    if (served.features.*feature && !(device.features.*feature)) return false;
  }
  return true;
}

/// The device of a pack's that another device is taken for.
struct Served {
  Pack pack;
  DeviceInfo device;
  /// Of its architecture, among those whose code runs, then whether its name is another. Smaller is better.
  std::pair<size_t, bool> rank;
};

// Packs of SPIR-V name no architecture.
std::optional<size_t> rank_of(const std::string& architecture, const std::vector<std::string>& runs) {
  if (architecture.empty()) return 0;
  const auto found = std::ranges::find(runs, architecture);
  if (found == runs.end()) return std::nullopt;
  return size_t(found - runs.begin());
}

// The best of those that a device is taken for, or the first of several that are as good.
std::optional<Served> best_served(const DeviceInfo& device, std::span<const Pack> packs) {
  const std::vector<std::string> runs = code_architectures(device.architecture);
  std::optional<Served> best;
  for (const Pack& pack : packs) {
    for (DeviceInfo& served : pack.contents().served()) {
      const auto of_code = rank_of(served.architecture, runs);
      if (!of_code || !serves(served, device)) continue;
      const std::pair rank(*of_code, served.name != device.name);
      if (!best || rank < best->rank) best = Served{pack, std::move(served), rank};
    }
  }
  return best;
}

}  // namespace

std::vector<std::byte> encode_served(std::span<const DeviceInfo> devices) {
  ByteWriter to;
  to.list(devices, [&](const DeviceInfo& d) {
    to.text(d.backend);
    to.text(d.name);
    to.text(d.architecture);
    to.value(d.kind);
    to.value(d.vendor);
    to.value(d.limits.min_subgroup_size);
    to.value(d.limits.subgroup_size);
    to.value(d.limits.max_subgroup_size);
    for (const auto limit : lower_limits) to.value(d.limits.*limit);
    for (const uint32_t size : d.limits.max_workgroup_size) to.value(size);
    to.value(d.limits.multiprocessor_memory_bytes);
    for (const auto feature : all_features) to.value(d.features.*feature);
  });
  return to.take();
}

std::vector<DeviceInfo> decode_served(std::span<const std::byte> bytes) {
  ByteReader from(bytes);
  auto devices = from.list<DeviceInfo>([&] {
    DeviceInfo d;
    d.backend = from.text();
    d.name = from.text();
    d.architecture = from.text();
    d.kind = from.value<DeviceKind>();
    d.vendor = from.value<DeviceVendor>();
    d.limits.min_subgroup_size = from.value<uint32_t>();
    d.limits.subgroup_size = from.value<uint32_t>();
    d.limits.max_subgroup_size = from.value<uint32_t>();
    for (const auto limit : lower_limits) d.limits.*limit = from.value<uint32_t>();
    for (uint32_t& size : d.limits.max_workgroup_size) size = from.value<uint32_t>();
    d.limits.multiprocessor_memory_bytes = from.value<uint32_t>();
    for (const auto feature : all_features) d.features.*feature = from.value<uint8_t>() != 0;
    return d;
  });
  if (!from.whole()) devices.clear();
  return devices;
}

DeviceInfo as_served(DeviceInfo device, std::span<const Pack> packs) {
  const auto best = best_served(device, packs);
  if (!best) return device;
  const DeviceInfo& served = best->device;
  for (const auto limit : lower_limits) device.limits.*limit = served.limits.*limit;
  device.limits.max_workgroup_size = served.limits.max_workgroup_size;
  device.limits.multiprocessor_memory_bytes = served.limits.multiprocessor_memory_bytes;
  device.features = served.features;
  return device;
}

std::string served_architecture(const DeviceInfo& device, std::span<const Pack> packs) {
  const auto best = best_served(device, packs);
  return best ? best->device.architecture : std::string();
}

Tuning tuning_with_packs(const Tuning& own, const DeviceInfo& device, std::span<const Pack> packs) {
  const auto best = best_served(device, packs);
  const Tuning packed = best ? best->pack.contents().tuning() : Tuning();
  if (packed.entries().empty()) return own;
  std::vector<Tuning::Entry> entries = own.entries();
  std::set<std::pair<std::string, uint32_t>> has_own;
  for (const Tuning::Entry& entry : entries) {
    if (entry.is_for(device)) has_own.emplace(entry.primitive, entry.element_bytes);
  }
  for (Tuning::Entry entry : packed.entries()) {
    if (!entry.is_for(best->device) || has_own.contains({entry.primitive, entry.element_bytes})) continue;
    entry.backend = entry.device = "";  // The device may have another name than the one that it is taken for.
    entries.push_back(std::move(entry));
  }
  return Tuning(std::move(entries));
}

}  // namespace weft::core
