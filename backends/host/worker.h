#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/host/checker.h"
#include "backends/host/dispatch.h"
#include "backends/host/fiber.h"
#include "backends/host/random.h"
#include "backends/host/stacks.h"
#include "backends/host/workgroup.h"

namespace weft::host {

/// One thread's share of a dispatch: runs workgroups, their invocations as fibers.
///
/// A fiber runs invocations one after the other; only when one of them waits does another fiber take the next. So a
/// kernel without barriers and subgroup operations runs in a plain loop, and one with subgroup operations alone needs
/// little more fibers than a subgroup has lanes.
///
/// Without a schedule a thread runs one workgroup at a time, to its end: whatever another workgroup waits for, as long
/// as it has been started, has a thread of its own. With a schedule it runs several in turns, and everything that may
/// advance is drawn at random.
class Worker {
 public:
  explicit Worker(StackPool& stacks) : stacks_(stacks) {}
  ~Worker();
  Worker(const Worker&) = delete;

  /// Takes workgroups of the dispatch and runs them until there are none left. Errors stop the dispatch.
  void run(Progress& progress);

  /// What the runtime does for the invocation that runs now. These may throw Stopped.
  void barrier(Fiber& fiber, uint32_t site);
  const unsigned char* exchange(Fiber& fiber, weft_host_mask active, const void* value, uint32_t bytes, uint32_t site);
  void yield(Fiber& fiber);
  void access(Fiber& fiber, const Access& access);
  [[noreturn]] void fail(Fiber& fiber, const std::string& message, uint32_t site);

 private:
  void prepare();
  void start_workgroups();
  void close_finished();
  void body(Fiber& fiber);
  bool begin_invocation(Fiber& fiber);
  void finish_invocation(Fiber& fiber);

  /// The fiber to run next; null when the thread's own flow has to see to it.
  Fiber* next() {
    Fiber* fiber = ready_.pop();
    return fiber ? fiber : next_otherwise();
  }
  Fiber* next_otherwise();
  Fiber* idle_fiber();
  Workgroup* startable();
  /// Lets others run until the fiber is ready again.
  void suspend(Fiber& fiber) {
    Fiber* to = next();
    if (to != &fiber) fiber.context.hand_over(to ? to->context : main_);
    fiber.wait = Wait::nothing;
    if (progress_->stopped()) throw Stopped{};
  }
  void make_ready(FiberList& list) {
    if (random_) return shuffle_in(list);
    ready_.append(list.first(), list.last());
    list.take_all();
  }
  void shuffle_in(FiberList& list);
  /// Under a schedule, lets others run first now and then.
  void maybe_step_back(Fiber& fiber);
  void release_barrier(Workgroup& workgroup);
  void report_skipped_barrier(const Workgroup& workgroup);
  void release_values(Fiber& fiber) {
    Rendezvous* held = std::exchange(fiber.held, nullptr);
    if (held && --held->readers == 0) held->next = std::exchange(free_rendezvous_, held);
  }
  /// The meeting of these lanes that is pending, or a new one.
  Rendezvous& join(Fiber& fiber, weft_host_mask active, uint32_t bytes, uint32_t site);
  Rendezvous& meet(Fiber& fiber, Subgroup& subgroup, weft_host_mask active, uint32_t bytes, uint32_t site);
  void report_deadlock();
  void wake_all();

  StackPool& stacks_;
  Context main_;
  Progress* progress_ = nullptr;
  const Dispatch* dispatch_ = nullptr;
  std::optional<Random> random_;
  std::optional<Checker> checker_;
  std::vector<std::unique_ptr<Workgroup>> workgroups_;
  std::vector<unsigned char> memory_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  FiberList ready_;
  std::vector<Fiber*> shuffled_;  ///< In place of ready_ under a schedule.
  std::vector<std::unique_ptr<Rendezvous>> rendezvous_;
  Rendezvous* free_rendezvous_ = nullptr;
  bool workgroup_over_ = false, closing_ = false;
};

/// The functions that kernels call.
extern const weft_host_runtime host_runtime;

}  // namespace weft::host
