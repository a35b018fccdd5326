#include <string>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/arena.h"
#include "backends/vulkan/owned_device.h"
#include "backends/vulkan/public_device.h"

namespace weft::vulkan {

Access first_access() {
  return {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_SHADER_READ_BIT |
              VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
}

Access last_access() {
  return {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
}

struct RecordingArena::Impl {
  Impl(std::shared_ptr<vulkan::Device> device, uint64_t scratch_bytes) : arena(std::move(device), scratch_bytes) {}
  Arena arena;
};

RecordingArena::RecordingArena(const weft::Device& device, uint64_t scratch_bytes)
    : impl_(std::make_unique<Impl>(vulkan_device(device, "RecordingArena"), scratch_bytes)) {
  const std::shared_ptr<Device>& owner = impl_->arena.device();
  if (dynamic_cast<OwnedDevice*>(owner.get())) owner->built_in().prepare();
}
RecordingArena::RecordingArena(RecordingArena&&) noexcept = default;
RecordingArena& RecordingArena::operator=(RecordingArena&&) noexcept = default;
RecordingArena::~RecordingArena() = default;

namespace {

[[noreturn]] void throw_moved_from(const char* what) {
  throw Error(ErrorCode::invalid_argument,
              std::string(what) + ": the arena was moved from; use the one that it was moved to");
}

}  // namespace

Recording RecordingArena::record(VkCommandBuffer commands, uint64_t frame, Opening opening) {
  if (!impl_) throw_moved_from("RecordingArena::record");
  if (!commands) throw Error(ErrorCode::invalid_argument, "RecordingArena::record: the command buffer is null");
  ArenaFrame& memory = impl_->arena.begin(frame);
  return Recording(
      std::make_unique<HostRecorder>(*impl_->arena.device(), memory, commands, opening == Opening::barrier));
}

void RecordingArena::finished(uint64_t frame) {
  if (!impl_) throw_moved_from("RecordingArena::finished");
  impl_->arena.finished(frame);
}

Recording::Recording(std::unique_ptr<backend::Recorder> impl) : Recorder(*impl), recorder_(std::move(impl)) {}
Recording::~Recording() = default;

Region Recording::scratch(uint64_t bytes) { return static_cast<HostRecorder&>(*recorder_).scratch(bytes); }

}  // namespace weft::vulkan
