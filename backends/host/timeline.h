#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

#include "core/src/runtime/patience.h"
#include "core/src/runtime/retirement.h"

namespace weft::host {

/// The progress of a stream. It counts the stream's submissions and reaches a value when that submission is done.
/// Thread-safe.
class Timeline final : public core::Work {
 public:
  bool done(uint64_t value) const;
  /// Throws timeout if `value` is not reached in time, and the error of a kernel that failed before it.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;
  /// Waits without a time limit. Returns that error instead of throwing it.
  std::exception_ptr wait(uint64_t value) const;

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const;
  bool idle() const;
  void mark(size_t mark) noexcept override;
  bool is_marked(size_t mark) noexcept override;
  bool passed(size_t mark) noexcept override;
  /// Notes that the next submission is being recorded: it may use any existing object.
  void set_recording();
  /// Counts a submission and returns its value. It must then be queued.
  uint64_t submit() noexcept;

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
  std::array<uint64_t, marks> marked_{};
  std::exception_ptr error_;
};

}  // namespace weft::host
