#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda_hip/api.h"
#include "core/src/runtime/patience.h"
#include "core/src/runtime/retirement.h"

namespace weft::cuda_hip {

/// A vendor's stream and the state of its work. Shared by the Stream that records work and by everything that waits for
/// it, which may outlive the Stream. Thread-safe. Needs the context to be current, except in the destructor.
class Queue final : public core::Work {
 public:
  /// Creates a stream.
  Queue(std::shared_ptr<const Api> api, ContextHandle context);
  /// Wraps a stream that a host application owns.
  Queue(std::shared_ptr<const Api> api, ContextHandle context, StreamHandle stream);
  ~Queue() override;
  Queue(const Queue&) = delete;

  StreamHandle handle() const { return handle_; }
  bool owned() const { return owned_; }
  /// Whether all its work is done.
  bool done();
  /// True on a lost device too: it completes nothing more.
  bool idle() noexcept;
  void mark(size_t mark) noexcept override;
  bool is_marked(size_t mark) noexcept override;
  bool passed(size_t mark) noexcept override;
  /// The host application's stream may be gone from now on. Its work so far counts until it is done.
  void close() noexcept;

  const std::shared_ptr<core::Patience>& patience() const { return patience_; }

  /// Notes that a kernel is about to be launched, for error messages.
  void launching(const std::string& kernel);
  /// The last few kernels launched since the queue was last seen idle.
  std::vector<std::string> running() const;

 private:
  /// A point that work has reached or not, or that could not be recorded.
  struct Mark {
    EventHandle event = nullptr;  ///< Made ahead, because marking needs no memory.
    enum { passed, pending, failed } state = passed;
  };

  Queue(std::shared_ptr<const Api> api, ContextHandle context, bool owned);
  void make_events();
  // These need the lock.
  bool done_now();
  void set(Mark& mark) noexcept;
  bool passed(Mark& mark) noexcept;

  const std::shared_ptr<const Api> api_;
  const ContextHandle context_;
  const bool owned_;
  StreamHandle handle_ = nullptr;
  const std::shared_ptr<core::Patience> patience_ = std::make_shared<core::Patience>();
  mutable std::mutex mutex_;
  bool closed_ = false;
  std::array<Mark, marks> marks_;
  Mark end_;  ///< Of a closed queue.
  std::vector<std::string> kernels_;
};

}  // namespace weft::cuda_hip
