#include "backends/host/windows/context.h"

#include <weft/error.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Warray-bounds"  // GetCurrentFiber() of mingw-w64, which reads from a segment
#endif
#include "core/src/platform/windows/system.h"

namespace weft::host {

FiberThread::FiberThread() {
  if (IsThreadAFiber()) return;
  if (!ConvertThreadToFiberEx(nullptr, FIBER_FLAG_FLOAT_SWITCH)) {
    throw Error(ErrorCode::out_of_memory, "The system has no memory left to run fibers on a thread.");
  }
  is_ours_ = true;
}

FiberThread::~FiberThread() {
  if (is_ours_) ConvertFiberToThread();
}

Context::~Context() {
  if (is_started_) DeleteFiber(fiber_);
}

void Context::create(size_t stack_bytes) {
  const auto entry = [](void* context) { static_cast<Context*>(context)->run(); };
  fiber_ = CreateFiberEx(0, stack_bytes, FIBER_FLAG_FLOAT_SWITCH, entry, this);
  if (!fiber_) {
    throw Error(ErrorCode::out_of_memory, "The system has no memory left for stacks of invocations.");
  }
  is_started_ = true;
}

// A fiber whose function returns would end its thread.
void Context::run() {
  body_();
  SwitchToFiber(came_from_->fiber_);
}

void Context::hand_over(Context& to) {
  if (!is_started_) fiber_ = GetCurrentFiber();  // the thread may be another than last time
  to.came_from_ = this;
  SwitchToFiber(to.fiber_);
}

}  // namespace weft::host
