#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "core/src/runtime/patience.h"

namespace weft::host {

/// The progress of a stream. It counts the stream's submissions and reaches a value when that submission is done.
/// Thread-safe.
class Timeline {
 public:
  bool done(uint64_t value) const;
  /// Throws timeout if `value` is not reached in time, and the error of a kernel that failed before it.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;
  /// Waits without a time limit. Returns that error instead of throwing it.
  std::exception_ptr wait(uint64_t value) const;

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const;
  /// The value that covers all work that is submitted or being recorded now.
  uint64_t last_use() const;
  bool idle() const;
  /// Notes that the next submission is being recorded: it may use any existing object.
  void set_recording();
  /// Counts a submission and returns its value.
  uint64_t submit();

  /// Called by the stream's thread when submission `value` has ended. After an error, work is skipped until the error
  /// has been reported.
  void complete(uint64_t value, std::exception_ptr error);
  bool failed() const;
  /// Called when the error has been reported: work continues.
  void forget_error();

 private:
  std::exception_ptr error_at(uint64_t value) const { return failed_at_ <= value ? error_ : nullptr; }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable core::Patience patience_;
  uint64_t submitted_ = 0, recorded_ = 0, completed_ = 0, failed_at_ = 0;
  std::exception_ptr error_;
};

}  // namespace weft::host
