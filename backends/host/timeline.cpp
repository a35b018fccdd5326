#include "backends/host/timeline.h"

#include <algorithm>
#include <utility>

#include <weft/error.h>

#include "core/src/runtime/messages.h"

namespace weft::host {

bool Timeline::done(uint64_t value) const {
  std::lock_guard lock(mutex_);
  return completed_ >= value;
}

void Timeline::wait(uint64_t value, std::chrono::nanoseconds timeout) const {
  // The sum with the current time must not overflow.
  const auto limit = std::min<std::chrono::nanoseconds>(timeout, std::chrono::hours(24 * 365));
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, limit, [&] { return completed_ >= value; })) {
    patience_.lose(timeout);
    throw core::timed_out("the host device", timeout);
  }
  patience_.renew();
  if (const auto error = error_at(value)) std::rethrow_exception(error);
}

std::exception_ptr Timeline::wait(uint64_t value) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return completed_ >= value; });
  return error_at(value);
}

uint64_t Timeline::submitted() const {
  std::lock_guard lock(mutex_);
  return submitted_;
}

bool Timeline::idle() const {
  std::lock_guard lock(mutex_);
  return completed_ >= recorded_;
}

void Timeline::mark(size_t mark) noexcept {
  std::lock_guard lock(mutex_);
  marked_[mark] = recorded_;
}

bool Timeline::is_marked(size_t mark) noexcept {
  std::lock_guard lock(mutex_);
  return marked_[mark] == recorded_;
}

bool Timeline::passed(size_t mark) noexcept {
  std::lock_guard lock(mutex_);
  return completed_ >= marked_[mark];
}

void Timeline::set_recording() {
  std::lock_guard lock(mutex_);
  recorded_ = submitted_ + 1;
}

uint64_t Timeline::submit() noexcept {
  std::lock_guard lock(mutex_);
  recorded_ = ++submitted_;
  return submitted_;
}

void Timeline::complete(uint64_t value, std::exception_ptr error) {
  {
    std::lock_guard lock(mutex_);
    completed_ = value;
    if (error && !error_) {
      error_ = std::move(error);
      failed_at_ = value;
    }
  }
  changed_.notify_all();
}

bool Timeline::failed() const {
  std::lock_guard lock(mutex_);
  return error_ != nullptr;
}

void Timeline::forget_error() {
  std::lock_guard lock(mutex_);
  error_ = nullptr;
}

}  // namespace weft::host
