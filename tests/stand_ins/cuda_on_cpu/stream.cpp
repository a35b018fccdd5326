#include "tests/stand_ins/cuda_on_cpu/stream.h"

#include <deque>
#include <thread>

#include "tests/stand_ins/cuda_on_cpu/driver.h"

namespace weft::test::cuda_on_cpu {

void Moment::pass() {
  std::lock_guard lock(mutex_);
  time_ = Clock::now();
  passed_ = true;
  changed_.notify_all();
}

bool Moment::passed() const {
  std::lock_guard lock(mutex_);
  return passed_;
}

void Moment::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return passed_; });
}

Moment::Clock::time_point Moment::time() const {
  std::lock_guard lock(mutex_);
  return time_;
}

struct Stream::State {
  struct Command {
    std::function<void()> work;
    std::shared_ptr<Moment> moment;
  };

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  std::deque<Command> commands;  ///< The first one is running.
  bool closing = false;

  void push(Command command) {
    std::lock_guard lock(mutex);
    commands.push_back(std::move(command));
    changed.notify_all();
  }
};

Stream::Stream(std::shared_ptr<Context> context) : context_(std::move(context)), state_(std::make_shared<State>()) {
  // Detached: a kernel may never end.
  std::thread([state = state_, context = context_] { work(state, context); }).detach();
}

Stream::~Stream() {
  std::lock_guard lock(state_->mutex);
  state_->closing = true;
  state_->changed.notify_all();
}

void Stream::work(const std::shared_ptr<State>& state, const std::shared_ptr<Context>& context) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&] { return state->closing || !state->commands.empty(); });
    if (state->commands.empty()) return;
    State::Command command = std::move(state->commands.front());
    lock.unlock();
    if (command.work && context->error() == CUDA_SUCCESS) command.work();
    if (command.moment) command.moment->pass();
    command = {};  // releases what it holds before it counts as done
    lock.lock();
    state->commands.pop_front();
    state->changed.notify_all();
  }
}

void Stream::push(std::function<void()> work) { state_->push({std::move(work), nullptr}); }
void Stream::push(std::shared_ptr<Moment> moment) { state_->push({nullptr, std::move(moment)}); }

bool Stream::idle() const {
  std::lock_guard lock(state_->mutex);
  return state_->commands.empty();
}

void Stream::drain() const {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->commands.empty(); });
}

}  // namespace weft::test::cuda_on_cpu
