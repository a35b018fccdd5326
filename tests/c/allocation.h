#pragma once

#include <cstdint>

namespace weft::test {

/// While one exists, allocations by operator new fail, after the first `allowed`: on this thread, or on all others.
class FailingAllocations {
 public:
  enum class On { this_thread, other_threads };

  explicit FailingAllocations(int64_t allowed, On on = On::this_thread);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;

  /// Whether one has failed.
  bool failed() const;

 private:
  const On on_;
};

}  // namespace weft::test
