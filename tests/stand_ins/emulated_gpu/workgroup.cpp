#include "tests/stand_ins/emulated_gpu/workgroup.h"

#include <algorithm>
#include <iterator>

namespace weft::test {
namespace {

// Stacks outlive launches: allocating them each time would dominate a small launch.
host::StackPool& stacks() {
  static auto* const pool = new host::StackPool;  // a kernel may still run when the process ends
  return *pool;
}

}  // namespace

EmulatedWorkgroup::EmulatedWorkgroup(const emulated::Entry& entry, const void* const* parameters)
    : entry_(entry),
      parameters_(parameters),
      lane_count_(entry.block.x * entry.block.y * entry.block.z),
      lanes_(lane_count_),
      meetings_((lane_count_ + entry.warp - 1) / entry.warp) {
  using Self = EmulatedWorkgroup;
  entry_.lane_state->workgroup = this;
  entry_.lane_state->meet = [](void* self, uint64_t mask, int operation, uint32_t word) {
    return static_cast<Self*>(self)->meet(mask, operation, word);
  };
  entry_.lane_state->barrier = [](void* self) { static_cast<Self*>(self)->barrier(); };
  entry_.lane_state->stop = [](void* self, const char* why) { static_cast<Self*>(self)->stop(why); };
  const auto& [x, y, z] = entry_.block;
  for (uint32_t l = 0; l < lane_count_; ++l) lanes_[l].thread = {l % x, l / x % y, l / x / y};
}

EmulatedWorkgroup::~EmulatedWorkgroup() {
  ending_ = true;
  for (const auto& fiber : fibers_) scheduler_.hand_over(fiber->context);
}

std::string EmulatedWorkgroup::run(emulated::Dim3 block, emulated::Dim3 grid, void* dynamic_memory) {
  entry_.lane_state->block = block;
  entry_.lane_state->grid = grid;
  entry_.lane_state->dynamic_memory = dynamic_memory;
  started_ = done_ = at_barrier_ = 0;
  for (auto& of_warp : meetings_) of_warp.clear();
  run_lanes();
  if (!problem_.empty()) unwind();
  return problem_;
}

// Runs every lane as far as possible, until all are done or none can continue.
void EmulatedWorkgroup::run_lanes() {
  while (done_ < lane_count_ && problem_.empty()) {
    if (started_ < lane_count_) {
      if (idle_.empty()) {
        Fiber& fiber = *fibers_.emplace_back(std::make_unique<Fiber>());
        fiber.context.start(stacks(), [this, &fiber] { start_lanes(fiber); });
        idle_.push_back(&fiber);
      }
      Fiber& fiber = *idle_.back();
      idle_.pop_back();
      go_on(fiber);
    } else if (!ready_.empty()) {
      Fiber& fiber = *ready_.front();
      ready_.pop_front();
      go_on(fiber);
    } else if (at_barrier_ == lane_count_ - done_) {
      release_barrier();
    } else {
      problem_ = "no lane can continue: a mask names lanes that reach another operation, or none";
    }
  }
}

// Runs on a fiber: one lane after the other, until one waits.
void EmulatedWorkgroup::start_lanes(Fiber& fiber) {
  while (!ending_) {
    while (started_ < lane_count_ && problem_.empty()) {
      fiber.lane = started_++;
      lanes_[fiber.lane].fiber = &fiber;
      lanes_[fiber.lane].done = false;
      lanes_[fiber.lane].meeting = nullptr;
      entry_.lane_state->thread = lanes_[fiber.lane].thread;
      try {
        entry_.run(parameters_);
      } catch (const Stopped&) {
      }
      lanes_[fiber.lane].done = true;
      ++done_;
    }
    idle_.push_back(&fiber);
    fiber.context.hand_over(scheduler_);
  }
}

void EmulatedWorkgroup::go_on(Fiber& fiber) {
  running_ = &fiber;
  entry_.lane_state->thread = lanes_[fiber.lane].thread;
  scheduler_.hand_over(fiber.context);
}

void EmulatedWorkgroup::suspend() {
  running_->context.hand_over(scheduler_);
  if (!problem_.empty()) throw Stopped();
}

// Returns the open meeting with this mask, or a new one.
EmulatedWorkgroup::Meeting& EmulatedWorkgroup::meeting(uint32_t warp, uint64_t mask, int operation) {
  Meeting* free = nullptr;
  for (Meeting& one : meetings_[warp]) {
    if (one.open() && one.mask == mask && one.operation == operation) return one;
    if (one.over()) free = &one;
  }
  if (!free) free = &meetings_[warp].emplace_back();
  *free = {mask, 0, 0, operation, {}};
  std::fill(std::begin(free->words), std::end(free->words), 0xdeadbeefu);
  return *free;
}

// Returns the words of the lanes of `mask`.
const uint32_t* EmulatedWorkgroup::meet(uint64_t mask, int operation, uint32_t word) {
  const uint32_t index = running_->lane, warp = index / entry_.warp, first = warp * entry_.warp;
  const uint64_t own = uint64_t(1) << (index - first), lanes = std::min(entry_.warp, lane_count_ - first);
  if (!(mask & own)) stop("a lane takes part in an operation whose mask does not include it");
  if (lanes < 64 && mask >> lanes != 0) stop("a mask names a lane that does not exist");
  Lane& self = lanes_[index];
  if (self.meeting) self.meeting->left |= own;
  Meeting& met = meeting(warp, mask, operation);
  self.meeting = &met;
  met.arrived |= own;
  met.words[index - first] = word;
  if (met.open()) {
    suspend();
  } else {
    for (uint32_t l = 0; l < lanes; ++l) {
      if ((mask & ~own) >> l & 1) ready_.push_back(lanes_[first + l].fiber);
    }
  }
  return met.words;
}

void EmulatedWorkgroup::barrier() {
  lanes_[running_->lane].at_barrier = true;
  ++at_barrier_;
  suspend();
}

void EmulatedWorkgroup::release_barrier() {
  at_barrier_ = 0;
  for (Lane& lane : lanes_) {
    if (lane.at_barrier) ready_.push_back(lane.fiber);
    lane.at_barrier = false;
  }
}

void EmulatedWorkgroup::stop(const char* why) {
  problem_ = why;
  throw Stopped();
}

// Lets waiting lanes leave the kernel, so that they release what they hold.
void EmulatedWorkgroup::unwind() {
  ready_.clear();
  for (uint32_t l = 0; l < started_; ++l) {
    if (!lanes_[l].done) go_on(*lanes_[l].fiber);
  }
}

}  // namespace weft::test
