#pragma once

#include <cstdint>

namespace weft::test {

/// While one exists, allocations by operator new on this thread fail, after the first `allowed`.
class FailingAllocations {
 public:
  explicit FailingAllocations(int64_t allowed);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;

  /// Whether one has failed.
  bool failed() const;
};

}  // namespace weft::test
