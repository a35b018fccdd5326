#pragma once

#include <memory>
#include <string>

#include "backends/cuda_hip/api.h"
#include "backends/cuda_hip/compiler.h"
#include "backends/cuda_hip/queue.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/retirement.h"
#include "core/src/runtime/weak_list.h"

namespace weft::cuda_hip {

/// What a vendor's backend provides to open a device.
struct Setup {
  std::shared_ptr<const Api> api;
  std::shared_ptr<const Compiler> compiler;
  int ordinal = 0;
  ContextHandle context = nullptr;
  bool retained = true;      ///< Whether the context came from retain_context(). If not, a host application owns it.
  std::string architecture;  ///< In the compiler's form.
  uint32_t multiprocessors = 0;
  DeviceInfo info;
};

class Device final : public backend::Device {
 public:
  Device(Setup setup, const DeviceOptions& options);
  ~Device() override;

  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override;
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override;
  std::unique_ptr<backend::Stream> create_stream() override;
  void synchronize(std::chrono::nanoseconds timeout) override;

  const Api& api() const { return *setup_.api; }
  const Setup& setup() const { return setup_; }
  /// The work of this queue counts as using every object of the device.
  void add(const std::shared_ptr<Queue>& queue);
  /// Releases them once all work that queues hold now is done. Needs the context to be current, like
  /// retirement().collect().
  void retire(std::unique_ptr<core::Remains> remains) noexcept { retirement_.retire(std::move(remains)); }
  core::Retirement& retirement() { return retirement_; }

  /// Runs `work` with the device's context current. Adds the names of the running kernels to device_lost errors.
  template <typename Work>
  decltype(auto) call(Work&& work) const {
    try {
      const Current current(api(), setup_.context);
      return work();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::device_lost) throw lost(error);
      throw;
    }
  }

  /// call() for destructors. On a lost device there is nothing to clean up.
  template <typename Work>
  void clean_up(Work&& work) const {
    try {
      call(work);
    } catch (...) {
      // Everything in the context was freed with it. The error may have found no memory for its text.
    }
  }

 private:
  Error lost(const Error& error) const;

  const Setup setup_;
  core::WeakList<Queue> queues_;  ///< Of live streams, and of closed ones whose work is not done.
  core::Retirement retirement_;
};

}  // namespace weft::cuda_hip
