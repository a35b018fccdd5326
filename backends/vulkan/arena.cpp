#include "backends/vulkan/arena.h"

#include <algorithm>
#include <limits>
#include <string>

#include <weft/device.h>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/kernel.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

namespace {

constexpr uint64_t alignment = 256, smallest_block = 64 * 1024;

/// Throws invalid_argument for what is no frame. 64 bits hold a difference below zero as a number near 2^64.
void check_frame(const char* what, uint64_t frame) {
  if (frame <= Frames::highest) return;
  core::invalid(what, "frame " + std::to_string(frame) + " is " + std::to_string(int64_t(frame)) +
                          " as a signed number; frames are numbered from 0 to 2^63 - 1. In the first frames, frame - "
                          "frames_in_flight is "
                          "below zero: no frame is finished yet");
}

uint64_t first_aligned(const backend::Buffer& buffer, uint64_t offset) {
  const uint64_t address = buffer.address() + offset;
  return offset + (address + alignment - 1) / alignment * alignment - address;
}

}  // namespace

ArenaFrame::ArenaFrame(Device& device, uint64_t scratch_bytes) : device_(device), descriptors_(device) {
  if (scratch_bytes) add_block(scratch_bytes);
}

ArenaFrame::Block& ArenaFrame::add_block(uint64_t bytes) {
  // device.buffer() refuses what would overflow.
  const bool overflows = bytes > std::numeric_limits<uint64_t>::max() - alignment;
  const uint64_t room = overflows ? bytes : std::max(bytes + alignment, smallest_block);
  const weft::Device device(device_.shared_from_this());
  return blocks_.emplace_back(Block{device.buffer<std::byte>(room).shared_impl(), 0});
}

Region ArenaFrame::scratch(uint64_t bytes) {
  if (bytes == 0) return {};
  auto block = std::ranges::find_if(blocks_, [&](const Block& b) {
    const uint64_t start = first_aligned(*b.buffer, b.used);
    return start <= b.buffer->bytes() && bytes <= b.buffer->bytes() - start;
  });
  Block& taken = block == blocks_.end() ? add_block(bytes) : *block;
  const uint64_t start = first_aligned(*taken.buffer, taken.used);
  taken.used = start + bytes;
  return {taken.buffer.get(), start, bytes};
}

void ArenaFrame::reset() {
  descriptors_.reset();
  for (Block& block : blocks_) block.used = 0;
}

Arena::Arena(std::shared_ptr<Device> device, uint64_t scratch_bytes)
    : device_(std::move(device)), scratch_bytes_(scratch_bytes) {
  for (size_t i = 0; i < frames_ahead; ++i) free_.push_back(std::make_unique<ArenaFrame>(*device_, scratch_bytes_));
  device_->add(frames_);
}

Arena::~Arena() {
  frames_->set_all_done();
  in_flight_.clear();
  free_.clear();
  device_->retirement().collect();
}

ArenaFrame& Arena::begin(uint64_t frame) {
  check_frame("RecordingArena::record", frame);
  const uint64_t count = Frames::counted(frame);
  if (count < frames_->last_use()) {
    core::invalid("RecordingArena::record", "frame " + std::to_string(frame) + " comes before frame " +
                                                std::to_string(frames_->last_use() - 1) +
                                                ", which was recorded already");
  }
  if (frames_->reached(count)) {
    core::invalid("RecordingArena::record", "frame " + std::to_string(frame) + " is finished, since finished(" +
                                                std::to_string(frames_->finished() - 1) +
                                                ") was called; number the next one higher");
  }
  if (in_flight_.empty() || in_flight_.back()->number != frame) {
    std::unique_ptr<ArenaFrame> next;
    if (free_.empty()) {
      next = std::make_unique<ArenaFrame>(*device_, scratch_bytes_);
    } else {
      next = std::move(free_.front());
      free_.pop_front();
    }
    next->number = frame;
    in_flight_.push_back(std::move(next));
    frames_->set_recording(count);
  }
  return *in_flight_.back();
}

void Arena::finished(uint64_t frame) {
  check_frame("RecordingArena::finished", frame);
  const uint64_t count = Frames::counted(frame);
  if (frames_->reached(count)) return;
  frames_->set_finished(count);
  while (!in_flight_.empty() && in_flight_.front()->number <= frame) {
    in_flight_.front()->reset();
    free_.push_back(std::move(in_flight_.front()));
    in_flight_.pop_front();
  }
  device_->retirement().collect();
}

HostRecorder::HostRecorder(Device& device, ArenaFrame& frame, VkCommandBuffer commands, bool opening_barrier)
    : device_(device), frame_(frame), commands_(commands), writer_(device) {
  device_.debug().begin_label(commands_, "weft");
  writer_.begin(commands, frame_.descriptors(), opening_barrier);
}

HostRecorder::~HostRecorder() { device_.debug().end_label(commands_); }

void HostRecorder::require_prepared(const char* what) const {
  if (device_.built_in().ready()) return;
  core::invalid(
      std::string(what) +
      " would compile a kernel while it is recorded; call vulkan::prepare() with the device when your program loads");
}

void HostRecorder::dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) {
  writer_.dispatch(static_cast<const Kernel&>(kernel), groups, arguments);
}

void HostRecorder::dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                                     const backend::BoundArguments& arguments) {
  writer_.dispatch_indirect(static_cast<const Kernel&>(kernel), groups, arguments);
}

void HostRecorder::copy(const Region& source, const Region& destination) {
  require_prepared("A copy");
  writer_.copy(source, destination);
}

void HostRecorder::fill(const Region& region, uint32_t word) {
  require_prepared("A fill");
  writer_.fill(region, word);
}

std::shared_ptr<backend::Timestamp> HostRecorder::timestamp() {
  throw Error(ErrorCode::unsupported,
              "a Recording takes no timestamps, because its command buffer may be submitted again; write them with "
              "vkCmdWriteTimestamp before and after it");
}

}  // namespace weft::vulkan
