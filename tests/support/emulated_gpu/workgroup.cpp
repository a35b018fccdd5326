#include "workgroup.h"

namespace weft::test {
namespace {

// Stacks outlive launches: taking them from the system anew each time would be most of a small one.
host::StackPool& stacks() {
  static auto* const pool = new host::StackPool;  // a kernel may still run when the process ends
  return *pool;
}

}  // namespace

EmulatedWorkgroup::EmulatedWorkgroup(const emulated::Entry& entry, const void* const* parameters)
    : entry_(entry),
      parameters_(parameters),
      lane_count_(entry.block.x * entry.block.y * entry.block.z),
      lanes_(lane_count_) {
  using Self = EmulatedWorkgroup;
  entry_.place->workgroup = this;
  entry_.place->meet = [](void* self, uint64_t mask, int operation, uint32_t word) {
    return static_cast<Self*>(self)->meet(mask, operation, word);
  };
  entry_.place->barrier = [](void* self) { static_cast<Self*>(self)->barrier(); };
  entry_.place->stop = [](void* self, const char* why) { static_cast<Self*>(self)->stop(why); };
}

EmulatedWorkgroup::~EmulatedWorkgroup() {
  ending_ = true;
  for (const auto& fiber : fibers_) scheduler_.hand_over(fiber->context);
}

std::string EmulatedWorkgroup::run(emulated::Dim3 block, emulated::Dim3 grid, void* dynamic_memory) {
  entry_.place->block = block;
  entry_.place->grid = grid;
  entry_.place->dynamic_memory = dynamic_memory;
  started_ = done_ = at_barrier_ = 0;
  run_lanes();
  if (!problem_.empty()) unwind();
  return problem_;
}

// Lets every lane go as far as it can, until all are done or none can go on.
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
      problem_ = "no lane can go on: a mask names lanes that come to another operation, or to none";
    }
  }
}

// What a fiber does: one lane after the other, until one waits.
void EmulatedWorkgroup::start_lanes(Fiber& fiber) {
  while (!ending_) {
    while (started_ < lane_count_ && problem_.empty()) {
      fiber.lane = started_++;
      lanes_[fiber.lane] = {};
      lanes_[fiber.lane].fiber = &fiber;
      entry_.place->thread = thread(fiber.lane);
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

emulated::Dim3 EmulatedWorkgroup::thread(uint32_t lane) const {
  const auto& [x, y, z] = entry_.block;
  return {lane % x, lane / x % y, lane / x / y};
}

void EmulatedWorkgroup::go_on(Fiber& fiber) {
  running_ = &fiber;
  entry_.place->thread = thread(fiber.lane);
  scheduler_.hand_over(fiber.context);
}

void EmulatedWorkgroup::suspend() {
  running_->context.hand_over(scheduler_);
  if (!problem_.empty()) throw Stopped();
}

// The words that the lanes of `mask` came with.
const uint32_t* EmulatedWorkgroup::meet(uint64_t mask, int operation, uint32_t word) {
  const uint32_t index = running_->lane, first = index / entry_.warp * entry_.warp;
  Lane& self = lanes_[index];
  if (!(mask >> (index - first) & 1)) stop("a lane takes part in an operation whose mask lacks it");
  self.mask = mask;
  self.operation = operation;
  self.word = word;
  self.at_meeting = true;
  for (uint32_t l = 0; l < entry_.warp; ++l) {
    if (!(mask >> l & 1)) continue;
    if (first + l >= lane_count_) stop("a mask names a lane that there is not");
    const Lane& other = lanes_[first + l];
    if (first + l < started_ && other.at_meeting && other.mask == mask && other.operation == operation) continue;
    suspend();
    return self.words;
  }
  for (uint32_t l = 0; l < entry_.warp; ++l) {  // the last one to come serves all
    if (!(mask >> l & 1)) continue;
    Lane& other = lanes_[first + l];
    for (uint32_t k = 0; k < entry_.warp; ++k) {
      other.words[k] = mask >> k & 1 ? lanes_[first + k].word : 0xdeadbeefu;
    }
    other.at_meeting = false;
    if (&other != &self) ready_.push_back(other.fiber);
  }
  return self.words;
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

// Lets the lanes that wait leave the kernel, so that what they hold is given back.
void EmulatedWorkgroup::unwind() {
  ready_.clear();
  for (uint32_t l = 0; l < started_; ++l) {
    if (!lanes_[l].done) go_on(*lanes_[l].fiber);
  }
}

}  // namespace weft::test
