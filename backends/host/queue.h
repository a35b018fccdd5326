#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "backends/host/executor.h"
#include "backends/host/timeline.h"
#include "core/src/runtime/retirement.h"

namespace weft::host {

/// A point in a stream's work that another stream can wait for.
struct Point {
  std::shared_ptr<Timeline> timeline;
  uint64_t value = 0;
};

/// Recorded commands, with everything they need.
struct Batch {
  std::vector<Point> waits;
  std::vector<std::function<void(Executor&)>> commands;
  uint64_t value = 0;
};

/// A stream's thread, which executes its batches in order. Shared by the stream and the thread, so that the stream can
/// be destroyed while a kernel that never ends occupies the thread.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  /// Collects from `retirement` after each batch.
  Queue(std::shared_ptr<StackPool> stacks, uint32_t threads, std::shared_ptr<core::Retirement> retirement);

  const std::shared_ptr<Timeline>& timeline() const { return timeline_; }
  /// Starts the thread, if it has not started yet. Throws out_of_memory if the system refuses one.
  void start();
  /// Queues the batches, once started. Needs no memory, so that what was counted is queued.
  void push(std::list<Batch>&& batches) noexcept;
  /// Ends the thread once all batches are done. Waits for that if `wait` is set.
  void close(bool wait);
  /// Abandons the results: running kernels end as soon as they wait or poll.
  void cancel() { executor_.cancel(); }

 private:
  void work();
  void execute(Batch& batch);
  std::exception_ptr failure(const std::exception& other) const;

  std::shared_ptr<Timeline> timeline_ = std::make_shared<Timeline>();
  Executor executor_;
  std::shared_ptr<core::Retirement> retirement_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Batch> batches_;
  std::thread thread_;
  bool closing_ = false;
  const std::exception_ptr out_of_memory_;  ///< Made ahead, because there is no memory for it then.
};

}  // namespace weft::host
