#include "backends/cuda_hip/stream.h"

#include <cstdio>
#include <cstring>
#include <deque>

#include "backends/cuda_hip/buffer.h"
#include "backends/cuda_hip/kernel.h"
#include "backends/cuda_hip/waiting.h"
#include "core/src/runtime/messages.h"

namespace weft::cuda_hip {

bool Event::done() {
  return device_->call([&] { return mark_->done(); });
}

void Event::wait(std::chrono::nanoseconds timeout) {
  device_->call([&] { wait_until([&] { return mark_->done(); }, timeout, device_->info().name, *mark_->patience()); });
}

double Timestamp::seconds_since(backend::Timestamp& start) {
  const Mark& from = *static_cast<Timestamp&>(start).mark_;
  return device_->call([&] {
    if (!from.done() || !mark_->done()) throw core::not_passed();
    return device_->api().seconds_between(from.handle(), mark_->handle());
  });
}

Stream::Stream(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue)
    : device_(std::move(device)),
      queue_(std::move(queue)),
      uploads_(std::make_shared<Staging>(*device_)),
      downloads_(std::make_shared<Staging>(*device_)) {
  device_->retirement().add(queue_);
}

Stream::Stream(std::shared_ptr<Device> device)
    : Stream(device,
             device->call([&] { return std::make_shared<Queue>(device->setup().api, device->setup().context); })) {}

Stream::Stream(std::shared_ptr<Device> device, StreamHandle stream)
    : Stream(device, std::make_shared<Queue>(device->setup().api, device->setup().context, stream)) {}

Stream::~Stream() {
  // Who has waited in vain has been told so, and does not wait for the same again.
  const auto left = queue_->patience()->left(device_->timeout());
  try {
    if (queue_->owned()) synchronize(left);
  } catch (const Error& error) {
    const bool told = error.code() == ErrorCode::timeout && left.count() == 0;
    if (!told) std::fprintf(stderr, "weft: closing a stream: %s\n", error.what());
  }
  // Work that goes on keeps what it uses until it is done. A stream that is another's may be gone by then.
  device_->clean_up([&] {
    device_->retirement().retire([queue = queue_->owned() ? queue_ : nullptr, uploads = std::move(uploads_),
                                  downloads = std::move(downloads_)]() mutable {
      uploads.reset();
      downloads.reset();
      queue.reset();
    });
  });
}

std::shared_ptr<Mark> Stream::mark(bool timed) {
  return device_->call([&] {
    auto mark = std::make_shared<Mark>(device_->setup().api, device_->setup().context, timed);
    mark->record(*queue_);
    return mark;
  });
}

void Stream::dispatch(const backend::Kernel& kernel, Groups groups, const Arguments& arguments) {
  queue_->launching(kernel.name());
  device_->call([&] { static_cast<const Kernel&>(kernel).launch(groups, arguments, handle()); });
}

void Stream::dispatch_indirect(const backend::Kernel& kernel, const Region& groups, const Arguments& arguments) {
  queue_->launching(kernel.name());
  device_->call([&] { static_cast<const Kernel&>(kernel).launch_indirect(groups.address(), arguments, handle()); });
}

void Stream::copy(const Region& source, const Region& destination) {
  device_->call(
      [&] { device_->api().copy_on_device(destination.address(), source.address(), source.bytes, handle()); });
}

void Stream::fill(const Region& region, uint32_t word) {
  device_->call([&] { device_->api().fill(region.address(), word, region.bytes / sizeof(word), handle()); });
}

std::shared_ptr<backend::Timestamp> Stream::timestamp() { return std::make_shared<Timestamp>(device_, mark(true)); }

void Stream::upload(const Region& destination, std::span<const std::byte> data) {
  device_->call([&] {
    for (uint64_t done = 0; done < data.size();) {
      const Staging::Piece piece = uploads_->take(data.size() - done);
      std::memcpy(piece.data, data.data() + done, piece.bytes);
      device_->api().copy_to_device(destination.address() + done, piece.data, piece.bytes, handle());
      piece.used->record(*queue_);
      done += piece.bytes;
    }
  });
}

void Stream::download(const Region& source, std::span<std::byte> data) {
  struct Pending {
    Staging::Piece piece;
    uint64_t done;
  };
  device_->call([&] {
    std::deque<Pending> pending;
    const auto finish_oldest = [&] {
      const auto& [piece, done] = pending.front();
      wait_until([&] { return piece.used->done(); }, device_->timeout(), device_->info().name, *queue_->patience());
      std::memcpy(data.data() + done, piece.data, piece.bytes);
      pending.pop_front();
    };
    for (uint64_t done = 0; done < data.size();) {
      // A slot is taken again only after what it held has been copied out.
      if (pending.size() == Staging::slot_count - 1) finish_oldest();
      const Staging::Piece piece = downloads_->take(data.size() - done);
      device_->api().copy_to_host(piece.data, source.address() + done, piece.bytes, handle());
      piece.used->record(*queue_);
      pending.push_back({piece, done});
      done += piece.bytes;
    }
    while (!pending.empty()) finish_oldest();
    device_->retirement().collect();
  });
}

std::shared_ptr<backend::Event> Stream::record() { return std::make_shared<Event>(device_, mark(false)); }

void Stream::wait(const std::shared_ptr<backend::Event>& event) {
  device_->call([&] { device_->api().wait(handle(), static_cast<const Event&>(*event).handle()); });
}

void Stream::synchronize(std::chrono::nanoseconds timeout) {
  device_->call([&] {
    wait_until([&] { return queue_->done(); }, timeout, device_->info().name, *queue_->patience());
    device_->retirement().collect();
  });
}

}  // namespace weft::cuda_hip
