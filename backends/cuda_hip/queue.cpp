#include "backends/cuda_hip/queue.h"

#include <algorithm>

namespace weft::cuda_hip {

Queue::Queue(std::shared_ptr<const Api> api, ContextHandle context)
    : api_(std::move(api)), context_(context), owned_(true), handle_(api_->create_stream()) {}

Queue::Queue(std::shared_ptr<const Api> api, ContextHandle context, StreamHandle stream)
    : api_(std::move(api)), context_(context), owned_(false), handle_(stream) {}

Queue::~Queue() {
  if (owned_) clean_up(*api_, context_, [&] { api_->destroy(handle_); });
}

bool Queue::done() {
  if (!api_->done(handle_)) return false;
  std::lock_guard lock(mutex_);
  kernels_.clear();
  return true;
}

bool Queue::idle() {
  try {
    return done();
  } catch (const Error&) {
    return true;
  }
}

void Queue::launching(const std::string& kernel) {
  constexpr size_t kept = 8;
  std::lock_guard lock(mutex_);
  if (std::ranges::find(kernels_, kernel) != kernels_.end()) return;
  if (kernels_.size() == kept) kernels_.erase(kernels_.begin());
  kernels_.push_back(kernel);
}

std::vector<std::string> Queue::running() const {
  std::lock_guard lock(mutex_);
  return kernels_;
}

}  // namespace weft::cuda_hip
