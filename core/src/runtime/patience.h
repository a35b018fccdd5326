#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace weft::core {

/// How long a stream's owner has waited for it in vain, so that closing it waits for what is left of the time-out and
/// not for all of it again. Thread-safe.
class Patience {
 public:
  /// A wait is over: in vain after `timeout`, or with the work done.
  void lose(std::chrono::nanoseconds timeout) { lost_ = std::max(lost_.load(), timeout); }
  void renew() { lost_ = std::chrono::nanoseconds(0); }

  std::chrono::nanoseconds left(std::chrono::nanoseconds timeout) const {
    return std::max(timeout - lost_.load(), std::chrono::nanoseconds(0));
  }

 private:
  std::atomic<std::chrono::nanoseconds> lost_{std::chrono::nanoseconds(0)};
};

}  // namespace weft::core
