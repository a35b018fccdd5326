#include "backends/host/executor.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <weft/error.h>

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

// Without all of its threads, a dispatch whose workgroups wait for one another might not end.
void Executor::add_helper() {
  helpers_.reserve(helpers_.size() + 1);
  Helper helper{std::make_unique<Worker>(*stacks_), {}};
  try {
    helper.thread = std::thread([this, &worker = *helper.worker] { help(worker); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::out_of_memory,
                std::string("The system started no thread for workgroups: ") + error.what() + ".");
  }
  helpers_.push_back(std::move(helper));
}

void Executor::run(const Dispatch& dispatch) {
  if (dispatch.workgroups() == 0) return;
  Progress progress(dispatch, cancelled_);
  const auto helpers = uint32_t(std::min<uint64_t>(threads_, dispatch.workgroups()) - 1);
  if (helpers != 0) {
    while (helpers_.size() < helpers) add_helper();
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
