#include <algorithm>
#include <numeric>

#include <weft/work_queue.h>

#include "tests/algorithms/persistent/staying.h"

using namespace weft;
using namespace weft::test;

/// weft_queue_push() and weft_queue_pop() of weft/device/work_queue.glsl: each item that was pushed is popped once.

namespace {

// Each invocation makes `rounds` items and pushes and pops at random: with its subgroup (SUBGROUP), alone, or alone in
// the two branches of one condition (BRANCHES). Items that find the queue full are marked as such.
const std::string push_and_pop = R"(
  #include "weft/device/work_queue.glsl"
  layout(push_constant, scalar) uniform Push {
    WeftWorkQueue queue;
    Words state;  // Of each item: 1 pushed, 2 refused, plus 4 for each time that it was popped.
    Words order;  // What the invocations popped.
    uint rounds, seed;
    uint pushes, pops;  // In 256 rounds.
  } args;

  uint hash(uint x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
  }

  void main() {
    uint me = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    for (uint round = 0u; round < args.rounds; ++round) {
      uint item = me * args.rounds + round;
      bool push = (hash(item ^ args.seed) & 255u) < args.pushes, pop = (hash(~item ^ args.seed) & 255u) < args.pops;
      uint popped = 0u;
  #ifdef SUBGROUP
      bool pushed = weft_queue_push_subgroup(args.queue, push, item);
      pop = weft_queue_pop_subgroup(args.queue, pop, popped);
  #elif defined(BRANCHES)
      bool pushed = false;
      if (push) {
        pushed = weft_queue_push(args.queue, item);
        pop = false;
      } else {
        pop = pop && weft_queue_pop(args.queue, popped);
      }
  #else
      bool pushed = false;
      if (push) pushed = weft_queue_push(args.queue, item);
      if (pop) pop = weft_queue_pop(args.queue, popped);
  #endif
      if (push) atomicAdd(args.state.at[item], pushed ? 1u : 2u);
      if (pop) atomicAdd(args.state.at[popped], 4u);
      if (pop) args.order.at[item] = popped;
    }
  })";

struct RingBlock {
  uint64_t queue, state, order;
  uint32_t rounds, seed, pushes, pops;
};

constexpr uint32_t nothing = 0xffffffff;

class Ring {
 public:
  Ring(const Device& device, Stream& stream, const Kernel& kernel, uint32_t capacity, uint32_t groups, uint32_t rounds,
       std::mt19937_64& generator)
      : stream_(stream),
        kernel_(kernel),
        groups_(groups),
        rounds_(rounds),
        capacity_(capacity),
        memory_(device, stream, WorkQueue(capacity).bytes(), 12, generator),
        state_(device, stream, std::vector<uint32_t>(items()), generator),
        order_(device, stream, std::vector<uint32_t>(items()), generator) {
    WorkQueue(capacity).record_clear(stream, memory_.region());
  }

  uint32_t items() const { return groups_ * kernel_.workgroup_size()[0] * rounds_; }

  /// As if so many items had been pushed and popped before: a multiple of the capacity.
  void start_at(uint32_t ticket) {
    const View<uint32_t> words(memory_.region());
    stream_.fill(words.part(pushed, 1), ticket);
    stream_.fill(words.part(popped, 1), ticket);
    stream_.fill(words.part(slots, capacity_), ticket);
  }

  void run(uint32_t pushes, uint32_t pops, uint32_t seed) {
    stream_.fill(order_.view(), nothing);
    stream_.dispatch(kernel_, {groups_, 1, 1},
                     RingBlock{memory_.region().address(), Region(state_).address(), Region(order_).address(), rounds_,
                               seed, pushes, pops});
  }

  /// While nobody uses it: each slot is free or holds an item that is left.
  void check_rest(uint32_t left) {
    const std::vector<uint32_t> words = stream_.download(View<uint32_t>(memory_.region()));
    CHECK_EQ(words[free_slots], capacity_ - left);
    CHECK_EQ(words[items_left], left);
    CHECK_EQ(words[pushed] - words[popped], left);
  }

  std::vector<uint32_t> state() { return state_.read(stream_); }
  std::vector<uint32_t> order() {
    memory_.check_guards(stream_);
    return order_.read(stream_);
  }

 private:
  Stream& stream_;
  const Kernel& kernel_;
  uint32_t groups_, rounds_, capacity_;
  GuardedBytes memory_;
  Guarded<uint32_t> state_, order_;
};

uint32_t number_of(const std::vector<uint32_t>& state, uint32_t value) {
  return uint32_t(std::ranges::count(state, value));
}

Kernel kernel_of(const Device& device, const std::string& way) {
  return compile(device, staying_head + push_and_pop, 41, {{way, "1"}});
}

std::string ring_source() { return staying_head + push_and_pop; }

}  // namespace

DEVICE_TEST("a full ring says so and keeps its items; an empty one says so") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("full ring");
  for (const std::string way : {"ALONE", "SUBGROUP"}) {
    const Kernel kernel = kernel_of(device, way);
    for (const uint32_t capacity : {2u, 16u, 64u, 1024u}) {
      INFO(way, ", capacity: ", capacity);
      Ring ring(device, stream, kernel, capacity, 5, 2, generator);
      const uint32_t fits = std::min(capacity, ring.items());
      ring.run(256, 0, 1);
      std::vector<uint32_t> state = ring.state();
      CHECK_EQ(number_of(state, 1), fits);  // pushed
      CHECK_EQ(number_of(state, 2), ring.items() - fits);
      ring.check_rest(fits);
      ring.run(0, 256, 1);
      for (uint32_t& one : state) one = one == 1 ? 5 : 2;  // pushed and popped
      check_same(ring.state(), state, "the items");
      CHECK_EQ(number_of(ring.order(), nothing), ring.items() - fits);
      ring.check_rest(0);
    }
  }
}

DEVICE_TEST("each item that is pushed while others push and pop is popped once") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("busy ring");
  for (const std::string way : {"ALONE", "SUBGROUP", "BRANCHES"}) {
    const Kernel kernel = kernel_of(device, way);
    for (const uint32_t capacity : {2u, 8u, 512u}) {
      INFO(way, ", capacity: ", capacity);
      Ring ring(device, stream, kernel, capacity, 6, 8, generator);
      // Tickets wrap around in the meantime.
      ring.start_at(0u - capacity * uint32_t(1 + generator() % (ring.items() / capacity)));
      ring.run(128 + generator() % 128, 128 + generator() % 128, uint32_t(generator()));
      const uint32_t left = number_of(ring.state(), 1);
      ring.check_rest(left);
      ring.run(0, 256, 1);  // More pops than items.
      const std::vector<uint32_t> state = ring.state();
      const uint32_t popped = number_of(state, 5), refused = number_of(state, 2);
      CHECK_EQ(popped + refused + number_of(state, 0), ring.items());
      CHECK_GT(popped, 0);
      ring.check_rest(0);
    }
  }
}

// On most devices, lanes of a subgroup advance together. Pushes of theirs may have tickets a round of the ring apart,
// and then wait for one another by way of other subgroups' pops. Here lanes of one subgroup push and pop in one loop.
DEVICE_TEST("lanes of a subgroup whose accesses wait for one another all end") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("waiting lanes");
  const uint32_t lanes = device.info().limits.subgroup_size;
  const Kernel kernel = compile(device, std::string(staying_head) + R"(
    #include "weft/device/work_queue.glsl"
    layout(push_constant, scalar) uniform Push { WeftWorkQueue queue; Words items; } args;
    void main() {
      uint ticket = gl_LocalInvocationIndex / 2u, side = gl_LocalInvocationIndex & 1u, item = 7u * ticket;
      if (side == weft_queue_pops) item = 0u;
      weft_queue_access(args.queue, side, ticket, true, item);
      args.items.at[gl_LocalInvocationIndex] = item;
    })",
                                lanes);
  const Guarded<uint32_t> items(device, stream, lanes, generator);
  const GuardedBytes memory(device, stream, WorkQueue(2).bytes(), 4, generator);
  WorkQueue(2).record_clear(stream, memory.region());
  struct {
    uint64_t queue, items;
  } const block{memory.region().address(), Region(items).address()};
  stream.dispatch(kernel, {1, 1, 1}, block);
  std::vector<uint32_t> expected(lanes);
  for (uint32_t lane = 0; lane < lanes; ++lane) expected[lane] = 7 * (lane / 2);
  check_same(items.read(stream), expected, "the items");
  memory.check_guards(stream);
}

DEVICE_TEST("one invocation pops items in the order of their pushes") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("order of a ring");
  const Kernel kernel = compile(device, ring_source(), 1);
  Ring ring(device, stream, kernel, 128, 1, 100, generator);
  ring.run(256, 0, 1);
  ring.run(0, 256, 1);
  std::vector<uint32_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0u);
  check_same(ring.order(), expected, "the order");
}

DEVICE_TEST("a ring starts with the items that the host gives it") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("filled ring");
  const Kernel kernel = compile(device, ring_source(), 1);
  for (const uint32_t count : {1u, 63u, 64u}) {
    std::vector<uint32_t> items(count);
    for (uint32_t& item : items) item = uint32_t(generator() % 100);
    const Guarded<uint32_t> given(device, stream, items, generator), state(device, stream, 100, generator),
        order(device, stream, std::vector<uint32_t>(100, nothing), generator);
    const GuardedBytes memory(device, stream, WorkQueue(50).bytes(), 4, generator);
    WorkQueue(50).record_clear(stream, memory.region(), given.view());
    stream.dispatch(
        kernel, {1, 1, 1},
        RingBlock{memory.region().address(), Region(state).address(), Region(order).address(), 100, 0, 0, 256});
    items.resize(100, nothing);
    check_same(order.read(stream), items, "the items");
    memory.check_guards(stream);
  }
}

DEVICE_TEST("a queue's capacity and memory are checked") {
  CHECK_EQ(WorkQueue(1).capacity(), 2);
  CHECK_EQ(WorkQueue(64).capacity(), 64);
  CHECK_EQ(WorkQueue(65).capacity(), 128);
  for (const uint64_t capacity : {uint64_t(0), WorkQueue::max_capacity + 1}) {
    check_error(ErrorCode::invalid_argument, {"WorkQueue", std::to_string(capacity)}, [&] { WorkQueue{capacity}; });
  }
  Stream stream = device.stream();
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(1000);
  check_error(ErrorCode::invalid_argument, {"WorkQueue", "4 bytes", "896"},
              [&] { WorkQueue(16).record_clear(stream, memory.part(0, 1)); });
  check_error(ErrorCode::invalid_argument, {"WorkQueue", "17 items", "16"},
              [&] { WorkQueue(16).record_clear(stream, memory.part(0, 900), memory.part(950, 17)); });
}
