#include "backends/cuda_hip/queue.h"

#include <algorithm>

namespace weft::cuda_hip {

Queue::Queue(std::shared_ptr<const Api> api, ContextHandle context, bool owned)
    : api_(std::move(api)), context_(context), owned_(owned) {}

Queue::Queue(std::shared_ptr<const Api> api, ContextHandle context) : Queue(std::move(api), context, true) {
  handle_ = api_->create_stream();
  make_events();
}

Queue::Queue(std::shared_ptr<const Api> api, ContextHandle context, StreamHandle stream)
    : Queue(std::move(api), context, false) {
  handle_ = stream;
  end_.event = api_->create_event(false);
  make_events();
}

void Queue::make_events() {
  for (Mark& mark : marks_) mark.event = api_->create_event(false);
}

Queue::~Queue() {
  clean_up(*api_, context_, [&] {
    for (const Mark& mark : marks_) {
      if (mark.event) api_->destroy(mark.event);
    }
    if (end_.event) api_->destroy(end_.event);
    if (owned_ && handle_) api_->destroy(handle_);
  });
}

bool Queue::done_now() {
  if (!(closed_ ? api_->done(end_.event) : api_->done(handle_))) return false;
  kernels_.clear();
  return true;
}

bool Queue::done() {
  std::lock_guard lock(mutex_);
  return done_now();
}

bool Queue::idle() noexcept {
  try {
    return done();
  } catch (...) {
    return true;
  }
}

void Queue::set(Mark& mark) noexcept {
  try {
    mark.state = Mark::failed;
    if (!done_now()) {
      api_->record(mark.event, handle_);
      mark.state = Mark::pending;
    } else {
      mark.state = Mark::passed;
    }
  } catch (const Error& error) {
    // A lost device uses nothing any more.
    if (error.code() == ErrorCode::device_lost) mark.state = Mark::passed;
  } catch (...) {
    // The error found no memory for its text.
  }
}

bool Queue::passed(Mark& mark) noexcept {
  if (mark.state == Mark::failed && !closed_) set(mark);
  try {
    if (mark.state == Mark::pending && api_->done(mark.event)) mark.state = Mark::passed;
  } catch (const Error&) {
    mark.state = Mark::passed;
  } catch (...) {
    // As above.
  }
  return mark.state == Mark::passed;
}

void Queue::mark(size_t mark) noexcept {
  std::lock_guard lock(mutex_);
  if (!closed_) set(marks_[mark]);
}

// The host application may have added work to its stream.
bool Queue::is_marked(size_t) noexcept {
  std::lock_guard lock(mutex_);
  return closed_;
}

bool Queue::passed(size_t mark) noexcept {
  std::lock_guard lock(mutex_);
  return passed(closed_ ? end_ : marks_[mark]);
}

void Queue::close() noexcept {
  std::lock_guard lock(mutex_);
  set(end_);
  closed_ = true;
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
