#include <weft/glsl.h>

#include "tests/algorithms/runs/runs_check.h"

using namespace weft;
using namespace weft::test;

/// Functions of the shader library, called by a user's kernels.

namespace {

/// Each invocation appends one element, several or none to each queue, and stores them at the slots it gets.
constexpr const char* enqueue_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #include "weft/device/enqueue.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments {
    Words source;
    WeftQueue by_lane, by_subgroup, by_workgroup, by_tile, selected, others;
    Words lane_items, subgroup_items, workgroup_items, tile_items, selected_items, other_items;
    uvec2 start;  // Counts of the queues before.
    uint count;
  } args;

  void put(Words items, WeftIndex index, uint i, uint number) {
    index = weft_subtract(index, weft_index(args.start));
    uint first = weft_low(index);
    if (index != weft_index(first)) return;
    for (uint k = 0u; k < number; ++k) items.at[first + k] = i * 16u + k;
  }

  void main() {
    uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool inside = i < args.count;
    uint x = inside ? args.source.at[i] : 0u;
    bool one = (x & 1u) != 0u, other = inside && !one;

    if (one) put(args.lane_items, weft_enqueue(args.by_lane), i, 1u);
    WeftIndex index = weft_enqueue_subgroup(args.by_subgroup, one);
    if (one) put(args.subgroup_items, index, i, 1u);

    // Twice in a row.
    uint several = (x >> 1) % 5u, more = (x >> 4) % 3u;
    WeftIndex first = weft_enqueue_workgroup(args.by_workgroup, several);
    WeftIndex second = weft_enqueue_workgroup(args.by_workgroup, more);
    put(args.workgroup_items, first, i, several);
    put(args.workgroup_items, second, i, more);

    uint total, others_total;
    uint before = weft_count_workgroup_exclusive_scan(several, total);
    put(args.tile_items, weft_add(weft_enqueue_tile(args.by_tile, total), before), i, several);

    uint selected_before = weft_count_workgroup_exclusive_scan(uint(one), total);
    uint others_before = weft_count_workgroup_exclusive_scan(uint(other), others_total);
    WeftIndex others_index;
    weft_enqueue_tile_two(args.selected, total, args.others, others_total, index, others_index);
    if (one) put(args.selected_items, weft_add(index, selected_before), i, 1u);
    if (other) put(args.other_items, weft_add(others_index, others_before), i, 1u);
  })";

constexpr size_t queues = 6;
constexpr const char* queue_names[queues] = {"by lane", "by subgroup", "by workgroup", "by tile", "selected", "others"};

struct EnqueueBlock {
  uint64_t source, queue[queues], items[queues], start;
  uint32_t count;
};

/// Contents of each queue at the end, ascending.
std::vector<std::vector<uint32_t>> expected_items(const std::vector<uint32_t>& data) {
  std::vector<std::vector<uint32_t>> items(queues);
  for (uint32_t i = 0; i < data.size(); ++i) {
    const uint32_t x = data[i], several = (x >> 1) % 5, more = (x >> 4) % 3;
    const auto put = [&](size_t queue, uint32_t number) {
      for (uint32_t k = 0; k < number; ++k) items[queue].push_back(i * 16 + k);
    };
    const uint32_t numbers[queues] = {x & 1, x & 1, several, several, x & 1, ~x & 1};
    for (size_t queue = 0; queue < queues; ++queue) put(queue, numbers[queue]);
    put(2, more);
  }
  for (std::vector<uint32_t>& each : items) std::ranges::sort(each);
  return items;
}

std::vector<std::pair<std::string, std::string>> defines(const Device& device, uint32_t workgroup) {
  const uint32_t lanes = std::max(1u, device.info().limits.min_subgroup_size);
  return {{"WEFT_MAX_SUBGROUPS", std::to_string((workgroup + lanes - 1) / lanes)}};
}

/// Appends after the first `start` slots, which have no memory.
void check_enqueue(Stream& stream, const Kernel& kernel, uint32_t workgroup, uint32_t count, uint64_t start,
                   std::mt19937_64& generator) {
  INFO("workgroups of ", workgroup, ", elements: ", count, ", behind ", start);
  const Device device = stream.device();
  const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
  const Guarded<uint32_t> source(device, stream, data, generator);
  const Guarded<uint64_t> counts(device, stream, std::vector<uint64_t>(queues, start), generator);
  EnqueueBlock block{Region(source).address(), {}, {}, start, count};
  std::vector<Guarded<uint32_t>> items;
  for (size_t queue = 0; queue < queues; ++queue) {
    items.emplace_back(device, stream, count * 7, generator);
    block.queue[queue] = Region(counts).address() + queue * sizeof(uint64_t);
    block.items[queue] = Region(items[queue]).address();
  }
  stream.dispatch(kernel, {(count + workgroup - 1) / workgroup, 1, 1}, block);
  const std::vector<std::vector<uint32_t>> expected = expected_items(data);
  const std::vector<uint64_t> found_counts = counts.read(stream);
  for (size_t queue = 0; queue < queues; ++queue) {
    INFO("queue: ", std::string(queue_names[queue]));
    const auto number = std::ptrdiff_t(expected[queue].size());
    CHECK_EQ(found_counts[queue], start + uint64_t(number));
    std::vector<uint32_t> found = items[queue].read(stream), poison = items[queue].poison();
    std::sort(found.begin(), found.begin() + number);
    std::ranges::copy(expected[queue], poison.begin());
    check_same(found, poison, "the queue and what is behind it");
  }
}

/// Sums the mass of each cell. Runs of lanes with the same cell are added up first.
constexpr const char* runs_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #extension GL_EXT_buffer_reference : require
  #extension GL_EXT_scalar_block_layout : require
  #define T uint
  #define WEFT_OP(name) sum_##name
  #define WEFT_COMBINE a + b
  #define WEFT_IDENTITY 0u
  #include "weft/thread/operator.glsl"
  #include "weft/subgroup/runs.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments { Words cells, masses, table, additions; uint count; } args;

  void main() {
    uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint cell = i < args.count ? args.cells.at[i] : 0xFFFFFFFFu;
    uint mass = i < args.count ? args.masses.at[i] : 7u;
    bool speaks = sum_subgroup_reduce_runs(cell, mass);
    if (speaks && i < args.count) {
      atomicAdd(args.table.at[cell], mass);
      args.additions.at[i] = 1u;
    }
    if (gl_SubgroupInvocationID == 0u && i < args.count) args.additions.at[i] |= 2u;
  })";

struct RunsBlock {
  uint64_t cells, masses, table, additions;
  uint32_t count;
};

void check_runs(Stream& stream, const Kernel& kernel, uint32_t workgroup, Runs runs, uint32_t count,
                std::mt19937_64& generator) {
  INFO("workgroups of ", workgroup, ", elements: ", count, ", ", std::string(name_of(runs)));
  const Device device = stream.device();
  std::vector<uint32_t> cells(count), masses = random_elements<uint32_t>(count, generator), table(37), additions(count);
  const std::vector<bool> heads = random_heads(count, runs, generator);
  for (uint32_t i = 0; i < count; ++i) {
    cells[i] = i > 0 && !heads[i] ? cells[i - 1] : uint32_t(generator() % table.size());
  }
  const Guarded<uint32_t> cell_words(device, stream, cells, generator), mass_words(device, stream, masses, generator),
      sums(device, stream, table, generator), spoken(device, stream, additions, generator);
  const RunsBlock block{Region(cell_words).address(), Region(mass_words).address(), Region(sums).address(),
                        Region(spoken).address(), count};
  stream.dispatch(kernel, {(count + workgroup - 1) / workgroup, 1, 1}, block);
  for (uint32_t i = 0; i < count; ++i) table[cells[i]] += masses[i];
  check_same(sums.read(stream), table, "the masses");
  additions = spoken.read(stream);
  bool once = true;  // Only the first lane of each run adds.
  for (uint32_t i = 0; i < count; ++i) {
    const bool first = (additions[i] & 2) != 0 || i == 0 || cells[i] != cells[i - 1];
    once = once && first == ((additions[i] & 1) != 0);
  }
  CHECK(once);
}

}  // namespace

DEVICE_TEST("a user's own kernel enqueues for lanes, subgroups, workgroups and tiles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("own enqueue");
  for (const uint32_t workgroup : {64u, 100u}) {
    GlslOptions options{.defines = defines(device, workgroup)};
    const bool wide = workgroup == 64 && device.info().features.int64 && device.info().features.buffer_int64_atomics;
    if (wide) options.defines.emplace_back("WEFT_WIDE_INDEX", "1");
    const Kernel kernel =
        device.kernel(compile_glsl(enqueue_source, options), KernelOptions().specialize(0, workgroup));
    for (const uint32_t count : {1u, workgroup, workgroup + 1, 5003u}) {
      check_enqueue(stream, kernel, workgroup, count, 0, generator);
    }
    if (wide) check_enqueue(stream, kernel, workgroup, 5003, (uint64_t(1) << 32) - 777, generator);
  }
}

DEVICE_TEST("a user's own kernel adds up runs of equal keys in a subgroup") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("own runs");
  for (const uint32_t workgroup : {64u, 100u}) {
    const Kernel kernel = device.kernel_from_glsl(runs_source, KernelOptions().specialize(0, workgroup));
    for (const Runs runs : all_runs) check_runs(stream, kernel, workgroup, runs, 5003, generator);
  }
}
