#include "backends/host/worker.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <weft/error.h>

#include "core/src/runtime/running_kernel.h"

namespace weft::host {

Worker::~Worker() {
  closing_ = true;
  try {
    const FiberThread thread;
    for (Fiber* fiber : idle_) main_.hand_over(fiber->context);
  } catch (const Error&) {
    // Without memory for that, the system ends fibers where they wait.
  }
}

void Worker::prepare() {
  dispatch_ = &progress_->dispatch();
  scheduler_.begin(dispatch_->schedule);
  rendezvous_.reset();
  checker_ = dispatch_->checked ? std::make_unique<Checker>(*dispatch_) : nullptr;
  const uint32_t lanes = dispatch_->subgroup_size, step_of_call = dispatch_->code->invocations_per_call();
  const uint32_t invocations = (dispatch_->invocations() + step_of_call - 1) / step_of_call;
  const uint64_t step = (dispatch_->code->workgroup_memory_bytes() + 255) / 256 * 256;
  workgroups_.resize(scheduler_.is_random() ? interleaved_workgroups : 1);
  memory_.resize(step * workgroups_.size() + 256);
  auto* memory = memory_.data() + (256 - reinterpret_cast<uintptr_t>(memory_.data()) % 256);
  for (auto& workgroup : workgroups_) {
    if (!workgroup) workgroup = std::make_unique<Workgroup>();
    workgroup->invocations = invocations;
    workgroup->memory = memory;
    workgroup->subgroups.assign((dispatch_->invocations() + lanes - 1) / lanes, {});
    memory += step;
  }
  workgroup_over_ = false;
}

void Worker::run(Progress& progress) {
  progress_ = &progress;
  const Dispatch& dispatch = progress.dispatch();
  const core::RunningKernel running(dispatch.code->name().c_str(), dispatch.checked != nullptr);
  std::optional<FiberThread> thread;
  stopping_on_error([&] {
    thread.emplace();
    prepare();
  });
  start_workgroups();
  while (std::ranges::any_of(workgroups_, [](const auto& group) { return group && group->running; })) {
    if (Fiber* fiber = next()) {
      main_.hand_over(fiber->context);
    } else if (scheduler_.empty() && !startable()) {
      if (!progress.stopped()) report_deadlock();
      wake_all();
    }
    close_finished();
    start_workgroups();
  }
}

void Worker::start_workgroups() {
  stopping_on_error([&] { take_workgroups(); });
}

void Worker::take_workgroups() {
  if (progress_->stopped()) return;  // prepare() may have failed.
  for (auto& workgroup : workgroups_) {
    if (workgroup->running) continue;
    const auto id = progress_->take_workgroup();
    if (!id) return;
    workgroup->id = *id;
    workgroup->started = workgroup->finished = workgroup->barrier_arrived = 0;
    if (checker_) checker_->begin_workgroup(workgroup->memory);
    if (scheduler_.is_random()) workgroup->order.resize(workgroup->invocations);
    workgroup->running = true;
    if (!scheduler_.is_random()) continue;
    for (uint32_t i = 0; i < workgroup->invocations; ++i) {
      workgroup->order[i] = i;
      std::swap(workgroup->order[i], workgroup->order[scheduler_.draw(i + 1)]);
    }
  }
}

void Worker::close_finished() {
  for (auto& workgroup : workgroups_) {
    const bool all_started = workgroup->started == workgroup->invocations || progress_->stopped();
    if (all_started && workgroup->live() == 0) workgroup->running = false;
  }
}

Workgroup* Worker::startable() {
  if (progress_->stopped()) return nullptr;
  const size_t count = workgroups_.size();
  const size_t first = scheduler_.is_random() ? scheduler_.draw(uint32_t(count)) : 0;
  for (size_t i = 0; i < count; ++i) {
    Workgroup& workgroup = *workgroups_[(first + i) % count];
    if (workgroup.running && workgroup.started < workgroup.invocations) return &workgroup;
  }
  return nullptr;
}

bool Worker::begin_invocation(Fiber& fiber) {
  Workgroup* workgroup = startable();
  if (!workgroup) return false;
  uint32_t index = workgroup->started++;
  if (scheduler_.is_random()) index = workgroup->order[index];
  index *= dispatch_->code->invocations_per_call();
  const auto& size = dispatch_->workgroup_size;
  const Groups& groups = dispatch_->groups;
  const uint32_t lanes = dispatch_->subgroup_size;
  weft_host_invocation& invocation = fiber.invocation;
  invocation.runtime = &host_runtime;
  invocation.fiber = &fiber;
  std::ranges::copy(workgroup->id, invocation.workgroup_id);
  std::ranges::copy(std::array{groups.x, groups.y, groups.z}, invocation.workgroup_count);
  std::ranges::copy(std::array{index % size[0], index / size[0] % size[1], index / size[0] / size[1]},
                    invocation.local_id);
  invocation.local_index = index;
  invocation.subgroup_id = index / lanes;
  invocation.subgroup_count = uint32_t(workgroup->subgroups.size());
  invocation.lane = index % lanes;
  invocation.subgroup_size = lanes;
  invocation.workgroup_memory = workgroup->memory;
  invocation.push_constants = reinterpret_cast<const unsigned char*>(dispatch_->push_constants.data());
  invocation.bindings = dispatch_->bindings.data();
  fiber.workgroup = workgroup;
  fiber.polls = 0;
  return true;
}

void Worker::finish_invocation(Fiber& fiber) {
  rendezvous_.release(fiber);
  Workgroup& workgroup = *std::exchange(fiber.workgroup, nullptr);
  ++workgroup.finished;
  // Finished invocations cannot reach a barrier. As on GPUs, it waits for the others only.
  if (workgroup.barrier_arrived != 0 && workgroup.barrier_arrived + workgroup.finished == workgroup.invocations) {
    release_barrier(workgroup);
  }
  workgroup_over_ = workgroup.finished == workgroup.invocations;
}

void Worker::body(Fiber& fiber) {
  for (;;) {
    if (begin_invocation(fiber)) {
      try {
        if (checker_) fiber.number = checker_->begin(fiber.workgroup->id, fiber.invocation.local_index);
        dispatch_->code->entry()(&fiber.invocation);
      } catch (const Stopped&) {
      } catch (...) {
        progress_->stop(std::current_exception());
      }
      finish_invocation(fiber);
      if (!scheduler_.is_random()) continue;
    }
    idle_.push_back(&fiber);
    Fiber* to = next();
    if (to == &fiber) continue;
    fiber.context.hand_over(to ? to->context : main_);
    if (closing_) return;
  }
}

Fiber* Worker::make_fiber() {
  // Room in all lists of fibers, so that no other step of theirs needs memory.
  if (fibers_.size() == fibers_.capacity()) {
    const size_t room = 2 * fibers_.size() + 16;
    idle_.reserve(room);
    scheduler_.reserve(room);
    fibers_.reserve(room);
  }
  auto fiber = std::make_unique<Fiber>();
  fiber->worker = this;
  fiber->context.start(stacks_, [this, &running = *fiber] { body(running); });
  return fibers_.emplace_back(std::move(fiber)).get();
}

Fiber* Worker::idle_fiber() {
  if (idle_.empty()) {
    Fiber* made = nullptr;
    stopping_on_error([&] { made = make_fiber(); });
    return made;
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

Fiber* Worker::next_otherwise() {
  if (!scheduler_.is_random()) return startable() ? idle_fiber() : nullptr;
  // The thread's own flow starts another workgroup instead.
  if (std::exchange(workgroup_over_, false)) return nullptr;
  const bool start = startable() && (scheduler_.empty() || scheduler_.draw(2) == 0);
  return start ? idle_fiber() : scheduler_.any();
}

void Worker::report_deadlock() {
  for (const auto& workgroup : workgroups_) {
    if (!workgroup->running || workgroup->live() == 0) continue;
    stopping_on_error(
        [&] { throw Error(ErrorCode::kernel_failed, describe_deadlock(*workgroup, fibers_, *dispatch_->code)); });
    return;
  }
}

void Worker::fail(Fiber& fiber, const std::string& message, uint32_t site) {
  const weft_host_invocation& at = fiber.invocation;
  const std::string who = dispatch_->code->runs_subgroups()
                              ? "subgroup " + std::to_string(at.subgroup_id)
                              : "invocation " + to_text({at.local_id[0], at.local_id[1], at.local_id[2]});
  progress_->stop(std::make_exception_ptr(Error(
      ErrorCode::kernel_failed, "Kernel '" + dispatch_->code->name() + "', " + dispatch_->code->site(site) + ": " +
                                    message + ", in " + who + " of workgroup " + to_text(fiber.workgroup->id) + ".")));
  throw Stopped{};
}

}  // namespace weft::host
