#include "backends/cuda_hip/device.h"

#include <algorithm>

#include "backends/cuda_hip/buffer.h"
#include "backends/cuda_hip/kernel.h"
#include "backends/cuda_hip/mark.h"
#include "backends/cuda_hip/stream.h"
#include "backends/cuda_hip/waiting.h"
#include "core/src/pack/served_devices.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/process.h"

namespace weft::cuda_hip {

namespace {

/// Whether what packs lack can be compiled. The compiler's library stays closed for an architecture that they name.
bool compiles(const Setup& setup, const DeviceOptions& options) {
  if (!core::has_compilers()) return false;
  const std::string served = core::served_architecture(setup.info, options.packs);
  if (served.empty()) return true;
  const std::string& own = setup.architecture;
  const bool is_named = own == served || own.starts_with(served + ":");  // with its features, on HIP
  return !is_named && setup.compiler->refusal(own).empty();
}

}  // namespace

Device::Device(Setup setup, const DeviceOptions& options)
    : backend::Device(setup.info, options, compiles(setup, options)), setup_(std::move(setup)) {}

Device::~Device() {
  bool idle = true;
  clean_up([&] {
    idle = std::ranges::all_of(queues_.alive(), [](const auto& queue) { return queue->idle(); });
    if (idle) retirement_.drain();
  });
  // Releasing the context would wait forever for work that does not end. It is left to the operating system.
  if (idle && setup_.retained) api().release_context(setup_.ordinal);
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  call([&] { retirement_.collect(); });
  return core::make_here<Buffer>(std::static_pointer_cast<Device>(shared_from_this()), bytes);
}

std::shared_ptr<backend::Kernel> Device::create_kernel(const Spirv& module, const KernelOptions& options,
                                                       Reflection reflection) {
  return core::make_here<Kernel>(std::static_pointer_cast<Device>(shared_from_this()), module, options,
                                 std::move(reflection));
}

std::unique_ptr<backend::Stream> Device::create_stream() {
  return std::make_unique<Stream>(std::static_pointer_cast<Device>(shared_from_this()));
}

void Device::synchronize(std::chrono::nanoseconds timeout) {
  call([&] {
    for (const auto& queue : queues_.alive()) {
      wait_until([&] { return queue->done(); }, timeout, info().name, *queue->patience());
    }
    retirement_.collect();
  });
}

void Device::retire(std::function<void()> destroy) {
  std::vector<core::CompletionPoint> points;
  try {
    for (const auto& queue : queues_.alive()) {
      if (queue->done()) continue;
      auto mark = std::make_shared<Mark>(setup_.api, setup_.context, false);
      mark->record(*queue);
      points.push_back([mark = std::move(mark)] { return mark->done_or_lost(); });
    }
  } catch (const Error& error) {
    // A lost device uses nothing any more. After another error, the object is kept until the device is destroyed.
    points.clear();
    if (error.code() != ErrorCode::device_lost) points.push_back([] { return false; });
  }
  retirement_.retire(std::move(points), std::move(destroy));
}

Error Device::lost(const Error& error) const {
  std::string names;
  for (const auto& queue : queues_.alive()) {
    for (const std::string& name : queue->running()) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  return Error(ErrorCode::device_lost, error.what() + (names.empty() ? "" : ". Running kernels: " + names));
}

}  // namespace weft::cuda_hip
