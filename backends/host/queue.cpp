#include "backends/host/queue.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include <weft/error.h>

namespace weft::host {

void Queue::push(Batch batch) {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([self = shared_from_this()] { self->work(); });
  batches_.push_back(std::move(batch));
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
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    lock.unlock();
    execute(batch);
    lock.lock();
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
    error =
        std::make_exception_ptr(Error(ErrorCode::out_of_memory, "The host ran out of memory while running a command."));
  } catch (const std::exception& other) {
    error = std::make_exception_ptr(
        Error(ErrorCode::unsupported, std::string("The host device could not run a command: ") + other.what() + "."));
  }
  const uint64_t value = batch.value;
  // Release what the commands kept alive before anyone learns that the work is done.
  batch = {};
  timeline_->complete(value, error);
  retirement_->collect();
}

}  // namespace weft::host
