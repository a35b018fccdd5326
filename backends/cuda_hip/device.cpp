#include "backends/cuda_hip/device.h"

#include "backends/cuda_hip/buffer.h"
#include "backends/cuda_hip/kernel.h"
#include "backends/cuda_hip/stream.h"
#include "backends/cuda_hip/waiting.h"

namespace weft::cuda_hip {

Device::Device(Setup setup, const DeviceOptions& options)
    : backend::Device(setup.info, options), setup_(std::move(setup)), retirement_(setup_.api, setup_.context) {}

Device::~Device() {
  bool idle = true;
  clean_up([&] {
    idle = retirement_.idle();
    if (idle) retirement_.drain();
  });
  // Releasing the context of work that does not end would wait for ever: it is left to the operating system.
  if (idle && setup_.retained) api().release_context(setup_.ordinal);
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  call([&] { retirement_.collect(); });
  return std::make_shared<Buffer>(std::static_pointer_cast<Device>(shared_from_this()), bytes);
}

std::shared_ptr<backend::Kernel> Device::create_kernel(const Spirv& module, const KernelOptions& options,
                                                       Reflection reflection) {
  return std::make_shared<Kernel>(std::static_pointer_cast<Device>(shared_from_this()), module, options,
                                  std::move(reflection));
}

std::unique_ptr<backend::Stream> Device::create_stream() {
  return std::make_unique<Stream>(std::static_pointer_cast<Device>(shared_from_this()));
}

void Device::synchronize(std::chrono::nanoseconds timeout) {
  call([&] {
    for (const auto& queue : retirement_.queues()) {
      wait_until([&] { return queue->done(); }, timeout, info().name, *queue->patience());
    }
    retirement_.collect();
  });
}

Error Device::lost(const Error& error) const {
  std::string names;
  for (const auto& queue : retirement_.queues()) {
    for (const std::string& name : queue->under_way()) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  return Error(ErrorCode::device_lost, error.what() + (names.empty() ? "" : ". Kernels under way: " + names));
}

}  // namespace weft::cuda_hip
