#include <weft/pool.h>

#include <algorithm>

#include <weft/glsl.h>

#include "tests/support/needs.h"

using namespace weft;
using namespace weft::test;

/// weft/pool.h and weft/device/pool.glsl: whoever takes a buffer has it alone until it gives it back.

namespace {

/// Takes and gives by subgroups, workgroups or single invocations. Marks in a buffer show who has it.
constexpr const char* pool_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #include "weft/device/pool.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Marks { nonprivate uint at[]; };
  struct Counts { uint taken, none, wrong, other; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Results { Counts counts; };
  layout(push_constant) uniform Arguments {
    WeftPool pool;
    Results results;
    uint rounds, groups;
  } args;

  #if defined(BY_SUBGROUP)
  #define TAKE() weft_pool_take_subgroup(args.pool)
  #define GIVE(index) weft_pool_give_subgroup(args.pool, index)
  bool speaks() { return subgroupElect(); }
  uint owner() { return weft_group_index() * gl_NumSubgroups + gl_SubgroupID; }
  uint members() { return subgroupBallotBitCount(subgroupBallot(true)); }
  uint member() { return subgroupBallotExclusiveBitCount(subgroupBallot(true)); }
  // Lanes of a subgroup share no memory without an order; each looks at its own mark.
  uint looks_at() { return member(); }
  void meet() { subgroupAny(args.rounds > 0u); }
  #elif defined(BY_WORKGROUP)
  #define TAKE() weft_pool_take_workgroup(args.pool)
  #define GIVE(index) weft_pool_give_workgroup(args.pool, index)
  bool speaks() { return gl_LocalInvocationIndex == 0u; }
  uint owner() { return weft_group_index(); }
  uint member() { return gl_LocalInvocationIndex; }
  uint looks_at() { return (gl_LocalInvocationIndex + 1u) % gl_WorkGroupSize.x; }
  void meet() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  }
  #else
  #define TAKE() weft_pool_take(args.pool, owner())
  #define GIVE(index) weft_pool_give(args.pool, index)
  uint owner() { return gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }
  bool speaks() { return true; }
  uint member() { return 0u; }
  uint looks_at() { return 0u; }
  void meet() {}
  #endif

  void main() {
    for (uint round = 0u; round < args.rounds; ++round) {
      uint index = TAKE();
  #ifdef WAITS
      while (index == weft_pool_none) index = TAKE();
  #endif
      if (index == weft_pool_none) {
        if (speaks()) atomicAdd(args.results.counts.none, 1u);
        continue;
      }
      if (speaks()) atomicAdd(args.results.counts.taken, 1u);
      if (index >= args.pool.count) {
        atomicAdd(args.results.counts.wrong, 1u);
        continue;
      }
      Marks marks = Marks(weft_pool_address(args.pool, index));
      uint mark = owner() * args.rounds + round + 1u;
      if (marks.at[member()] != 0u) atomicAdd(args.results.counts.wrong, 1u);
      marks.at[member()] = mark;
      meet();
      for (uint k = 0u; k < 3u; ++k) atomicAdd(args.results.counts.other, 1u);  // others come in between
      if (marks.at[looks_at()] != mark) atomicAdd(args.results.counts.wrong, 1u);
      meet();
      marks.at[member()] = 0u;
      GIVE(index);
    }
  })";

enum class By { subgroup, workgroup, invocation };

struct Counts {
  uint32_t taken, none, wrong, other;
};
struct PoolBlock {
  Pool::Block pool;
  uint64_t results;
  uint32_t rounds, groups;
};

Kernel make_kernel(const Device& device, By by, bool waits, uint32_t workgroup) {
  GlslOptions options = GlslOptions::from_environment();
  if (by == By::subgroup) options.defines.push_back({"BY_SUBGROUP", "1"});
  if (by == By::workgroup) options.defines.push_back({"BY_WORKGROUP", "1"});
  if (waits) options.defines.push_back({"WAITS", "1"});
  return device.kernel(compile_glsl(pool_source, options), KernelOptions().specialize(0, workgroup));
}

/// Memory of a pool between guards, cleared, with zeros in the buffers.
struct PoolMemory {
  PoolMemory(Stream& stream, const Pool& its_pool, std::mt19937_64& generator)
      : pool(its_pool),
        words(stream.device(), stream, pool.bytes() / 4, generator),
        bits((pool.block(words).buffers - Region(words).address()) / 4) {
    pool.record_clear(stream, words);
    stream.fill(words.view().from(bits), 0u);
  }
  std::vector<uint32_t> buffers(Stream& stream) const {
    const std::vector<uint32_t> all = words.read(stream);
    return {all.begin() + std::ptrdiff_t(bits), all.end()};
  }

  Pool pool;
  Guarded<uint32_t> words;
  uint64_t bits;  ///< Words before the first buffer.
};

struct TakeShape {
  uint32_t buffers, workgroup, groups, rounds;
};

void check_takes(Stream& stream, By by, bool waits, const TakeShape& shape, std::mt19937_64& generator) {
  INFO("buffers: ", shape.buffers, ", workgroups: ", shape.groups, " of ", shape.workgroup, ", waits: ", waits);
  const Device device = stream.device();
  const Kernel kernel = make_kernel(device, by, waits, shape.workgroup);
  const PoolMemory memory(stream, Pool(shape.buffers, 512), generator);
  const Guarded<uint32_t> results(device, stream, std::vector<uint32_t>(4, 0), generator);
  stream.dispatch(kernel, {shape.groups},
                  PoolBlock{memory.pool.block(memory.words), Region(results).address(), shape.rounds, shape.groups});
  const std::vector<uint32_t> words = results.read(stream);
  const Counts counts{words[0], words[1], words[2], words[3]};
  const uint32_t lanes = device.info().limits.subgroup_size;
  const uint32_t takers = by == By::workgroup    ? shape.groups
                          : by == By::invocation ? shape.groups * shape.workgroup
                                                 : shape.groups * ((shape.workgroup + lanes - 1) / lanes);
  CHECK_EQ(counts.wrong, 0);
  CHECK_EQ(counts.taken + counts.none, takers * shape.rounds);
  if (waits || shape.buffers >= takers) CHECK_EQ(counts.none, 0);
  CHECK_GT(counts.taken, 0);
  CHECK_EQ(memory.pool.count_taken(stream, memory.words), 0);
  const std::vector<uint32_t> marks = memory.buffers(stream);
  check_same(marks, std::vector<uint32_t>(marks.size(), 0), "marks in the buffers");
}

void check_owners(const Device& device, By by) {
  need_memory_model(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("pool");
  const uint32_t groups = computes_on_cpu(device) ? 24 : 512;
  for (const uint32_t workgroup : {1u, 5u, 64u, 100u}) {
    for (const uint32_t buffers : {1u, 3u, 33u, 5000u}) {
      check_takes(stream, by, false, {buffers, workgroup, groups, 3}, generator);
    }
  }
  // The header says why workgroups do not wait.
  if (by != By::subgroup || !device.info().features.workgroup_forward_progress) return;
  for (const uint32_t buffers : {1u, 3u}) check_takes(stream, by, true, {buffers, 64, groups, 3}, generator);
}

/// Each invocation takes a buffer and keeps it, or gives back the one that is listed for it.
constexpr const char* keeping_source = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/device/pool.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant) uniform Arguments { WeftPool pool; Words buffers; uint count, gives; } args;
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= args.count) return;
    if (args.gives == 0u) args.buffers.at[i] = weft_pool_take(args.pool, i);
    else weft_pool_give(args.pool, args.buffers.at[i]);
  })";

struct KeepingBlock {
  Pool::Block pool;
  uint64_t buffers;
  uint32_t count, gives;
};

/// The buffers that were taken, in order. The others must have got none.
std::vector<uint32_t> taken_of(std::vector<uint32_t> buffers) {
  std::ranges::sort(buffers);
  while (!buffers.empty() && buffers.back() == ~0u) buffers.pop_back();
  return buffers;
}

}  // namespace

DEVICE_TEST("a subgroup has a buffer of a pool alone") { check_owners(device, By::subgroup); }
DEVICE_TEST("a workgroup has a buffer of a pool alone") { check_owners(device, By::workgroup); }
DEVICE_TEST("an invocation has a buffer of a pool alone") { check_owners(device, By::invocation); }

DEVICE_TEST("a pool gives each of its buffers once, and then none") {
  need_memory_model(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("keeping");
  const Kernel kernel = device.kernel_from_glsl(keeping_source);
  for (const uint32_t buffers : {1u, 2u, 31u, 32u, 33u, 1000u}) {
    for (const uint32_t more : {0u, 1u, 77u}) {
      INFO("buffers: ", buffers, ", more takers: ", more);
      const PoolMemory memory(stream, Pool(buffers, 4), generator);
      const uint32_t count = buffers + more;
      const Guarded<uint32_t> got(device, stream, count, generator);
      const auto run = [&](uint32_t gives) {
        stream.dispatch(kernel, {(count + 63) / 64},
                        KeepingBlock{memory.pool.block(memory.words), Region(got).address(), count, gives});
      };
      std::vector<uint32_t> all(buffers);
      for (uint32_t i = 0; i < buffers; ++i) all[i] = i;
      run(0);
      const std::vector<uint32_t> first = got.read(stream);
      check_same(taken_of(first), all, "the buffers that were taken");
      CHECK_EQ(memory.pool.count_taken(stream, memory.words), buffers);
      run(0);
      check_same(got.read(stream), std::vector<uint32_t>(count, ~0u), "takes from an empty pool");
      stream.upload(got.view(), std::span<const uint32_t>(first));
      run(1);  // those that got none give none
      CHECK_EQ(memory.pool.count_taken(stream, memory.words), 0);
      run(0);
      check_same(taken_of(got.read(stream)), all, "the buffers that were taken again");
      memory.pool.record_clear(stream, memory.words);
      CHECK_EQ(memory.pool.count_taken(stream, memory.words), 0);
    }
  }
}

DEVICE_TEST("a pool knows its memory and refuses what cannot be one") {
  const Pool pool(33, 100);
  CHECK_EQ(pool.buffer_bytes(), 112);
  CHECK_EQ(pool.bytes(), 16 + 33 * 112);
  const Buffer<std::byte> memory = device.buffer<std::byte>(pool.bytes() + 8);
  const Pool::Block block = pool.block(memory);
  CHECK_EQ(block.buffers - block.taken, 16);
  CHECK_EQ(block.buffers % 16, 0);
  check_error(ErrorCode::invalid_argument, {"Pool of 0", "1 TiB"}, [] { Pool(0, 16); });
  check_error(ErrorCode::invalid_argument, {"of 0 bytes"}, [] { Pool(16, 0); });
  check_error(ErrorCode::invalid_argument, {"4 GiB"}, [] { Pool(1, 0xFFFFFFFF); });
  check_error(ErrorCode::invalid_argument, {"1 TiB"}, [] { Pool(1 << 20, (1 << 20) + 1); });
  CHECK_EQ(Pool(1 << 20, 1 << 20).buffers(), 1 << 20);
  check_error(ErrorCode::invalid_argument, {"needs 3712 bytes"}, [&] { pool.block(memory.part(0, 3711)); });
  check_error(ErrorCode::invalid_argument, {"multiple of 16"}, [&] { pool.block(memory.part(8, 3712)); });
}
