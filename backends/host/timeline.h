#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "core/src/runtime/patience.h"

namespace weft::host {

/// How far a stream is: it counts the stream's submissions, and reaches a value when that one is done. Thread-safe.
class Timeline {
 public:
  bool done(uint64_t value) const;
  /// Throws timeout when `value` is not reached in time, and the error of a kernel that failed on the way to it.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;
  /// Without a time limit; returns that error instead.
  std::exception_ptr wait(uint64_t value) const;

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const;
  /// The value that covers all work that is submitted or being recorded now.
  uint64_t last_use() const;
  bool idle() const;
  /// The next submission is being recorded: it may use whatever there is now.
  void set_recording();
  /// Counts a submission and returns its value.
  uint64_t submit();

  /// The stream's thread says: submission `value` is done, and how it ended. Work after an error is left undone until
  /// the error has been reported.
  void complete(uint64_t value, std::exception_ptr error);
  bool failed() const;
  /// The error has reached the stream's owner: work goes on.
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
