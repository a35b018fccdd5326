#include <weft/device.h>

#include <limits>
#include <map>
#include <optional>
#include <span>

#include "core/src/pack/served_devices.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/device_choice.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

DeviceOptions with_packed_tuning(DeviceOptions options, const DeviceInfo& info) {
  options.tuning = core::tuning_with_packs(options.tuning, info, options.packs);
  return options;
}

using BackendList = std::span<const backend::Backend* const>;

const backend::Backend* find_backend(const std::string& name) {
  for (const backend::Backend* backend : backend::built_in_backends()) {
    if (backend->name() == name) return backend;
  }
  return nullptr;
}

std::vector<BackendInfo> list(BackendList backends, const DriverLibraries& libraries) {
  std::vector<BackendInfo> all;
  for (const backend::Backend* backend : backends) all.push_back(backend->list(libraries));
  return all;
}

// A compiler's library is not opened for devices that packs have code for.
std::map<std::string, std::string> without_kernels(BackendList backends, std::span<const BackendInfo> lists,
                                                   const DeviceOptions& options) {
  std::map<std::string, std::string> reasons;
  for (size_t b = 0; b < lists.size(); ++b) {
    for (const DeviceInfo& device : lists[b].devices) {
      if (!device.refusal.empty() || !core::served_architecture(device, options.packs).empty()) continue;
      const std::string reason = backends[b]->missing_compiler(device, options);
      if (!reason.empty()) reasons[device.selector] = reason;
    }
  }
  return reasons;
}

struct Opened {
  std::shared_ptr<backend::Device> device;
  DeviceChoice choice;
};

// If validation is requested, a failure is an error: the next device might open without it.
Opened open_best(BackendList backends, const DeviceOptions& options) {
  Opened opened;
  std::vector<backend::FoundDevices> found;
  std::vector<BackendInfo> lists;
  for (const backend::Backend* backend : backends) {
    found.push_back(backend->find(options));
    lists.push_back(found.back().info);
  }
  const auto open = [&](core::DeviceIndex index) { opened.device = found[index.backend].open(index.device); };
  opened.choice = core::choose_best(
      lists, open, {.pass_over = !options.validation, .without_kernels = without_kernels(backends, lists, options)});
  return opened;
}

Opened open_named(const backend::Backend& backend, const std::string& selector, const std::string& part,
                  const DeviceOptions& options) {
  const std::string reason = "named by '" + selector + "'";
  if (backend.settings() && part.find('=') != std::string::npos) {
    const auto device = backend.open_with(part, options);
    return {device, {device->info(), reason, {}}};
  }
  const backend::FoundDevices found = backend.find(options);
  const BackendInfo& info = found.info;
  const std::optional<size_t> index = core::find_named(info, part);
  if (!index && info.devices.empty()) {
    throw Error(ErrorCode::unsupported, "There is no device to open: " + core::listing({&info, 1}) + ".");
  }
  if (!index) {
    throw Error(ErrorCode::invalid_argument,
                "No device matches '" + selector +
                    "'. The devices are: " + core::listing(list_devices(options.libraries)) + "." +
                    (backend.settings() ? " Settings of " + info.name + ": " + backend.settings() + "." : ""));
  }
  const DeviceInfo& device = info.devices[*index];
  if (!device.refusal.empty()) {
    throw Error(ErrorCode::unsupported, "Weft refuses " + core::title(device) + ": " + device.refusal + ".");
  }
  return {found.open(*index), {device, reason, {}}};
}

Opened open(const std::string& selector, const DeviceOptions& options) {
  const size_t colon = selector.find(':');
  const std::string name = selector.substr(0, colon);
  const backend::Backend* backend = find_backend(name);
  if (!backend) {
    throw Error(ErrorCode::invalid_argument,
                "This build has no backend '" + name + "', which '" + selector +
                    "' asks for. The devices are: " + core::listing(list_devices(options.libraries)) + ".");
  }
  if (colon == std::string::npos) return open_best({&backend, 1}, options);
  return open_named(*backend, selector, selector.substr(colon + 1), options);
}

Opened open_default(const DeviceOptions& options) {
  const std::string selector = backend::default_device();
  if (selector.empty()) return open_best(backend::built_in_backends(), options);
  const std::string what = "this build's default device, '" + selector + "'";
  try {
    Opened opened = open(selector, options);
    opened.choice.reason = what;
    return opened;
  } catch (const Error& error) {
    throw Error(error.code(), "Opening " + what + ": " + error.what(), error.log());
  }
}

Opened open_any(const std::string& selector, const DeviceOptions& options) {
  return selector.empty() ? open_default(options) : open(selector, options);
}

void warn_without_validation(const DeviceInfo& device, const MessageCallback& messages) {
  if (find_backend(device.backend)->has_validation()) return;
  core::report(messages, MessageSeverity::warning,
               "validation (DeviceOptions::validation, WEFT_VALIDATION=1) has no effect on " + device.selector +
                   ", which has no validation layer" +
                   (device.backend == "host" ? "; host:check=on checks what kernels access" : ""));
}

}  // namespace

std::vector<BackendInfo> list_devices(const DriverLibraries& libraries) {
  return list(backend::built_in_backends(), libraries);
}

std::shared_ptr<backend::Device> backend::Backend::open_with(const std::string& settings, const DeviceOptions&) const {
  throw Error(ErrorCode::invalid_argument, std::string(name()) + " takes no settings such as '" + settings + "'");
}

backend::FoundDevices backend::Backend::find(const DeviceOptions& options) const {
  return {list(options.libraries), [this, options](size_t index) { return open(index, options); }};
}

backend::Device::Device(DeviceInfo info, DeviceOptions options, bool compiles)
    : kernels(options.packs, {options.cache, options.messages}),
      info_(compiles ? std::move(info) : core::as_served(std::move(info), options.packs)),
      options_(with_packed_tuning(std::move(options), info_)) {}

bool backend::Device::wait_to_close(Stream& stream, const core::Patience& patience) const {
  const std::chrono::nanoseconds left = patience.left(timeout());
  try {
    stream.synchronize(left);
    return true;
  } catch (const Error& error) {
    const bool timed_out = error.code() == ErrorCode::timeout;
    if (!timed_out || left.count() > 0) {
      core::report(options_.messages, MessageSeverity::error, "closing a stream: ", error.what());
    }
    return !timed_out;
  } catch (const std::exception& error) {
    core::report(options_.messages, MessageSeverity::error, "closing a stream: ", error.what());
    return false;
  }
}

Device open_device(const std::string& selector, const DeviceOptions& options) {
  Device device(open_any(selector, options).device);
  if (options.validation) warn_without_validation(device.info(), options.messages);
  return device;
}

DeviceChoice choose_device(const std::string& selector, const DeviceOptions& options) {
  Opened opened = open_any(selector, options);
  opened.choice.device = opened.device->info();
  return std::move(opened.choice);
}

const DeviceInfo& Device::info() const { return impl_->info(); }

const DeviceOptions& Device::options() const { return impl_->options(); }

void backend::Device::require_this_process() const {
  if (process_.is_current()) return;
  throw Error(ErrorCode::invalid_argument,
              info_.selector +
                  " was opened before fork(), by the parent of this process. A child cannot use the "
                  "parent's devices, streams, buffers or kernels: open a device in the child.");
}

Stream Device::stream() const {
  impl_->require_this_process();
  return Stream(impl_->create_stream());
}

void Device::synchronize() const {
  impl_->require_this_process();
  impl_->synchronize(impl_->timeout());
}

std::shared_ptr<backend::Buffer> Device::allocate(uint64_t count, uint64_t element_bytes) const {
  return impl_->new_buffer(count, element_bytes, [this](uint64_t bytes) { return impl_->create_buffer(bytes); });
}

std::shared_ptr<backend::Buffer> backend::Device::new_buffer(
    uint64_t count, uint64_t element_bytes, const std::function<std::shared_ptr<Buffer>(uint64_t bytes)>& create) {
  if (count == 0) return nullptr;
  require_this_process();
  const std::string elements = core::count_text(count) + " elements of " + std::to_string(element_bytes) + " bytes";
  if (count > std::numeric_limits<uint64_t>::max() / element_bytes) {
    throw Error(ErrorCode::invalid_argument, "A buffer of " + elements + " has more bytes than 64 bits can count.");
  }
  const uint64_t bytes = count * element_bytes;
  const DeviceLimits& limits = info().limits;
  if (bytes > limits.max_buffer_bytes) {
    throw Error(ErrorCode::out_of_memory, "A buffer of " + elements + " takes " + core::gibibytes(bytes) + "; " +
                                              info().selector + " (" + info().name + ") allows " +
                                              core::gibibytes(limits.max_buffer_bytes) + " for one buffer and has " +
                                              core::gibibytes(limits.memory_bytes) + " of memory.");
  }
  std::shared_ptr<Buffer> buffer = create(bytes);
  if (on_new_buffer) on_new_buffer(*buffer);
  return buffer;
}

}  // namespace weft
