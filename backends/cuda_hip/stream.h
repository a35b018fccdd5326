#pragma once

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/staging.h"
#include "core/src/runtime/backend.h"

namespace weft::cuda_hip {

class Event final : public backend::Event {
 public:
  Event(std::shared_ptr<Device> device, std::shared_ptr<Mark> mark)
      : device_(std::move(device)), mark_(std::move(mark)) {}

  bool done() override;
  void wait(std::chrono::nanoseconds timeout) override;
  backend::Device& device() override { return *device_; }
  EventHandle handle() const { return mark_->handle(); }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Mark> mark_;
};

class Timestamp final : public backend::Timestamp {
 public:
  Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Mark> mark)
      : device_(std::move(device)), mark_(std::move(mark)) {}

  backend::Device& device() override { return *device_; }
  double seconds_since(backend::Timestamp& start) override;

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Mark> mark_;
};

/// Gives the vendor's stream each command as it is recorded: work starts at once, and there is nothing to submit. The
/// vendor's stream is in order, so commands of an independent scope are ordered as well.
class Stream final : public backend::Stream {
 public:
  explicit Stream(std::shared_ptr<Device> device);
  /// Around a host application's stream.
  Stream(std::shared_ptr<Device> device, StreamHandle stream);
  ~Stream() override;

  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const Arguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups, const Arguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  void begin_independent() override {}
  void end_independent() override {}

  void upload(const Region& destination, std::span<const std::byte> data) override;
  void download(const Region& source, std::span<std::byte> data) override;
  void submit() override {}
  std::shared_ptr<backend::Event> record() override;
  void wait(const std::shared_ptr<backend::Event>& event) override;
  void synchronize(std::chrono::nanoseconds timeout) override;

  StreamHandle handle() const { return queue_->handle(); }

 private:
  Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue);
  std::shared_ptr<Mark> mark(bool timed);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Queue> queue_;
  /// What copies under way use, which may outlive the stream.
  std::shared_ptr<Staging> uploads_, downloads_;
};

}  // namespace weft::cuda_hip
