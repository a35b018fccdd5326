#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/cuda_hip/queue.h"

namespace weft::cuda_hip {

/// Puts the destruction of objects off until the work that may use them is done. Thread-safe. Wants the device's
/// context to be current.
class Retirement {
 public:
  Retirement(std::shared_ptr<const Api> api, ContextHandle context) : api_(std::move(api)), context_(context) {}

  void add(const std::shared_ptr<Queue>& queue);
  /// The queues of streams that live, and of those that died with work on its way.
  std::vector<std::shared_ptr<Queue>> queues();

  /// Runs `destroy` once everything that any queue holds now is done; at once when nothing is under way.
  void retire(std::function<void()> destroy);
  /// Runs what is due.
  void collect();
  /// Whether every queue's work is done, or never will be because the device is lost.
  bool idle();
  /// Runs everything: the device is idle and about to go.
  void drain();

 private:
  struct Entry {
    std::vector<std::shared_ptr<Mark>> uses;
    std::function<void()> destroy;
  };

  const std::shared_ptr<const Api> api_;
  const ContextHandle context_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<Queue>> queues_;
  std::vector<Entry> entries_;
};

}  // namespace weft::cuda_hip
