#include "backends/host/stream.h"

#include <algorithm>
#include <cstring>

#include "backends/host/buffer.h"
#include "backends/host/event.h"
#include "backends/host/kernel.h"
#include "backends/host/timestamp.h"

namespace weft::host {

namespace {

/// Larger uploads start at once, so that data does not accumulate in memory.
constexpr uint64_t much_data = 64u << 20;

unsigned char* data_of(const Region& region) { return memory_of(region)->data() + region.offset; }

uint64_t now() {
  return uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

Stream::Stream(std::shared_ptr<Device> device) : device_(std::move(device)), queue_(device_->create_queue()) {}

Stream::~Stream() { queue_->close(device_->wait_to_close(*this, queue_->timeline()->patience())); }

backend::Device& Stream::device() { return *device_; }

Batch& Stream::open() {
  if (open_.empty()) {
    queue_->start();
    open_.emplace_back();
  }
  return open_.front();
}

void Stream::add(std::function<void(Executor&)> command) {
  Batch& batch = open();
  batch.commands.push_back(std::move(command));
  if (batch.commands.size() == 1) queue_->timeline()->set_recording();
}

void Stream::dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) {
  auto dispatch = std::make_shared<Dispatch>(static_cast<const Kernel&>(kernel).dispatch(arguments));
  dispatch->groups = groups;
  add([dispatch = std::move(dispatch)](Executor& executor) { executor.run(*dispatch); });
}

void Stream::dispatch_indirect(const backend::Kernel& kernel, const Region& groups,
                               const backend::BoundArguments& arguments) {
  auto dispatch = std::make_shared<Dispatch>(static_cast<const Kernel&>(kernel).dispatch(arguments));
  add([dispatch = std::move(dispatch), memory = memory_of(groups), offset = groups.offset](Executor& executor) {
    uint32_t counts[3];
    std::memcpy(counts, memory->data() + offset, sizeof(counts));
    dispatch->groups = {counts[0], counts[1], counts[2]};
    executor.run(*dispatch);
  });
}

void Stream::copy(const Region& source, const Region& destination) {
  add([from = memory_of(source), to = memory_of(destination), from_offset = source.offset,
       to_offset = destination.offset,
       bytes = source.bytes](Executor&) { std::memcpy(to->data() + to_offset, from->data() + from_offset, bytes); });
}

void Stream::fill(const Region& region, uint32_t word) {
  add([memory = memory_of(region), offset = region.offset, bytes = region.bytes, word](Executor&) {
    std::fill_n(reinterpret_cast<uint32_t*>(memory->data() + offset), bytes / sizeof(word), word);
  });
}

std::shared_ptr<backend::Timestamp> Stream::timestamp() {
  auto timestamp = std::make_shared<Timestamp>(device_);
  add([slot = timestamp->slot()](Executor&) { *slot = now(); });
  return timestamp;
}

void Stream::upload(const Region& destination, std::span<const std::byte> data) {
  auto copied = std::make_shared<std::vector<std::byte>>(data.begin(), data.end());
  add([copied, memory = memory_of(destination), offset = destination.offset](Executor&) {
    std::memcpy(memory->data() + offset, copied->data(), copied->size());
  });
  if (data.size() > much_data) submit();
}

void Stream::download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) {
  synchronize(timeout);
  std::memcpy(data.data(), data_of(source), data.size());
}

void Stream::submit() {
  if (open_.empty() || (open_.front().commands.empty() && open_.front().waits.empty())) return;
  open_.front().value = queue_->timeline()->submit();
  queue_->push(std::move(open_));
}

std::shared_ptr<backend::Event> Stream::record() {
  submit();
  return std::make_shared<Event>(device_, queue_->timeline(), queue_->timeline()->submitted());
}

void Stream::wait(const std::shared_ptr<backend::Event>& event) {
  submit();  // earlier commands do not wait
  open().waits.push_back(static_cast<const Event&>(*event).point());
}

void Stream::finish(std::chrono::nanoseconds timeout) {
  Timeline& timeline = *queue_->timeline();
  try {
    timeline.wait(timeline.submitted(), timeout);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::timeout) timeline.forget_error();
    throw;
  } catch (...) {
    timeline.forget_error();
    throw;
  }
}

void Stream::synchronize(std::chrono::nanoseconds timeout) {
  submit();
  finish(timeout);
}

}  // namespace weft::host
