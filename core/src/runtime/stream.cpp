#include <weft/stream.h>

#include <algorithm>
#include <cstring>

#include <weft/device.h>

#include "core/src/runtime/argument_checks.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

// Adds the stream's kernels to the error of a wait that took too long: one of them may never end.
template <typename Wait>
void naming_kernels(backend::Stream& stream, Wait wait) {
  try {
    wait();
  } catch (const Error& error) {
    const std::string names = stream.recent_kernels.text();
    if (error.code() != ErrorCode::timeout || names.empty()) throw;
    throw Error(error.code(), std::string(error.what()) + ", among the stream's last: " + names);
  }
}

constexpr uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

bool Event::done() const {
  if (!impl_) return true;
  impl_->device().require_this_process();
  return impl_->done();
}

void Event::wait() const {
  if (impl_) wait(impl_->device().timeout());
}

void Event::wait(std::chrono::nanoseconds timeout) const {
  if (!impl_) return;
  impl_->device().require_this_process();
  impl_->wait(timeout);
}

double Timestamp::seconds_since(const Timestamp& start) const {
  if (!impl_ || !start.impl_) core::invalid("A Timestamp is empty; create one with Recorder::timestamp().");
  if (&impl_->device() != &start.impl_->device()) {
    core::invalid("The two timestamps belong to different devices, whose clocks are unrelated.");
  }
  return impl_->seconds_since(*start.impl_);
}

void Recorder::dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments) {
  core::check_kernel(kernel, impl_->device());
  core::check_groups(kernel, groups);
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  const backend::BoundArguments bound = core::checked_arguments(kernel.impl(), arguments);
  impl_->recent_kernels.add(kernel.name());
  impl_->dispatch(kernel.impl(), groups, bound);
}

void Recorder::dispatch_indirect(const Kernel& kernel, View<const uint32_t> groups, const Arguments& arguments) {
  core::check_kernel(kernel, impl_->device());
  core::check_region(groups.region(), impl_->device(), "The view of group counts");
  if (groups.bytes() < 3 * sizeof(uint32_t)) {
    core::invalid("dispatch_indirect needs three group counts, x, y and z; the view has " +
                  std::to_string(groups.size()) + ".");
  }
  const Region& counts = groups.region();
  const uint64_t offset = counts.buffer->base_offset() + counts.offset;
  if (offset % sizeof(uint32_t) != 0) {
    core::invalid("The group counts of dispatch_indirect start at offset " + std::to_string(offset) +
                  " of their buffer, which is not a multiple of 4.");
  }
  const backend::BoundArguments bound = core::checked_arguments(kernel.impl(), arguments);
  impl_->recent_kernels.add(kernel.name());
  impl_->dispatch_indirect(kernel.impl(), groups.region().part(0, 3 * sizeof(uint32_t)), bound);
}

void Recorder::copy_region(const Region& source, const Region& destination) {
  if (source.bytes != destination.bytes) {
    core::invalid("The source of the copy has " + std::to_string(source.bytes) + " bytes, its destination " +
                  std::to_string(destination.bytes) + "; both views must have the same size.");
  }
  core::check_region(source, impl_->device(), "The source of the copy");
  core::check_region(destination, impl_->device(), "The destination of the copy");
  if (source.bytes == 0) return;
  // By address: several buffers may wrap the same memory.
  const auto [first, second] = std::minmax({source.address(), destination.address()});
  if (second - first < source.bytes) {
    core::invalid("Source and destination of the copy overlap: they have " + std::to_string(source.bytes) +
                  " bytes and start " + std::to_string(second - first) + " bytes apart.");
  }
  impl_->copy(source, destination);
}

void Recorder::fill_region(const Region& region, std::span<const std::byte> pattern) {
  core::check_region(region, impl_->device(), "The view to fill");
  if (region.bytes == 0) return;
  if (pattern.empty()) core::invalid("A fill needs a value of at least one byte.");
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != pattern[(i + 4) % pattern.size()]) {
      core::invalid("A fill's value must repeat every 4 bytes, as 1-, 2- and 4-byte values do; this one of " +
                    std::to_string(pattern.size()) + " bytes does not. Use a kernel instead.");
    }
  }
  if (region.address() % 4 != 0 || region.bytes % 4 != 0) {
    core::invalid("A fill must start and end at multiples of 4 bytes; this view has " + std::to_string(region.bytes) +
                  " bytes at offset " + std::to_string(region.offset) + " of its buffer.");
  }
  std::array<std::byte, 4> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern[i % pattern.size()];
  uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof(word));
  impl_->fill(region, word);
}

Timestamp Recorder::timestamp() {
  const DeviceInfo& info = impl_->device().info();
  if (info.limits.timestamp_period_ns == 0) {
    throw Error(ErrorCode::unsupported, info.selector + " (" + info.name + ") has no timestamps.");
  }
  return Timestamp(impl_->timestamp());
}

Recorder::Independent::Independent(Recorder& recorder) : recorder_(recorder) {
  if (recorder_.in_independent_) core::invalid("A scope of independent commands is already open; scopes do not nest.");
  recorder_.impl_->begin_independent();
  recorder_.in_independent_ = true;
}

Recorder::Independent::~Independent() {
  recorder_.in_independent_ = false;
  recorder_.impl_->end_independent();
}

Device Recorder::device() const { return Device(impl_->device().shared_from_this()); }

Stream::Stream(std::unique_ptr<backend::Stream> impl)
    : Recorder(*impl), stream_(impl.release(), core::DeleteWhereMade()) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

void Stream::upload_region(const Region& destination, std::span<const std::byte> data) {
  core::check_region(destination, impl_->device(), "The destination of the upload");
  if (data.size() > destination.bytes) {
    core::invalid("An upload of " + std::to_string(data.size()) + " bytes does not fit into a view of " +
                  std::to_string(destination.bytes) + ".");
  }
  if (data.empty()) return;
  naming_kernels(own(), [&] { stream_->upload(destination.part(0, data.size()), data); });
}

void Stream::download_region(const Region& source, std::span<std::byte> data) {
  download_region(source, data, impl_->device().timeout());
}
void Stream::download_region(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) {
  core::check_region(source, impl_->device(), "The source of the download");
  if (data.size() > source.bytes) {
    core::invalid("A download of " + std::to_string(data.size()) + " bytes exceeds the view of " +
                  std::to_string(source.bytes) + " bytes.");
  }
  if (data.empty()) return;
  naming_kernels(own(), [&] { stream_->download(source.part(0, data.size()), data, timeout); });
}

void Stream::submit() { own().submit(); }

Event Stream::record() { return Event(own().record()); }

void Stream::wait(const Event& event) {
  const std::shared_ptr<backend::Event>& point = event.shared_impl();
  if (!point) return;
  if (&point->device() != &impl_->device()) {
    core::invalid("A stream cannot wait for an event of another device; wait on the host with Event::wait().");
  }
  own().wait(point);
}

void Stream::synchronize() { synchronize(impl_->device().timeout()); }
void Stream::synchronize(std::chrono::nanoseconds timeout) {
  naming_kernels(own(), [&] { stream_->synchronize(timeout); });
  stream_->recent_kernels.clear();
}

backend::Stream& Stream::own() {
  stream_->device().require_this_process();
  return *stream_;
}

Region Stream::scratch(uint64_t bytes) {
  constexpr uint64_t alignment = 256, smallest = 64 * 1024;
  if (bytes == 0) return {};
  const auto first_aligned = [&] { return rounded_up(scratch_->address(), alignment) - scratch_->address(); };
  if (!scratch_ || scratch_->bytes() - first_aligned() < bytes) {
    const Device on = device();
    const uint64_t limit = on.info().limits.max_buffer_bytes;
    const uint64_t doubled = scratch_ ? 2 * scratch_->bytes() : smallest;
    // Device::buffer() throws if the limit is exceeded.
    const uint64_t needed = bytes > limit ? bytes : std::min(bytes + alignment, limit);
    scratch_.reset();
    scratch_ = on.buffer<std::byte>(std::max(needed, std::min(doubled, limit))).shared_impl();
  }
  return {scratch_.get(), first_aligned(), bytes};
}

}  // namespace weft
