#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "backends/host/worker.h"

namespace weft::host {

/// A team of threads that runs dispatches, one at a time. Its threads start when there is work for them.
class Executor {
 public:
  Executor(std::shared_ptr<StackPool> stacks, uint32_t threads);
  ~Executor();
  Executor(const Executor&) = delete;

  /// Runs the dispatch to its end; the calling thread takes part. Throws the error of a kernel that failed.
  void run(const Dispatch& dispatch);

  /// From any thread: kernels that wait or poll are to stop, since nobody is interested in them any more.
  void cancel() { cancelled_ = true; }

 private:
  struct Helper {
    std::unique_ptr<Worker> worker;
    std::thread thread;
  };

  void help(Worker& worker);

  std::shared_ptr<StackPool> stacks_;
  const uint32_t threads_;
  Worker own_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Helper> helpers_;
  Progress* work_ = nullptr;  ///< What helpers are to join.
  uint32_t wanted_ = 0;       ///< How many more of them.
  uint32_t working_ = 0;
  bool closing_ = false;
};

}  // namespace weft::host
