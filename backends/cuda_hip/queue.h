#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/cuda_hip/api.h"
#include "core/src/runtime/patience.h"

namespace weft::cuda_hip {

/// A vendor's stream and the state of its work. Shared by the Stream that records work and by everything that waits for
/// it, which may outlive the Stream. Thread-safe. Needs the context to be current, except in the destructor.
class Queue {
 public:
  /// Creates a stream.
  Queue(std::shared_ptr<const Api> api, ContextHandle context);
  /// Wraps a stream that a host application owns.
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

  /// Notes that a kernel is about to be launched, for error messages.
  void launching(const std::string& kernel);
  /// The last few kernels launched since the queue was last seen idle.
  std::vector<std::string> running() const;

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
