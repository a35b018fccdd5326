#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "backends/host/checker.h"
#include "backends/host/context.h"
#include "backends/host/dispatch.h"
#include "backends/host/rendezvous.h"
#include "backends/host/scheduler.h"
#include "backends/host/workgroup.h"

namespace weft::host {

/// One thread's share of a dispatch. Runs workgroups, with invocations as fibers.
///
/// A fiber runs invocations one after the other; another fiber takes the next invocation only when one waits. So a
/// kernel without barriers and subgroup operations runs as a plain loop. One with subgroup operations alone needs few
/// more fibers than a subgroup has lanes.
///
/// Without a schedule, a thread runs one workgroup at a time, to its end. A started workgroup that others wait for thus
/// has its own thread. With a schedule, a thread interleaves several workgroups, and the next invocation to run is
/// drawn at random.
class Worker {
 public:
  explicit Worker(StackPool& stacks) : stacks_(stacks) {}
  ~Worker();
  Worker(const Worker&) = delete;

  /// Takes and runs workgroups of the dispatch until none is left. Errors stop the dispatch.
  void run(Progress& progress);

  // Services for the running invocation. These may throw Stopped.
  void barrier(Fiber& fiber, uint32_t site);
  const unsigned char* exchange(Fiber& fiber, weft_host_mask active, const void* value, uint32_t bytes, uint32_t site);
  void yield(Fiber& fiber);
  void access(Fiber& fiber, const Access& access);
  [[noreturn]] void fail(Fiber& fiber, const std::string& message, uint32_t site);

 private:
  /// Runs `work`, which may be without memory, where nothing may be thrown.
  template <typename Work>
  void stopping_on_error(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      progress_->stop(std::current_exception());
    }
  }
  void prepare();
  void start_workgroups();
  void take_workgroups();
  void close_finished();
  void body(Fiber& fiber);
  bool begin_invocation(Fiber& fiber);
  void finish_invocation(Fiber& fiber);

  /// The next fiber to run; null if the thread's own flow must choose one.
  Fiber* next() {
    Fiber* fiber = scheduler_.first();
    return fiber ? fiber : next_otherwise();
  }
  Fiber* next_otherwise();
  Fiber* make_fiber();
  /// Null, and the dispatch stops, if there is no memory for one.
  Fiber* idle_fiber();
  Workgroup* startable();
  /// Runs other fibers until this one is ready again.
  void suspend(Fiber& fiber) {
    Fiber* to = next();
    if (to != &fiber) fiber.context.hand_over(to ? to->context : main_);
    fiber.wait = Wait::nothing;
    if (progress_->stopped()) throw Stopped{};
  }
  /// With a schedule, sometimes runs other fibers first.
  void maybe_step_back(Fiber& fiber);
  void release_barrier(Workgroup& workgroup);
  void report_skipped_barrier(const Workgroup& workgroup);
  /// The pending rendezvous of these lanes, or a new one.
  Rendezvous& join(Fiber& fiber, Subgroup& subgroup, weft_host_mask active, uint32_t bytes, uint32_t site);
  void report_deadlock();
  void wake_all();

  StackPool& stacks_;
  Context main_;
  Progress* progress_ = nullptr;
  const Dispatch* dispatch_ = nullptr;
  Scheduler scheduler_;
  RendezvousPool rendezvous_;
  std::unique_ptr<Checker> checker_;
  std::vector<std::unique_ptr<Workgroup>> workgroups_;
  std::vector<unsigned char> memory_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  bool workgroup_over_ = false, closing_ = false;
};

/// The functions that kernels call.
extern const weft_host_runtime host_runtime;

}  // namespace weft::host
