#include "backends/host/executor.h"

#include <algorithm>

namespace weft::host {

Executor::Executor(std::shared_ptr<StackPool> stacks, uint32_t threads)
    : stacks_(std::move(stacks)), threads_(threads), own_(*stacks_) {}

Executor::~Executor() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  called_.notify_all();
  for (Helper& helper : helpers_) helper.thread.join();
}

void Executor::help(Worker& worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    called_.wait(lock, [&] { return closing_ || wanted_ != 0; });
    if (closing_) return;
    --wanted_;
    ++working_;
    Progress& work = *work_;
    const uint32_t others = std::min(wanted_, 2u);
    lock.unlock();
    for (uint32_t i = 0; i < others; ++i) called_.notify_one();
    worker.run(work);
    lock.lock();
    if (--working_ == 0) left_.notify_one();
  }
}

void Executor::run(const Dispatch& dispatch) {
  if (dispatch.workgroups() == 0) return;
  Progress progress(dispatch, cancelled_);
  const auto helpers = uint32_t(std::min<uint64_t>(threads_, dispatch.workgroups()) - 1);
  if (helpers != 0) {
    while (helpers_.size() < helpers) {
      helpers_.push_back({std::make_unique<Worker>(*stacks_), {}});
      Worker& worker = *helpers_.back().worker;
      helpers_.back().thread = std::thread([this, &worker] { help(worker); });
    }
    std::lock_guard lock(mutex_);
    work_ = &progress;
    wanted_ = helpers;
  }
  // Each helper wakes two more. So a small dispatch is over before it has cost this thread more than one call.
  if (helpers != 0) called_.notify_one();
  own_.run(progress);
  if (helpers != 0) {
    std::unique_lock lock(mutex_);
    wanted_ = 0;  // all workgroups are taken, so no further helper is needed
    left_.wait(lock, [&] { return working_ == 0; });
  }
  if (const auto error = progress.error()) std::rethrow_exception(error);
}

}  // namespace weft::host
