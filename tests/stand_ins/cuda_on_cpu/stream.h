#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace weft::test::cuda_on_cpu {

class Context;

/// A point in a stream's work, referred to by a recorded event. Thread-safe.
class Moment {
 public:
  using Clock = std::chrono::steady_clock;

  void pass();
  bool passed() const;
  void wait() const;
  Clock::time_point time() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool passed_ = false;
  Clock::time_point time_;
};

/// Runs its work in order, on its own thread. Work that remains when it is destroyed still runs. Thread-safe.
class Stream {
 public:
  explicit Stream(std::shared_ptr<Context> context);
  ~Stream();
  Stream(const Stream&) = delete;

  const std::shared_ptr<Context>& context() const { return context_; }

  /// Skipped if the context has failed by then.
  void push(std::function<void()> work);
  /// Runs in any case.
  void push(std::shared_ptr<Moment> moment);
  bool idle() const;
  /// Waits until it is idle.
  void drain() const;

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state, const std::shared_ptr<Context>& context);

  std::shared_ptr<Context> context_;
  std::shared_ptr<State> state_;
};

}  // namespace weft::test::cuda_on_cpu
