#include <weft/device.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "core/src/backend.h"
#include "core/src/messages.h"

namespace weft {
namespace {

struct Candidate {
  const backend::Backend* backend;
  size_t index;
  DeviceInfo info;
};

// Smaller is better.
int rank(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::discrete_gpu:
      return 0;
    case DeviceKind::integrated_gpu:
      return 1;
    case DeviceKind::virtual_gpu:
      return 2;
    case DeviceKind::cpu:
      return 3;
    case DeviceKind::other:
      return 4;
  }
  return 5;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::search(text, part, {}, lower, lower).begin() != text.end();
}

// Every device of the backends, or what says why there is none.
struct Listing {
  std::vector<Candidate> devices;
  std::string reasons;  // of backends without devices: "vulkan: libvulkan.so.1 not found"

  explicit Listing(const std::vector<const backend::Backend*>& backends) {
    for (const backend::Backend* backend : backends) {
      BackendInfo info = backend->list();
      if (info.devices.empty()) {
        reasons += std::string(reasons.empty() ? "" : "; ") + backend->name() + " has no device: " + info.reason;
      }
      for (size_t i = 0; i < info.devices.size(); ++i) devices.push_back({backend, i, std::move(info.devices[i])});
    }
  }

  // "vulkan:0 (llvmpipe), vulkan:1 (SwiftShader, refused: ...)"
  std::string text() const {
    std::string all;
    for (const Candidate& device : devices) {
      all += (all.empty() ? "" : ", ") + device.info.selector + " (" + device.info.name;
      if (!device.info.refusal.empty()) all += ", refused: " + device.info.refusal;
      all += ")";
    }
    if (!reasons.empty()) all += (all.empty() ? "" : "; ") + reasons;
    return all;
  }
};

// The best device that is not refused; the first refused one when all are. Of one kind, the first backend's; of one
// backend, the one that kernels can ask more of.
const Candidate* best(const std::vector<Candidate>& devices) {
  const Candidate* choice = nullptr;
  const auto built_in = backend::built_in_backends();
  const auto order = [&](const Candidate& device) {
    const int kind = device.info.refusal.empty() ? rank(device.info.kind) : 100;
    return std::tuple(kind, std::ranges::find(built_in, device.backend) - built_in.begin(),
                      -static_cast<int>(device.info.capabilities.size()));
  };
  for (const Candidate& device : devices) {
    if (!choice || order(device) < order(*choice)) choice = &device;
  }
  return choice;
}

// The device that `part`, what follows "backend:", means: a number of the list or text of a name.
const Candidate* named(const std::vector<Candidate>& devices, const std::string& part) {
  if (!part.empty() && std::ranges::all_of(part, [](char c) { return '0' <= c && c <= '9'; })) {
    const auto has_index = [&](const Candidate& device) { return std::to_string(device.index) == part; };
    const auto found = std::ranges::find_if(devices, has_index);
    return found != devices.end() ? &*found : nullptr;
  }
  const Candidate* choice = nullptr;
  for (const Candidate& device : devices) {
    if (part.empty() || !contains_ignoring_case(device.info.name, part)) continue;
    if (device.info.refusal.empty()) return &device;
    if (!choice) choice = &device;
  }
  return choice;
}

std::vector<const backend::Backend*> all_backends() {
  const auto built_in = backend::built_in_backends();
  return {built_in.begin(), built_in.end()};
}

const backend::Backend* find_backend(std::string_view name) {
  for (const backend::Backend* backend : all_backends()) {
    if (backend->name() == name) return backend;
  }
  return nullptr;
}

Candidate choose(const std::string& selector) {
  const size_t colon = selector.find(':');
  const std::string backend_name = selector.substr(0, colon);
  const backend::Backend* backend = find_backend(backend_name);
  if (!backend && !selector.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "There is no backend '" + backend_name + "' in this build, which '" + selector +
                    "' asks for. The devices are: " + Listing(all_backends()).text() + ".");
  }
  const Listing listing(backend ? std::vector{backend} : all_backends());
  if (listing.devices.empty()) {
    throw Error(ErrorCode::unsupported, "There is no device to open: " + listing.reasons + ".");
  }
  const Candidate* choice =
      colon == std::string::npos ? best(listing.devices) : named(listing.devices, selector.substr(colon + 1));
  if (!choice) {
    const char* settings = backend ? backend->settings() : nullptr;
    throw Error(ErrorCode::invalid_argument,
                "No device matches '" + selector + "'. The devices are: " + Listing(all_backends()).text() + "." +
                    (settings ? " Settings of " + backend_name + ": " + settings + "." : ""));
  }
  if (!choice->info.refusal.empty()) {
    throw Error(
        ErrorCode::unsupported,
        "Weft refuses " + choice->info.selector + " (" + choice->info.name + "): " + choice->info.refusal +
            (colon == std::string::npos && listing.devices.size() > 1 ? ". So it does all others: " + listing.text()
                                                                      : "") +
            ".");
  }
  return *choice;
}

}  // namespace

std::vector<BackendInfo> list_devices() {
  std::vector<BackendInfo> list;
  for (const backend::Backend* backend : backend::built_in_backends()) list.push_back(backend->list());
  return list;
}

std::shared_ptr<backend::Device> backend::Backend::open_with(const std::string& settings, const DeviceOptions&) const {
  throw Error(ErrorCode::invalid_argument, std::string(name()) + " takes no settings such as '" + settings + "'");
}

Device open_device(const std::string& selector, const DeviceOptions& options) {
  const size_t colon = selector.find(':');
  if (selector.find('=', colon) != std::string::npos && colon != std::string::npos) {
    const backend::Backend* backend = find_backend(selector.substr(0, colon));
    if (backend && backend->settings()) return Device(backend->open_with(selector.substr(colon + 1), options));
  }
  const Candidate choice = choose(selector);
  return Device(choice.backend->open(choice.index, options));
}

const DeviceInfo& Device::info() const { return impl_->info(); }

Stream Device::stream() const { return Stream(impl_->create_stream()); }

void Device::synchronize() const { impl_->synchronize(impl_->timeout()); }

std::shared_ptr<backend::Buffer> Device::allocate(uint64_t count, uint64_t element_bytes) const {
  if (count == 0) return nullptr;
  const std::string elements = std::to_string(count) + " elements of " + std::to_string(element_bytes) + " bytes";
  if (count > std::numeric_limits<uint64_t>::max() / element_bytes) {
    throw Error(ErrorCode::invalid_argument, "A buffer of " + elements + " is larger than 64 bits can say.");
  }
  const uint64_t bytes = count * element_bytes;
  const DeviceLimits& limits = info().limits;
  if (bytes > limits.max_buffer_bytes) {
    throw Error(ErrorCode::out_of_memory, "A buffer of " + elements + " takes " + core::gibibytes(bytes) + "; " +
                                              info().selector + " (" + info().name + ") allows " +
                                              core::gibibytes(limits.max_buffer_bytes) + " for one buffer and has " +
                                              core::gibibytes(limits.memory_bytes) + " of memory.");
  }
  return impl_->create_buffer(bytes);
}

}  // namespace weft
