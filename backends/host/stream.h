#pragma once

#include <list>
#include <memory>

#include "backends/host/device.h"
#include "backends/host/queue.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

class Stream final : public backend::Stream {
 public:
  explicit Stream(std::shared_ptr<Device> device);
  ~Stream() override;

  backend::Device& device() override;
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                         const backend::BoundArguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  // Commands run one after the other, so an independent scope has no effect.
  void begin_independent() override {}
  void end_independent() override {}

  void upload(const Region& destination, std::span<const std::byte> data) override;
  void download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) override;
  void submit() override;
  std::shared_ptr<backend::Event> record() override;
  void wait(const std::shared_ptr<backend::Event>& event) override;
  void synchronize(std::chrono::nanoseconds timeout) override;

 private:
  /// The open batch, which can be submitted without memory.
  Batch& open();
  /// Adds a command to it.
  void add(std::function<void(Executor&)> command);
  /// Waits for all submitted work. Throws the error of a kernel once.
  void finish(std::chrono::nanoseconds timeout);

  std::shared_ptr<Device> device_;
  std::shared_ptr<Queue> queue_;
  std::list<Batch> open_;  ///< None or one.
};

}  // namespace weft::host
