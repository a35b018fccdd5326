#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backends/host/compiler.h"
#include "backends/host/context.h"
#include "backends/host/memory.h"
#include "backends/host/queue.h"
#include "backends/host/settings.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

/// Describes this machine's host device with these settings.
DeviceInfo describe(const Settings& settings);

class Device final : public backend::Device {
 public:
  Device(const Settings& settings, const DeviceOptions& options);
  ~Device() override;

  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override;
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override;
  std::unique_ptr<backend::Stream> create_stream() override;
  void synchronize(std::chrono::nanoseconds timeout) override;
  bool compiles_side_by_side() const override { return true; }

  const Settings& settings() const { return settings_; }
  /// Number of threads that run the workgroups of a stream.
  uint32_t threads() const;
  /// The compiler, found on first use. Throws unsupported if there is none.
  const Compiler& compiler();
  std::shared_ptr<Queue> create_queue();
  /// Releases them once all work that is submitted or being recorded now is done.
  void retire(std::unique_ptr<core::Remains> remains) noexcept { retirement_->retire(std::move(remains)); }
  /// The device's buffers in checking mode, otherwise null.
  const std::shared_ptr<MemoryMap>& checked() const { return checked_; }

 private:
  std::vector<std::shared_ptr<Queue>> queues();

  const Settings settings_;
  std::shared_ptr<StackPool> stacks_;
  /// Shared with the queues, which outlive the device if their work does not end.
  std::shared_ptr<core::Retirement> retirement_ = std::make_shared<core::Retirement>();
  std::shared_ptr<MemoryMap> checked_;
  std::mutex mutex_;
  std::unique_ptr<Compiler> compiler_;
  std::vector<std::shared_ptr<Queue>> queues_;  ///< Of live streams, and of closed ones whose work is not done.
};

}  // namespace weft::host
