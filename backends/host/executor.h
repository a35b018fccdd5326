#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "backends/host/worker.h"

namespace weft::host {

/// A team of threads that runs dispatches, one at a time. Helpers start with the first dispatch that has workgroups for
/// them, and stay. A dispatch of one workgroup runs on the calling thread alone.
class Executor {
 public:
  Executor(std::shared_ptr<StackPool> stacks, uint32_t threads);
  ~Executor();
  Executor(const Executor&) = delete;

  /// Runs a dispatch to its end, with the help of the calling thread. Throws the error of a kernel that failed.
  void run(const Dispatch& dispatch);

  /// Stops kernels that wait or poll, since nobody needs their results. Any thread may call this.
  void cancel() { cancelled_ = true; }

 private:
  struct Helper {
    std::unique_ptr<Worker> worker;
    std::thread thread;
  };

  void help(Worker& worker);
  /// Throws out_of_memory if the system refuses a thread.
  void add_helper();

  std::shared_ptr<StackPool> stacks_;
  const uint32_t threads_;
  Worker own_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable called_;  ///< Wakes a helper: it is wanted, or the team closes.
  std::condition_variable left_;    ///< Wakes run(): no helper works any longer.
  std::vector<Helper> helpers_;
  Progress* work_ = nullptr;  ///< The dispatch that helpers join.
  uint32_t wanted_ = 0;       ///< Number of helpers that may still join.
  uint32_t working_ = 0;
  bool closing_ = false;
};

}  // namespace weft::host
