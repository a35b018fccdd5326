#include <weft/error.h>
#include <bit>
#include <cstring>
#include <utility>

#include "backends/host/worker.h"

namespace weft::host {

namespace {

bool same(const weft_host_mask& a, const weft_host_mask& b) { return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1]; }
bool holds(const weft_host_mask& mask, uint32_t lane) { return mask.bits[lane / 64] >> (lane % 64) & 1; }

uint32_t count(const weft_host_mask& mask) {
  return uint32_t(std::popcount(mask.bits[0]) + std::popcount(mask.bits[1]));
}

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
  make_ready(workgroup.at_barrier);
}

void Worker::report_skipped_barrier(const Workgroup& workgroup) {
  progress_->stop(std::make_exception_ptr(Error(
      ErrorCode::kernel_failed, "Kernel '" + dispatch_->code->name() + "', " +
                                    dispatch_->code->site(workgroup.barrier_site) +
                                    ": a barrier in divergent control flow: " + std::to_string(workgroup.finished) +
                                    " of " + std::to_string(workgroup.invocations) + " invocations of workgroup " +
                                    to_text(workgroup.id) + " have finished without reaching it.")));
}

void Worker::access(Fiber& fiber, const Access& access) {
  if (!checker_) return;
  const std::string wrong = checker_->check(access, fiber.workgroup->memory);
  if (!wrong.empty()) fail(fiber, wrong, access.site);
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

inline Rendezvous& Worker::join(Fiber& fiber, weft_host_mask active, uint32_t bytes, uint32_t site) {
  Subgroup& subgroup = fiber.workgroup->subgroups[fiber.invocation.subgroup_id];
  // Lanes that have left a branch may wait for all lanes while others still exchange values inside it.
  for (Rendezvous* pending = subgroup.pending; pending; pending = pending->next) {
    if (same(pending->lanes, active)) {
      if (pending->bytes == bytes && pending->site == site) return *pending;
      fail(fiber,
           "other lanes of the subgroup are at " + dispatch_->code->site(pending->site) +
               ", so the lanes do not agree on the operation",
           site);
    }
  }
  return meet(fiber, subgroup, active, bytes, site);
}

Rendezvous& Worker::meet(Fiber& fiber, Subgroup& subgroup, weft_host_mask active, uint32_t bytes, uint32_t site) {
  if (!holds(active, fiber.invocation.lane)) fail(fiber, "an inactive lane takes part", site);
  if (!free_rendezvous_) {
    rendezvous_.push_back(std::make_unique<Rendezvous>());
    free_rendezvous_ = rendezvous_.back().get();
  }
  Rendezvous& made = *free_rendezvous_;
  free_rendezvous_ = made.next;
  const uint64_t needed = uint64_t{bytes} * fiber.invocation.subgroup_size;
  if (made.slots.size() < needed) made.slots.resize(needed);
  made.lanes = active;
  made.expected = made.readers = count(active);
  made.arrived = 0;
  made.bytes = bytes;
  made.site = site;
  made.next = subgroup.pending;
  subgroup.pending = &made;
  return made;
}

const unsigned char* Worker::exchange(Fiber& fiber, weft_host_mask active, const void* value, uint32_t bytes,
                                      uint32_t site) {
  release_values(fiber);
  Rendezvous& rendezvous = join(fiber, active, bytes, site);
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
  Rendezvous** link = &fiber.workgroup->subgroups[fiber.invocation.subgroup_id].pending;
  while (*link != &rendezvous) link = &(*link)->next;
  *link = rendezvous.next;
  if (checker_ && bytes == 0) {
    checker_->synchronize(fiber.number, weft_host_acquire | weft_host_release);
    for (Fiber* other = rendezvous.waiting.first(); other; other = other->next) {
      checker_->synchronize(other->number, weft_host_acquire | weft_host_release);
    }
  }
  make_ready(rendezvous.waiting);
  fiber.held = &rendezvous;
  maybe_step_back(fiber);
  return rendezvous.slots.data();
}

namespace {

void runtime_barrier(weft_host_invocation* invocation, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->barrier(fiber, site);
}

const unsigned char* runtime_exchange(weft_host_invocation* invocation, weft_host_mask active, const void* value,
                                      uint32_t bytes, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  return fiber.worker->exchange(fiber, active, value, bytes, site);
}

void runtime_yield(weft_host_invocation* invocation) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->yield(fiber);
}

void runtime_fail(weft_host_invocation* invocation, const char* message, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->fail(fiber, message, site);
}

void runtime_access(weft_host_invocation* invocation, const void* address, uint32_t bytes, uint32_t alignment,
                    uint32_t kind, const weft_host_binding* binding, uint32_t site) {
  Fiber& fiber = fiber_of(invocation);
  fiber.worker->access(
      fiber, {fiber.number, static_cast<const unsigned char*>(address), bytes, alignment, kind, binding, site});
}

}  // namespace

const weft_host_runtime host_runtime = {runtime_barrier, runtime_exchange, runtime_yield, runtime_fail, runtime_access};

}  // namespace weft::host
