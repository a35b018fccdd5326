#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda_hip/api.h"
#include "core/src/runtime/patience.h"

namespace weft::cuda_hip {

/// A vendor's stream with what is known of the work in it. Shared by the Stream that gives it work and by what waits
/// for that work, which may outlive the Stream. Thread-safe. Wants the context to be current, but for its end.
class Queue {
 public:
  /// Makes a stream of its own.
  Queue(std::shared_ptr<const Api> api, ContextHandle context);
  /// Around a host application's stream, which stays the application's.
  Queue(std::shared_ptr<const Api> api, ContextHandle context, StreamHandle stream);
  ~Queue();
  Queue(const Queue&) = delete;

  StreamHandle handle() const { return handle_; }
  bool owned() const { return owned_; }
  /// Whether all its work is done.
  bool done();
  /// True on a lost device too: it completes nothing more.
  bool idle();

  const std::shared_ptr<core::Patience>& patience() const { return patience_; }

  /// A kernel is about to be launched. Kept for the message of a fault.
  void launching(const std::string& kernel);
  /// Kernels launched since the queue was last seen to be done, the last few of them.
  std::vector<std::string> under_way() const;

 private:
  const std::shared_ptr<const Api> api_;
  const ContextHandle context_;
  const bool owned_;
  const StreamHandle handle_;
  const std::shared_ptr<core::Patience> patience_ = std::make_shared<core::Patience>();
  mutable std::mutex mutex_;
  std::vector<std::string> kernels_;
};

}  // namespace weft::cuda_hip
