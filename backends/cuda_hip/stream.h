#pragma once

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/mark.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::cuda_hip {

/// Passes each command to the vendor's stream as it is recorded: work starts at once, so submit() does nothing. The
/// vendor's stream is in order, so it orders the commands of an independent scope too.
class Stream final : public core::StagedStream {
 public:
  explicit Stream(std::shared_ptr<Device> device);
  /// Wraps a host application's stream.
  Stream(std::shared_ptr<Device> device, StreamHandle stream);
  ~Stream() override;

  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                         const backend::BoundArguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  void begin_independent() override {}
  void end_independent() override {}

  void submit() override {}
  std::shared_ptr<backend::Event> record() override;
  void wait(const std::shared_ptr<backend::Event>& event) override;
  void synchronize(std::chrono::nanoseconds timeout) override;

  StreamHandle handle() const { return queue_->handle(); }

 private:
  Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue);
  std::unique_ptr<core::StagingSlot> make_slot(uint64_t bytes, core::StagingUse use) override;
  void copy_in(core::StagingSlot& slot, uint64_t offset, const Region& destination) override;
  void copy_out(const Region& source, core::StagingSlot& slot, uint64_t offset) override;
  void finish(core::StagingSlot& slot, std::chrono::nanoseconds timeout) override;
  std::shared_ptr<Mark> mark(bool timed);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Queue> queue_;
  std::unique_ptr<core::Remains> remains_;
};

}  // namespace weft::cuda_hip
