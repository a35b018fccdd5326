#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace weft::core {

/// Whether the work before some point is done: a stream's submissions, or the frames of a host application. Any thread
/// may ask; asking does not wait or throw. Once true, the answer stays true.
using CompletionPoint = std::function<bool()>;

/// Delays the destruction of objects until the work that may use them is done. Thread-safe.
class Retirement {
 public:
  Retirement() = default;
  /// Leaks what drain() has not destroyed, since the device may still use it.
  ~Retirement();
  Retirement(const Retirement&) = delete;

  /// Runs `destroy` once all `points` are reached: now if they are, else in a later collect(). `destroy` must not
  /// throw.
  void retire(std::vector<CompletionPoint> points, std::function<void()> destroy);
  /// Destroys what is due, in the order in which it was retired.
  void collect();
  /// Destroys everything, in the same order. For a device that is idle and about to be destroyed.
  void drain();

 private:
  struct Entry {
    std::vector<CompletionPoint> points;
    std::function<void()> destroy;
  };
  std::mutex mutex_;
  std::unique_ptr<std::vector<Entry>> entries_ = std::make_unique<std::vector<Entry>>();
};

}  // namespace weft::core
