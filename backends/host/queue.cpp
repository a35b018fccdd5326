#include "backends/host/queue.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include <weft/error.h>

namespace weft::host {

Queue::Queue(std::shared_ptr<StackPool> stacks, uint32_t threads, std::shared_ptr<core::Retirement> retirement)
    : executor_(std::move(stacks), threads),
      retirement_(std::move(retirement)),
      out_of_memory_(std::make_exception_ptr(
          Error(ErrorCode::out_of_memory, "The host ran out of memory while running a command."))) {}

void Queue::start() {
  std::lock_guard lock(mutex_);
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([self = shared_from_this()] { self->work(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::out_of_memory,
                std::string("The system started no thread for a stream: ") + error.what() + ".");
  }
}

void Queue::push(std::list<Batch>&& batches) noexcept {
  std::lock_guard lock(mutex_);
  batches_.splice(batches_.end(), batches);
  changed_.notify_one();
}

void Queue::close(bool wait) {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_one();
  }
  if (!thread_.joinable()) return;
  if (wait) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void Queue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || !batches_.empty(); });
    if (batches_.empty()) return;
    std::list<Batch> next;
    next.splice(next.end(), batches_, batches_.begin());
    lock.unlock();
    execute(next.front());
    lock.lock();
  }
}

std::exception_ptr Queue::failure(const std::exception& other) const {
  try {
    return std::make_exception_ptr(
        Error(ErrorCode::unsupported, std::string("The host device could not run a command: ") + other.what() + "."));
  } catch (const std::bad_alloc&) {
    return out_of_memory_;
  }
}

void Queue::execute(Batch& batch) {
  std::exception_ptr error;
  for (const Point& point : batch.waits) {
    if (auto earlier = point.timeline->wait(point.value)) error = earlier;
  }
  try {
    // After an error the remaining commands are skipped, since their input may be wrong.
    const bool skip = error || timeline_->failed();
    for (auto& command : batch.commands) {
      if (!skip) command(executor_);
    }
  } catch (const Error&) {
    error = std::current_exception();
  } catch (const std::bad_alloc&) {
    error = out_of_memory_;
  } catch (const std::exception& other) {
    error = failure(other);
  }
  const uint64_t value = batch.value;
  // Release what the commands kept alive before anyone learns that the work is done.
  batch = {};
  timeline_->complete(value, error);
  retirement_->collect();
}

}  // namespace weft::host
