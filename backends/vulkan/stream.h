#pragma once

#include <vector>

#include "backends/vulkan/command_writer.h"
#include "backends/vulkan/staging.h"

namespace weft::vulkan {

class Event final : public backend::Event {
 public:
  Event(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value)
      : device_(std::move(device)), timeline_(std::move(timeline)), value_(value) {}

  bool done() override { return timeline_->completed() >= value_; }
  void wait(std::chrono::nanoseconds timeout) override { timeline_->wait(value_, timeout); }
  backend::Device& device() override { return *device_; }
  VkSemaphore semaphore() const { return timeline_->semaphore(); }
  uint64_t value() const { return value_; }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  uint64_t value_;
};

class Stream final : public backend::Stream {
 public:
  explicit Stream(std::shared_ptr<Device> device);
  ~Stream() override;

  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const Arguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups, const Arguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  void begin_independent() override { writer().begin_independent(); }
  void end_independent() override { writer().end_independent(); }

  void upload(const Region& destination, std::span<const std::byte> data) override;
  void download(const Region& source, std::span<std::byte> data) override;
  void submit() override;
  std::shared_ptr<backend::Event> record() override;
  void wait(const std::shared_ptr<backend::Event>& event) override;
  void synchronize(std::chrono::nanoseconds timeout) override;

 private:
  /// A command buffer and what lives as long as its commands.
  struct Batch {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    std::unique_ptr<DescriptorArena> descriptors;
    uint64_t value = 0;  ///< The submission that it is, or was.
  };

  /// What the stream's submitted commands use, which may outlive the stream.
  struct Resources {
    explicit Resources(Device& device);
    ~Resources();
    Resources(const Resources&) = delete;

    Device& device;
    VkCommandPool pool = VK_NULL_HANDLE;
    std::vector<Batch> batches;  ///< Submitted ones, oldest first; done ones are taken again.
    Staging uploads, downloads;
  };

  /// The writer of the open batch, which is begun when there is none.
  CommandWriter& writer();
  Batch take_batch();
  Staging::Piece take_piece(Staging& staging, uint64_t bytes);

  std::shared_ptr<Device> device_;
  Queue& queue_;
  std::shared_ptr<Timeline> timeline_;
  std::shared_ptr<Resources> resources_;
  std::unique_ptr<Batch> open_;
  std::vector<std::shared_ptr<Event>> waits_;  ///< What the open batch waits for.
  CommandWriter writer_;
};

}  // namespace weft::vulkan
