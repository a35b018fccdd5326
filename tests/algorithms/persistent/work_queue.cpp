#include <weft/work_queue.h>

#include <algorithm>
#include <numeric>

#include "tests/algorithms/persistent/staying.h"

using namespace weft;
using namespace weft::test;

/// weft_work_take() and its companions of weft/device/work_queue.glsl: a tree of tasks, each made by its parent.

namespace {

// A task may have children 3 i + 1 to 3 i + 3; a hash decides which of them exist. A child's value depends on its
// parent's, which the workgroup of the child reads. Children that find the queue full are worked off where they are.
// The last invocation marks each task; workgroups that wait until all is finished then sum up the marks of all tasks.
const std::string work_source = R"(
  #include "weft/device/work_queue.glsl"
  layout(push_constant, scalar) uniform Push {
    WeftWorkQueue queue;
    Words values, visits, refused, marks, sums;
    uint count, seed;
  } args;
  #ifdef WAIT
  #define TAKE weft_work_take
  #else
  #define TAKE weft_work_take_any
  #endif

  uint hash(uint x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
  }
  bool exists(uint task) { return task < args.count && (hash(task ^ args.seed) & 15u) != 0u; }

  void visit(uint task, uint parent) {
    args.values.at[task] = args.values.at[parent] * 31u + task;
    atomicAdd(args.visits.at[task], 1u);
  }

  void mark(uint task) { args.marks.at[task] = args.values.at[task] ^ args.seed; }

  // The tree from a task on, by one invocation.
  void work_off(uint task) {
    uint stack[64];
    uint size = 0u;
    stack[size++] = task;
    while (size > 0u) {
      uint one = stack[--size];
      mark(one);
      for (uint child = 3u * one + 1u; child <= 3u * one + 3u; ++child) {
        if (!exists(child)) continue;
        visit(child, one);
        stack[size++] = child;
      }
    }
  }

  void main() {
    uint task;
    while (TAKE(args.queue, task)) {
      if (gl_LocalInvocationIndex < 3u) {
        uint child = 3u * task + 1u + gl_LocalInvocationIndex;
        if (exists(child)) {
          visit(child, task);
          if (!weft_work_push(args.queue, child)) {
            atomicAdd(args.refused.at[0], 1u);
            work_off(child);
          }
        }
      }
      if (gl_LocalInvocationIndex == gl_WorkGroupSize.x - 1u) mark(task);
      weft_work_finish(args.queue);
    }
  #ifdef WAIT
    uint sum = 0u;
    for (uint i = gl_LocalInvocationIndex; i < args.count; i += gl_WorkGroupSize.x) sum += args.marks.at[i];
    atomicAdd(args.sums.at[gl_WorkGroupID.x], sum);
  #endif
  })";

struct WorkBlock {
  uint64_t queue, values, visits, refused, marks, sums;
  uint32_t count, seed;
};

uint32_t hash(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

struct Tree {
  std::vector<uint32_t> values, visits;
  uint32_t sum = 0;
};

Tree serial(uint32_t count, uint32_t seed, const std::vector<uint32_t>& roots, const std::vector<uint32_t>& start) {
  Tree tree{start, std::vector<uint32_t>(count)};
  std::vector<uint32_t> tasks = roots;
  while (!tasks.empty()) {
    const uint32_t task = tasks.back();
    tasks.pop_back();
    tree.sum += tree.values[task] ^ seed;
    for (uint32_t child = 3 * task + 1; child <= 3 * task + 3; ++child) {
      if (child >= count || (hash(child ^ seed) & 15) == 0) continue;
      tree.values[child] = tree.values[task] * 31 + child;
      ++tree.visits[child];
      tasks.push_back(child);
    }
  }
  return tree;
}

/// As if nearly 2^32 items had been pushed and finished before: tickets wrap around.
void start_late(Stream& stream, const Region& queue, uint32_t items) {
  const View<uint32_t> words(queue);
  const auto capacity = uint32_t((words.size() - slots) / 2), ticket = 0 - capacity;
  stream.fill(words.part(pushed, 1), ticket + items);
  for (const uint32_t word : {popped, finished}) stream.fill(words.part(word, 1), ticket);
  stream.fill(words.part(slots, items), ticket + 1);
  stream.fill(words.part(slots + items, capacity - items), ticket);
}

/// Returns the number of tasks that found the queue full.
uint32_t check_tree(Stream& stream, const Kernel& kernel, bool wait, uint32_t groups, uint32_t capacity, uint32_t count,
                    const std::vector<uint32_t>& roots, std::mt19937_64& generator) {
  INFO("workgroups: ", groups, ", capacity: ", capacity, ", tasks: ", count, ", roots: ", roots.size());
  const Device device = stream.device();
  const auto seed = uint32_t(generator());
  const std::vector<uint32_t> start = random_values<uint32_t>(count, generator);
  const Guarded<uint32_t> values(device, stream, start, generator);
  const Guarded<uint32_t> visits(device, stream, std::vector<uint32_t>(count), generator);
  const Guarded<uint32_t> refused(device, stream, std::vector<uint32_t>(1), generator);
  const Guarded<uint32_t> marks(device, stream, std::vector<uint32_t>(count), generator);
  const Guarded<uint32_t> sums(device, stream, std::vector<uint32_t>(groups), generator);
  const Guarded<uint32_t> items(device, stream, roots, generator);
  const GuardedBytes memory(device, stream, WorkQueue(capacity).bytes(), 4, generator);
  WorkQueue(capacity).record_clear(stream, memory.region(), items.view());
  start_late(stream, memory.region(), uint32_t(roots.size()));
  stream.dispatch(kernel, {groups, 1, 1},
                  WorkBlock{memory.region().address(), Region(values).address(), Region(visits).address(),
                            Region(refused).address(), Region(marks).address(), Region(sums).address(), count, seed});
  const Tree expected = serial(count, seed, roots, start);
  INFO("tasks of the tree: ", std::accumulate(expected.visits.begin(), expected.visits.end(), 0u));
  check_same(visits.read(stream), expected.visits, "visits of each task");
  check_same(values.read(stream), expected.values, "the tasks' values");
  if (wait)
    check_same(sums.read(stream), std::vector<uint32_t>(groups, expected.sum), "what workgroups see at the end");
  const std::vector<uint32_t> queue = stream.download(View<uint32_t>(memory.region()));
  CHECK_EQ(queue[popped], queue[pushed]);
  CHECK_EQ(queue[finished], queue[pushed]);
  CHECK_EQ(queue[items_left], 0);
  CHECK_EQ(queue[free_slots], uint32_t(WorkQueue(capacity).capacity()));
  memory.check_guards(stream);
  return refused.read(stream)[0];
}

void check_trees(const Device& device, bool wait) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(wait ? "waiting for work" : "taking work");
  for (const uint32_t lanes : {1u, 32u}) {
    const Kernel kernel = compile(device, staying_head + work_source, lanes,
                                  wait ? std::vector<std::pair<std::string, std::string>>{{"WAIT", "1"}}
                                       : std::vector<std::pair<std::string, std::string>>{});
    const uint32_t groups = groups_to_start(kernel) + 3;
    const std::vector<uint32_t> one{0}, some{1, 2, 3};
    // One invocation does not make three children.
    const uint32_t count = lanes == 1 ? 0 : 3000;
    check_tree(stream, kernel, wait, groups, 64, 100, {}, generator);
    if (count == 0) continue;
    CHECK_EQ(check_tree(stream, kernel, wait, groups, 4096, count, one, generator), 0);
    check_tree(stream, kernel, wait, 1, 64, count, one, generator);
    check_tree(stream, kernel, wait, groups, 8, count, some, generator);
    // A quick device may find room each time.
    uint32_t refused = 0;
    for (int run = 0; run < 8 && refused == 0; ++run) {
      refused = check_tree(stream, kernel, wait, groups, 2, count, one, generator);
    }
    CHECK_GT(refused, 0);
  }
}

}  // namespace

DEVICE_TEST("workgroups that wait for work do each task once, and end when all are finished") {
  need_waiting(device);
  check_trees(device, true);
}

DEVICE_TEST("workgroups that leave an empty queue do each task once") {
  need_waiting(device);
  check_trees(device, false);
}
