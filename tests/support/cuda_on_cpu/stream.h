#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace weft::test::cuda_on_cpu {

class Context;

/// A point in a stream's work, which an event names when it is recorded. Thread-safe.
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

/// Does its work in order, on a thread of its own. When it goes, the rest of its work is still done. Thread-safe.
class Stream {
 public:
  explicit Stream(std::shared_ptr<Context> context);
  ~Stream();
  Stream(const Stream&) = delete;

  const std::shared_ptr<Context>& context() const { return context_; }

  /// Left out when the context is lost by then.
  void push(std::function<void()> work);
  /// Done in any case.
  void push(std::shared_ptr<Moment> moment);
  bool idle() const;
  /// Returns when it is idle.
  void drain() const;

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state, const std::shared_ptr<Context>& context);

  std::shared_ptr<Context> context_;
  std::shared_ptr<State> state_;
};

}  // namespace weft::test::cuda_on_cpu
