#include <weft/waterfall.h>

#include <algorithm>
#include <bit>

#include "tests/algorithms/persistent/staying.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;

/// weft/device/waterfall.glsl in one dispatch and level by level.

namespace {

/// The paths that the device has.
std::vector<TaskPath> paths(const Device& device) {
  if (!device.info().features.workgroup_forward_progress) return {TaskPath::levels};
  return {TaskPath::one_dispatch, TaskPath::levels};
}

const char* name_of(TaskPath path) { return path == TaskPath::levels ? "level by level" : "one dispatch"; }

// ------------------------------------------------------------------------------------------- graphs of known levels

// A task's value depends on those of up to four tasks of lower numbers. A flag says that its task is done.
const std::string graph_source = R"(
  #include "weft/device/waterfall.glsl"
  layout(push_constant, scalar) uniform Push { WeftWaterfall waterfall; Words needs, values, runs; } args;
  void main() {
    uint task;
    bool open = weft_waterfall_claim(args.waterfall, task);
    do {
      bool ready = open;
      for (uint k = 0u; k < 4u && ready; ++k) {
        uint need = args.needs.at[4u * task + k];
        ready = need >= task || weft_waterfall_is_set(args.waterfall, need);
      }
      if (ready) {
        uint x = task;
        for (uint k = 0u; k < 4u; ++k) {
          uint need = args.needs.at[4u * task + k];
          x = x * 31u + (need < task ? args.values.at[need] : 7u);
        }
        args.values.at[task] = x;
        atomicAdd(args.runs.at[task], 1u);
        weft_waterfall_set(args.waterfall, task);
        open = false;
      }
    } while (weft_waterfall_any(open));
    weft_waterfall_end(args.waterfall);
  })";

struct GraphBlock {
  uint64_t waterfall, needs, values, runs;
};

/// Tasks by level. A need that is not lower than its task is none.
struct Graph {
  std::vector<uint32_t> needs, level_ends, values;

  Graph(uint32_t levels, uint32_t most_in_level, std::mt19937_64& generator) {
    for (uint32_t level = 0, begin = 0; level < levels; ++level) {
      const auto task_count = uint32_t(1 + generator() % most_in_level), end = begin + task_count;
      const uint32_t before = level < 2 ? 0 : level_ends[level - 2];
      for (uint32_t task = begin; task < end; ++task) {
        uint32_t x = task;
        for (uint32_t k = 0; k < 4; ++k) {
          // One need is of the level before, the others are of any earlier one, or none.
          uint32_t need = task;
          if (level > 0 && k == 0) need = before + uint32_t(generator() % (begin - before));
          if (level > 0 && k > 0 && generator() % 3 != 0) need = uint32_t(generator() % begin);
          needs.push_back(need);
          x = x * 31 + (need < task ? values[need] : 7);
        }
        values.push_back(x);
      }
      level_ends.push_back(begin = end);
    }
  }
};

void check_graph(Stream& stream, const Kernel& kernel, TaskPath path, uint32_t levels, uint32_t most_in_level,
                 std::mt19937_64& generator) {
  const Device device = stream.device();
  const Graph graph(levels, most_in_level, generator);
  const size_t tasks = graph.values.size();
  INFO(std::string(name_of(path)), ", levels: ", levels, ", tasks: ", tasks);
  const Waterfall waterfall(device, tasks, path);
  const GuardedBytes memory(device, stream, waterfall.bytes(), 4, generator);
  const Guarded<uint32_t> needs(device, stream, graph.needs, generator), values(device, stream, tasks, generator),
      runs(device, stream, std::vector<uint32_t>(tasks), generator);
  const GraphBlock block{memory.region().address(), Region(needs).address(), Region(values).address(),
                         Region(runs).address()};
  for (uint32_t run = 1; run <= 2; ++run) {
    stream.fill(values.view(), 0xdeadbeefu);
    waterfall.record(stream, kernel, block, memory.region(), graph.level_ends);
    check_same(values.read(stream), graph.values, "the values");
    check_same(runs.read(stream), std::vector<uint32_t>(tasks, run), "the number of runs");
    memory.check_guards(stream);
  }
}

// ------------------------------------------------------------------------------------------------ trees from the top

// A binary tree over sorted keys, from the root down: a node of several keys is split where their highest differing bit
// changes, or in the middle if they are equal. The task of a node makes its children. A node is its first key, its last
// key and the first of its two children. (Karras 2012 splits likewise, from the leaves up.)
const std::string tree_source = R"(
  #include "weft/device/waterfall.glsl"
  layout(push_constant, scalar) uniform Push { WeftWaterfall waterfall; Words keys, nodes; } args;

  // The first key of the right child.
  uint split(uint first, uint last) {
    uint differing = args.keys.at[first] ^ args.keys.at[last];
    if (differing == 0u) return (first + last + 1u) / 2u;
    uint bit = 1u << findMSB(differing);
    uint zero = first, one = last;  // Keys without and with the bit.
    while (one - zero > 1u) {
      uint middle = (zero + one) / 2u;
      if ((args.keys.at[middle] & bit) == 0u) zero = middle; else one = middle;
    }
    return one;
  }
  void set(uint node, uint first, uint last) {
    args.nodes.at[3u * node] = first;
    args.nodes.at[3u * node + 1u] = last;
    weft_waterfall_set(args.waterfall, node);
  }
  void main() {
    uint node;
    bool open = weft_waterfall_claim(args.waterfall, node);
    do {
      if (open && weft_waterfall_is_set(args.waterfall, node)) {
        uint first = args.nodes.at[3u * node], last = args.nodes.at[3u * node + 1u], child = 0u;
        if (first < last) {
          child = weft_waterfall_append(args.waterfall, 2u);
          uint right = split(first, last);
          set(child, first, right - 1u);
          set(child + 1u, right, last);
        }
        args.nodes.at[3u * node + 2u] = child;
        open = false;
      }
    } while (weft_waterfall_any(open));
    weft_waterfall_end(args.waterfall);
  })";

struct TreeBlock {
  uint64_t waterfall, keys, nodes;
};

uint32_t split(const std::vector<uint32_t>& keys, uint32_t first, uint32_t last) {
  const uint32_t differing = keys[first] ^ keys[last];
  if (differing == 0) return (first + last + 1) / 2;
  const uint32_t bit = std::bit_floor(differing);
  uint32_t right = first;
  while (!(keys[right] & bit)) ++right;
  return right;
}

/// Checks every node from the root down; returns the number of nodes met, 0 if one is wrong.
uint32_t check_nodes(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& nodes) {
  struct Node {
    uint32_t number, first, last;
  };
  std::vector<Node> open{{0, 0, uint32_t(keys.size() - 1)}};
  std::vector<bool> met(nodes.size() / 3);
  uint32_t count = 0;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.number >= met.size() || met[node.number]) return 0;
    met[node.number] = true;
    ++count;
    const uint32_t* const found = &nodes[3 * node.number];
    if (found[0] != node.first || found[1] != node.last) return 0;
    if (node.first == node.last) continue;
    const uint32_t right = split(keys, node.first, node.last);
    open.push_back({found[2], node.first, right - 1});
    open.push_back({found[2] + 1, right, node.last});
  }
  return count;
}

void check_tree(Stream& stream, const Kernel& kernel, TaskPath path, std::vector<uint32_t> keys,
                std::mt19937_64& generator) {
  INFO(std::string(name_of(path)), ", keys: ", keys.size());
  const Device device = stream.device();
  std::ranges::sort(keys);
  const size_t node_count = 2 * keys.size() - 1;
  const Waterfall waterfall(device, node_count, path);
  const GuardedBytes memory(device, stream, waterfall.bytes(), 8, generator);
  const Guarded<uint32_t> key_words(device, stream, keys, generator), nodes(device, stream, 3 * node_count, generator);
  stream.fill(nodes.view().part(0, 1), 0u);
  stream.fill(nodes.view().part(1, 1), uint32_t(keys.size() - 1));
  // 32 levels of bits, and those of equal keys.
  waterfall.record(stream, kernel,
                   TreeBlock{memory.region().address(), Region(key_words).address(), Region(nodes).address()},
                   memory.region(), node_count, 1, 34 + uint32_t(std::bit_width(keys.size())));
  CHECK_EQ(check_nodes(keys, nodes.read(stream)), node_count);
  memory.check_guards(stream);
}

}  // namespace

DEVICE_TEST("a waterfall over random graphs equals their serial order") {
  need_memory_model(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("graphs");
  for (const TaskPath path : paths(device)) {
    const Waterfall any(device, 1, path);
    for (const uint32_t lanes : {1u, 37u}) {
      const Kernel kernel = compile(device, staying_head + graph_source, lanes, any.defines());
      check_graph(stream, kernel, path, 1, 1, generator);
      check_graph(stream, kernel, path, 7, 30, generator);
      if (lanes == 1) continue;
      check_graph(stream, kernel, path, 100, 1, generator);  // a chain
      check_graph(stream, kernel, path, 12, 400, generator);
    }
  }
}

DEVICE_TEST("a waterfall builds a binary tree from the top") {
  need_memory_model(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("trees");
  for (const TaskPath path : paths(device)) {
    const Waterfall any(device, 1, path);
    const Kernel kernel = compile(device, staying_head + tree_source, 64, any.defines());
    for (const uint32_t count : {1u, 2u, 33u, 2500u}) {
      check_tree(stream, kernel, path, random_values<uint32_t>(count, generator), generator);
    }
    std::vector<uint32_t> few(300), chain;
    for (uint32_t& key : few) key = uint32_t(generator() % 5);
    for (uint32_t bit = 0; bit < 32; ++bit) chain.push_back(1u << bit);
    check_tree(stream, kernel, path, few, generator);
    check_tree(stream, kernel, path, std::vector<uint32_t>(100, 42), generator);
    check_tree(stream, kernel, path, chain, generator);
  }
}

DEVICE_TEST("a waterfall's tasks and memory are checked") {
  need_memory_model(device);
  Stream stream = device.stream();
  const Waterfall waterfall(device, 100, TaskPath::levels);
  const Kernel kernel = compile(device, staying_head + graph_source, 37, waterfall.defines());
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(200);
  const auto record = [&](const Region& region, uint64_t tasks, uint64_t ready) {
    return [&, region, tasks, ready] { waterfall.record(stream, kernel, GraphBlock{}, region, tasks, ready, 1); };
  };
  check_error(ErrorCode::invalid_argument, {"Waterfall", "101 tasks", "100"}, record(memory, 101, 1));
  check_error(ErrorCode::invalid_argument, {"Waterfall", "5 tasks", "6 of them ready"}, record(memory, 5, 6));
  check_error(ErrorCode::invalid_argument, {"Waterfall", "28 bytes", "32"}, record(memory.part(0, 7).region(), 100, 1));
  const std::vector<uint32_t> descending{5, 3, 9};
  check_error(ErrorCode::invalid_argument, {"Waterfall", "level_ends", "ascend"},
              [&] { waterfall.record(stream, kernel, GraphBlock{}, memory, descending); });
  check_error(ErrorCode::invalid_argument, {"Waterfall", "1073741825"},
              [&] { Waterfall(device, (uint64_t(1) << 30) + 1, TaskPath::levels); });
}

TEST_CASE("without forward progress a waterfall runs level by level") {
  std::vector<RequestedKernel> kernels;
  DeviceInfo info = gpu(32, 1 << 15);
  CHECK(Waterfall(recording_device(info, kernels), 10).path() == TaskPath::one_dispatch);
  info.features.workgroup_forward_progress = false;
  const Device device = recording_device(info, kernels);
  CHECK(Waterfall(device, 10).path() == TaskPath::levels);
  check_error(ErrorCode::unsupported, {"Waterfall", info.name, "keeps running"},
              [&] { Waterfall(device, 10, TaskPath::one_dispatch); });
}
