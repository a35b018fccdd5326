#pragma once

#include <optional>
#include <vector>

#include "backends/vulkan/command_writer.h"
#include "backends/vulkan/event.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::vulkan {

class Stream final : public core::StagedStream {
 public:
  Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue);
  ~Stream() override;

  backend::Device& device() override { return *device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                         const backend::BoundArguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  void begin_independent() override { writer_.begin_independent(); }
  void end_independent() override { writer_.end_independent(); }

  void submit() override;
  std::shared_ptr<backend::Event> record() override;
  void wait(const std::shared_ptr<backend::Event>& event) override;
  void synchronize(std::chrono::nanoseconds timeout) override;

  /// Work recorded from now on starts after `point`, a value of the host's semaphore.
  void wait(const SemaphoreValue& point);
  /// Submits, and signals `point` when that work is done.
  void signal(const SemaphoreValue& point);

 private:
  std::unique_ptr<core::StagingSlot> make_slot(uint64_t bytes, core::StagingUse use) override;
  void copy_in(core::StagingSlot& slot, uint64_t offset, const Region& destination) override;
  void copy_out(const Region& source, core::StagingSlot& slot, uint64_t offset) override;
  void finish(core::StagingSlot& slot, std::chrono::nanoseconds timeout) override;

  /// A command buffer and the descriptor sets of its commands.
  struct Batch {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    std::unique_ptr<DescriptorArena> descriptors;
    uint64_t value = 0;  ///< Number of its submission.
    bool ended = false;  ///< Waits to be submitted again: the last attempt failed.
  };

  struct Wait {
    SemaphoreValue point;
    std::shared_ptr<Event> event;  ///< Keeps the semaphore alive; null for the host's.
  };

  /// Resources of the submitted commands, which may outlive the stream.
  struct Resources final : core::Remains {
    Resources(Device& device, uint32_t family, std::shared_ptr<Timeline> timeline);
    ~Resources() override;

    Device& device;
    std::shared_ptr<Timeline> timeline;
    VkCommandPool pool = VK_NULL_HANDLE;
    std::vector<Batch> batches;     ///< Submitted, oldest first. Finished ones are reused.
    std::shared_ptr<void> staging;  ///< Of a stream that was destroyed.
  };

  /// Returns the writer of the open batch; begins a batch if none is open. Submits an ended one first. Submitting it
  /// later needs no memory.
  CommandWriter& writer();
  Batch take_batch();
  /// Ends the commands of the open batch. If that fails, they are lost, and the command buffer is used again.
  void end_batch();

  std::shared_ptr<Device> device_;
  std::shared_ptr<Queue> queue_;
  std::shared_ptr<Timeline> timeline_;
  std::unique_ptr<Resources> resources_;
  std::optional<Batch> open_;
  std::vector<Wait> waits_;              ///< Of the open batch.
  std::vector<SemaphoreValue> signals_;  ///< Of the open batch, beside the stream's timeline.
  CommandWriter writer_;
};

}  // namespace weft::vulkan
