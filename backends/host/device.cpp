#include "backends/host/device.h"

#include <algorithm>
#include <thread>

#include "backends/host/buffer.h"
#include "backends/host/kernel.h"
#include "backends/host/stream.h"
#include "core/src/runtime/process.h"

namespace weft::host {

Device::Device(const Settings& settings, const DeviceOptions& options)
    : backend::Device(describe(settings), options),
      settings_(settings),
      stacks_(std::make_shared<StackPool>(settings.runs_lanes() ? settings.subgroup_size : 1)) {
  if (settings_.check) checked_ = std::make_shared<MemoryMap>();
}

// Streams keep the device alive, so no stream waits for the work that still runs.
Device::~Device() {
  for (const auto& queue : queues_) queue->cancel();
}

std::shared_ptr<backend::Buffer> Device::create_buffer(uint64_t bytes) {
  auto memory = std::make_shared<Memory>(bytes);
  if (checked_) checked_->add(memory);
  return core::make_here<Buffer>(std::static_pointer_cast<Device>(shared_from_this()), std::move(memory));
}

std::shared_ptr<backend::Kernel> Device::create_kernel(const Spirv& module, const KernelOptions& options,
                                                       Reflection reflection) {
  return core::make_here<Kernel>(std::static_pointer_cast<Device>(shared_from_this()), module, options,
                                 std::move(reflection));
}

std::unique_ptr<backend::Stream> Device::create_stream() {
  return std::make_unique<Stream>(std::static_pointer_cast<Device>(shared_from_this()));
}

const Compiler& Device::compiler() {
  std::lock_guard lock(mutex_);
  if (!compiler_) {
    const std::chrono::seconds timeout(settings_.compile_seconds);
    compiler_ = std::make_unique<Compiler>(Compiler::find(options().compiler, timeout, options().messages));
  }
  return *compiler_;
}

uint32_t Device::threads() const {
  // Checking needs a single order of all accesses, so it uses one thread.
  if (settings_.check) return 1;
  return settings_.threads != 0 ? settings_.threads : std::max(1u, std::thread::hardware_concurrency());
}

std::shared_ptr<Queue> Device::create_queue() {
  auto queue = std::make_shared<Queue>(stacks_, threads(), retirement_);
  std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto& old) { return old.use_count() == 1 && old->timeline()->idle(); });
  queues_.push_back(queue);
  retirement_->add(queue->timeline());
  return queue;
}

std::vector<std::shared_ptr<Queue>> Device::queues() {
  std::lock_guard lock(mutex_);
  return queues_;
}

void Device::synchronize(std::chrono::nanoseconds timeout) {
  for (const auto& queue : queues()) queue->timeline()->wait(queue->timeline()->submitted(), timeout);
}

}  // namespace weft::host
