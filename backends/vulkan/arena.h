#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "backends/vulkan/command_writer.h"
#include "backends/vulkan/descriptors.h"
#include "backends/vulkan/frames.h"

namespace weft::vulkan {

/// Resources of one frame's commands, in use until the host says that the frame is finished.
class ArenaFrame {
 public:
  /// Allocates this much scratch memory in advance.
  ArenaFrame(Device& device, uint64_t scratch_bytes);

  DescriptorArena& descriptors() { return descriptors_; }
  /// Memory for one caller within this frame, 256-byte aligned.
  Region scratch(uint64_t bytes);
  /// No command of the frame still runs.
  void reset();

  uint64_t number = 0;

 private:
  struct Block {
    std::shared_ptr<backend::Buffer> buffer;
    uint64_t used = 0;
  };
  Block& add_block(uint64_t bytes);

  Device& device_;
  DescriptorArena descriptors_;
  std::vector<Block> blocks_;
};

/// The frames in flight of one thread that records.
class Arena {
 public:
  Arena(std::shared_ptr<Device> device, uint64_t scratch_bytes);
  /// Nothing that was recorded still runs.
  ~Arena();
  Arena(const Arena&) = delete;

  const std::shared_ptr<Device>& device() const { return device_; }
  /// Throws invalid_argument for a frame that is finished, older than the last one or above Frames::highest.
  ArenaFrame& begin(uint64_t frame);
  /// Throws invalid_argument for a frame above Frames::highest.
  void finished(uint64_t frame);

 private:
  /// Frames allocated in advance: engines have up to three in flight.
  static constexpr size_t frames_ahead = 3;

  std::shared_ptr<Device> device_;
  uint64_t scratch_bytes_;
  std::shared_ptr<Frames> frames_ = std::make_shared<Frames>();
  std::deque<std::unique_ptr<ArenaFrame>> in_flight_, free_;
};

/// Records into the host's command buffer.
class HostRecorder final : public backend::Recorder {
 public:
  HostRecorder(Device& device, ArenaFrame& frame, VkCommandBuffer commands, bool opening_barrier);
  ~HostRecorder() override;

  backend::Device& device() override { return device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) override;
  void dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                         const backend::BoundArguments& arguments) override;
  void copy(const Region& source, const Region& destination) override;
  void fill(const Region& region, uint32_t word) override;
  std::shared_ptr<backend::Timestamp> timestamp() override;
  void begin_independent() override { writer_.begin_independent(); }
  void end_independent() override { writer_.end_independent(); }

  Region scratch(uint64_t bytes) { return frame_.scratch(bytes); }

 private:
  /// Throws invalid_argument if `what` would compile a kernel.
  void require_prepared(const char* what) const;

  Device& device_;
  ArenaFrame& frame_;
  VkCommandBuffer commands_;
  CommandWriter writer_;
};

}  // namespace weft::vulkan
