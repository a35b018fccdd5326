#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace weft::core {

/// Time that waits on a stream have spent in vain, so that closing it waits only for the rest of the time-out.
/// Thread-safe.
class Patience {
 public:
  /// A wait ended: lose() after `timeout` in vain, renew() with the work done.
  void lose(std::chrono::nanoseconds timeout) { lost_ = std::max(lost_.load(), timeout); }
  void renew() { lost_ = std::chrono::nanoseconds(0); }

  std::chrono::nanoseconds left(std::chrono::nanoseconds timeout) const {
    return std::max(timeout - lost_.load(), std::chrono::nanoseconds(0));
  }

 private:
  std::atomic<std::chrono::nanoseconds> lost_{std::chrono::nanoseconds(0)};
};

}  // namespace weft::core
