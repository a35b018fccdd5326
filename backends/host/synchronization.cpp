#include <cstring>
#include <thread>

#include <weft/error.h>

#include "backends/host/worker.h"

namespace weft::host {

namespace {

bool holds(const weft_host_mask& mask, uint32_t lane) { return mask.bits[lane / 64] >> (lane % 64) & 1; }

// Values are scalars and vectors. Copies the common sizes without a call.
void copy_value(unsigned char* to, const void* from, uint32_t bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    case 16:
      std::memcpy(to, from, 16);
      break;
    default:
      if (bytes != 0) std::memcpy(to, from, bytes);
  }
}

}  // namespace

void Worker::release_barrier(Workgroup& workgroup) {
  workgroup.barrier_arrived = 0;
  if (checker_ && workgroup.finished != 0) report_skipped_barrier(workgroup);
  if (checker_) {
    for (const auto& fiber : fibers_) {
      if (fiber->workgroup == &workgroup) checker_->synchronize(fiber->number, weft_host_acquire | weft_host_release);
    }
  }
  scheduler_.add(workgroup.at_barrier);
}

void Worker::report_skipped_barrier(const Workgroup& workgroup) {
  stopping_on_error([&] {
    throw Error(ErrorCode::kernel_failed,
                "Kernel '" + dispatch_->code->name() + "', " + dispatch_->code->site(workgroup.barrier_site) +
                    ": a barrier in divergent control flow: " + std::to_string(workgroup.finished) + " of " +
                    std::to_string(workgroup.invocations) + " invocations of workgroup " + to_text(workgroup.id) +
                    " have finished without reaching it.");
  });
}

void Worker::access(Fiber& fiber, const Access& access) {
  if (!checker_) return;
  std::string error;
  if (checker_->is_wrong(access, fiber.workgroup->memory, error)) fail(fiber, error, access.site);
}

void Worker::barrier(Fiber& fiber, uint32_t site) {
  Workgroup& workgroup = *fiber.workgroup;
  if (workgroup.barrier_arrived != 0 && workgroup.barrier_site != site) {
    fail(fiber,
         "a barrier in divergent control flow: other invocations of the workgroup wait at " +
             dispatch_->code->site(workgroup.barrier_site) + " already",
         site);
  }
  workgroup.barrier_site = site;
  if (++workgroup.barrier_arrived + workgroup.finished == workgroup.invocations) {
    release_barrier(workgroup);
    maybe_step_back(fiber);
    return;
  }
  fiber.wait = Wait::barrier;
  fiber.wait_site = site;
  workgroup.at_barrier.push(fiber);
  suspend(fiber);
}

inline Rendezvous& Worker::join(Fiber& fiber, Subgroup& subgroup, weft_host_mask active, uint32_t bytes,
                                uint32_t site) {
  if (Rendezvous* pending = RendezvousPool::find(subgroup, active)) {
    if (pending->bytes == bytes && pending->site == site) return *pending;
    fail(fiber,
         "other lanes of the subgroup are at " + dispatch_->code->site(pending->site) +
             ", so the lanes do not agree on the operation",
         site);
  }
  if (!holds(active, fiber.invocation.lane)) fail(fiber, "an inactive lane takes part", site);
  return rendezvous_.open(subgroup, fiber.invocation.subgroup_size, active, bytes, site);
}

const unsigned char* Worker::exchange(Fiber& fiber, weft_host_mask active, const void* value, uint32_t bytes,
                                      uint32_t site) {
  rendezvous_.release(fiber);
  Subgroup& subgroup = fiber.workgroup->subgroups[fiber.invocation.subgroup_id];
  Rendezvous& rendezvous = join(fiber, subgroup, active, bytes, site);
  copy_value(rendezvous.slots.data() + uint64_t{bytes} * fiber.invocation.lane, value, bytes);
  if (++rendezvous.arrived != rendezvous.expected) {
    fiber.wait = Wait::rendezvous;
    fiber.wait_site = site;
    fiber.wait_lanes = active;
    rendezvous.waiting.push(fiber);
    suspend(fiber);
    fiber.held = &rendezvous;
    return rendezvous.slots.data();
  }
  RendezvousPool::complete(subgroup, rendezvous);
  if (checker_ && bytes == 0) {
    checker_->synchronize(fiber.number, weft_host_acquire | weft_host_release);
    for (Fiber* other = rendezvous.waiting.first(); other; other = other->next) {
      checker_->synchronize(other->number, weft_host_acquire | weft_host_release);
    }
  }
  scheduler_.add(rendezvous.waiting);
  fiber.held = &rendezvous;
  maybe_step_back(fiber);
  return rendezvous.slots.data();
}

void Worker::maybe_step_back(Fiber& fiber) {
  if (!scheduler_.is_random() || scheduler_.draw(2) == 0) return;
  scheduler_.add(fiber);
  suspend(fiber);
}

void Worker::yield(Fiber& fiber) {
  // Most polls succeed at once or after a few more.
  if (++fiber.polls % (scheduler_.is_random() ? 2 : 16) != 0) return;
  const bool alone = scheduler_.empty();
  scheduler_.add(fiber);
  if (alone && startable()) {
    // It may wait for an invocation that has not started.
    if (Fiber* other = idle_fiber()) fiber.context.hand_over(other->context);
    if (progress_->stopped()) throw Stopped{};
    return;
  }
  suspend(fiber);
  if (alone || fiber.polls % 256 == 0) std::this_thread::yield();
}

// Wakes every waiting invocation, to end it when the dispatch stops.
void Worker::wake_all() {
  for (auto& workgroup : workgroups_) {
    workgroup->at_barrier.take_all();
    for (Subgroup& subgroup : workgroup->subgroups) rendezvous_.abandon(subgroup);
  }
  for (const auto& fiber : fibers_) {
    if (fiber->workgroup && fiber->wait != Wait::nothing) scheduler_.add(*fiber);
  }
}

}  // namespace weft::host
