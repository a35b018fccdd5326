#pragma once

#include <memory>

#include "backends/cuda_hip/queue.h"

namespace weft::cuda_hip {

/// A point in a queue's work. Shared by everything that waits for it. Needs the context to be current, except in the
/// destructor.
class Mark {
 public:
  Mark(std::shared_ptr<const Api> api, ContextHandle context, bool timed);
  ~Mark();
  Mark(const Mark&) = delete;

  EventHandle handle() const { return handle_; }
  void record(const Queue& queue);
  bool done() const { return api_->done(handle_); }
  /// Of the queue that the mark was recorded in last.
  const std::shared_ptr<core::Patience>& patience() const { return patience_; }

 private:
  const std::shared_ptr<const Api> api_;
  const ContextHandle context_;
  const EventHandle handle_;
  std::shared_ptr<core::Patience> patience_;
};

}  // namespace weft::cuda_hip
