#include "backends/cuda_hip/device.h"

#include "backends/cuda_hip/buffer.h"
#include "backends/cuda_hip/kernel.h"
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
    idle = queues_.all_of([](Queue& queue) { return queue.idle(); });
    if (idle) retirement_.drain();
  });
  // Releasing the context would wait forever for work that does not end. It is left to the operating system.
  if (idle && setup_.retained) api().release_context(setup_.ordinal);
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  call([&] { retirement_.collect(); });
  auto memory = std::make_unique<OwnedMemory>(*this);
  memory->allocate(bytes);
  return core::make_here<Buffer>(std::static_pointer_cast<Device>(shared_from_this()), std::move(memory), bytes);
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

void Device::add(const std::shared_ptr<Queue>& queue) {
  queues_.add(queue);
  retirement_.add(queue);
}

Error Device::lost(const Error& error) const {
  std::string names;
  for (const auto& queue : queues_.alive()) {
    for (const std::string& name : queue->running()) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  return Error(ErrorCode::device_lost, error.what() + (names.empty() ? "" : ". Running kernels: " + names));
}

}  // namespace weft::cuda_hip
