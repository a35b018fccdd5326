#include <weft/slab_allocator.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <weft/glsl.h>

#include "tests/support/needs.h"

using namespace weft;
using namespace weft::test;

/// weft/slab_allocator.h and weft/device/slab_allocator.glsl.

namespace {

/// The memory of an allocator between guards, cleared.
struct Heap {
  Heap(Stream& stream, uint64_t heap_bytes, uint32_t slab_bytes, std::mt19937_64& generator)
      : allocator(heap_bytes, {.slab_bytes = slab_bytes}),
        words(stream.device(), stream, allocator.bytes() / 4, generator) {
    allocator.record_clear(stream, words);
  }
  SlabAllocator::Block block() const { return allocator.block(words); }
  void check_empty(Stream& stream) const {
    const SlabAllocator::Usage usage = allocator.usage(stream, words);
    CHECK_EQ(usage.slabs, 0);
    for (const uint64_t blocks : usage.blocks) CHECK_EQ(blocks, 0);
    const View<const uint32_t> bits(Region(words).part(0, (allocator.slabs() + 31) / 32 * 4));
    check_same(stream.download(bits), std::vector<uint32_t>(bits.size(), 0), "slabs that the pool lacks");
    words.check_guards(stream);
  }

  SlabAllocator allocator;
  Guarded<uint32_t> words;
};

/// Invocation i allocates sizes[i] bytes, or frees the address that is listed for it.
constexpr const char* one_source = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/device/slab_allocator.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Addresses { uvec2 at[]; };
  layout(push_constant) uniform Arguments {
    WeftSlabAllocator heap;
    Words sizes;  // then 1 where something was freed
    Addresses addresses;
    uint count, frees;
  } args;
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= args.count) return;
    if (args.frees == 0u) args.addresses.at[i] = weft_allocate(args.heap, args.sizes.at[i]);
    else args.sizes.at[i] = uint(weft_free(args.heap, args.addresses.at[i]));
  })";

struct OneBlock {
  SlabAllocator::Block heap;
  uint64_t sizes, addresses;
  uint32_t count, frees;
};

class OneEach {
 public:
  explicit OneEach(Stream& stream) : stream_(stream), kernel_(stream.device().kernel_from_glsl(one_source)) {}

  std::vector<uint64_t> allocate(const Heap& heap, const std::vector<uint32_t>& sizes) {
    std::vector<uint64_t> addresses(sizes.size(), 0xa5a5a5a5);
    run(heap, sizes, addresses, 0);
    return addresses;
  }
  /// Returns 1 for each that was freed.
  std::vector<uint32_t> free(const Heap& heap, std::vector<uint64_t> addresses) {
    std::vector<uint32_t> freed(addresses.size(), 7);
    run(heap, freed, addresses, 1);
    return freed;
  }

 private:
  template <typename Sizes>
  void run(const Heap& heap, Sizes& sizes, std::vector<uint64_t>& addresses, uint32_t frees) {
    const Device device = stream_.device();
    const auto size = device.buffer<uint32_t>(sizes.size());
    const auto address = device.buffer<uint64_t>(sizes.size());
    stream_.upload(size, sizes);
    stream_.upload(address, addresses);
    stream_.dispatch(
        kernel_, {(uint32_t(sizes.size()) + 63) / 64},
        OneBlock{heap.block(), size.pointer().address, address.pointer().address, uint32_t(sizes.size()), frees});
    if constexpr (!std::is_const_v<Sizes>) sizes = stream_.download(size);
    addresses = stream_.download(address);
  }

  Stream& stream_;
  Kernel kernel_;
};

uint32_t class_bytes(uint32_t bytes) {
  uint32_t size = 16;
  while (size < bytes) size *= 2;
  return size;
}

/// Checks that the blocks are in the heap, aligned, and apart. Returns how many are not null.
size_t check_blocks(const Heap& heap, const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& addresses) {
  std::vector<std::pair<uint64_t, uint64_t>> blocks;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (addresses[i] != 0) blocks.emplace_back(addresses[i], addresses[i] + class_bytes(sizes[i]));
  }
  std::ranges::sort(blocks);
  const uint64_t first = heap.block().slabs.buffers;
  uint64_t end = first;
  size_t wrong = 0;
  for (const auto& [from, to] : blocks) {
    if (from < end || from % 16 != 0) ++wrong;
    end = to;
  }
  CHECK_EQ(wrong, 0);
  CHECK_LE(end - first, uint64_t{heap.allocator.slabs()} * heap.allocator.slab_bytes());
  return blocks.size();
}

/// Each invocation holds up to four blocks, and allocates and frees at random. Its mark is in the first and last word
/// of each block that it holds.
constexpr const char* trace_source = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/device/slab_allocator.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
  struct Counts { uint allocated, none, wrong, unused; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Results { Counts counts; };
  layout(push_constant) uniform Arguments {
    WeftSlabAllocator heap;
    Results results;
    uint seed, steps, largest, unused;
  } args;

  uint state;
  uint random() {
    state = state * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
  }

  void free_block(uvec2 address, uint last, uint mark) {
    Words words = Words(address);
    bool wrong = words.at[0] != mark || words.at[last] != mark;
    if (!weft_free(args.heap, address) || wrong) atomicAdd(args.results.counts.wrong, 1u);
  }

  void main() {
    uint i = gl_GlobalInvocationID.x;
    state = i * 7919u + args.seed;
    uvec2 held[4];
    uint last[4], mark[4];
    for (uint k = 0u; k < 4u; ++k) held[k] = weft_null;
    for (uint step = 0u; step < args.steps; ++step) {
      uint k = random() % 4u;
      if (held[k] != weft_null) {
        free_block(held[k], last[k], mark[k]);
        held[k] = weft_null;
        continue;
      }
      uint bytes = 1u + random() % (args.largest >> (random() % 8u));  // small ones more often
      held[k] = weft_allocate(args.heap, bytes);
      atomicAdd(args.results.counts.allocated, uint(held[k] != weft_null));
      atomicAdd(args.results.counts.none, uint(held[k] == weft_null));
      if (held[k] == weft_null) continue;
      last[k] = (max(bytes, 4u) - 4u) / 4u;
      mark[k] = i * args.steps + step + 1u;
      Words words = Words(held[k]);
      words.at[0] = mark[k];
      words.at[last[k]] = mark[k];
    }
    for (uint k = 0u; k < 4u; ++k) {
      if (held[k] != weft_null) free_block(held[k], last[k], mark[k]);
    }
  })";

struct TraceBlock {
  SlabAllocator::Block heap;
  uint64_t results;
  uint32_t seed, steps, largest, unused;
};

}  // namespace

DEVICE_TEST("a heap has exactly the blocks of its slabs, in every size class") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("slabs");
  OneEach one_each(stream);
  constexpr uint32_t slabs = 5, slab_bytes = 8192;
  for (uint32_t size_class = 0; size_class < SlabAllocator::classes; ++size_class) {
    const uint32_t bytes = 16u << size_class, in_slab = slab_bytes / bytes, room = slabs * in_slab;
    INFO("blocks of ", bytes);
    const Heap heap(stream, slabs * slab_bytes, slab_bytes, generator);
    const auto sizes = [&](uint32_t count) {
      std::vector<uint32_t> all(count);
      for (uint32_t& size : all) size = bytes - uint32_t(generator() % (bytes == 16 ? 16 : bytes / 2));
      return all;
    };
    // No slab is taken before the one in use is full.
    std::vector<uint64_t> addresses = one_each.allocate(heap, sizes(in_slab + 1));
    CHECK_EQ(heap.allocator.usage(stream, heap.words).slabs, 2);
    const std::vector<uint64_t> rest = one_each.allocate(heap, sizes(room - in_slab - 1));
    addresses.insert(addresses.end(), rest.begin(), rest.end());
    CHECK_EQ(check_blocks(heap, std::vector<uint32_t>(room, bytes), addresses), room);
    const SlabAllocator::Usage usage = heap.allocator.usage(stream, heap.words);
    CHECK_EQ(usage.slabs, slabs);
    CHECK_EQ(usage.blocks[size_class], room);
    const std::vector<uint64_t> none(70, 0);
    check_same(one_each.allocate(heap, sizes(70)), none, "blocks of a full heap");
    check_same(one_each.allocate(heap, std::vector<uint32_t>(70, bytes == 16 ? 32 : 16)), none, "other blocks");

    // What is freed anywhere is found again.
    std::ranges::shuffle(addresses, generator);
    const std::vector<uint64_t> some(addresses.begin(), addresses.begin() + (room + 2) / 3);
    check_same(one_each.free(heap, some), std::vector<uint32_t>(some.size(), 1), "frees of a third");
    std::ranges::copy(one_each.allocate(heap, sizes(uint32_t(some.size()))), addresses.begin());
    CHECK_EQ(check_blocks(heap, std::vector<uint32_t>(room, bytes), addresses), room);

    check_same(one_each.free(heap, addresses), std::vector<uint32_t>(room, 1), "frees");
    heap.check_empty(stream);
    check_same(one_each.free(heap, addresses), std::vector<uint32_t>(room, 0), "second frees");
    CHECK_NE(one_each.allocate(heap, {bytes == 16 ? 32u : 16u}), std::vector<uint64_t>{0});
  }
}

DEVICE_TEST("nobody is refused while another takes the last slab") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("last slab");
  OneEach one_each(stream);
  const uint32_t slabs = computes_on_cpu(device) ? 128 : 4096;  // several hints
  const Heap heap(stream, slabs * 4096, 4096, generator);
  for (int round = 0; round < 50; ++round) {
    heap.allocator.record_clear(stream, heap.words);
    const std::vector<uint64_t> addresses = one_each.allocate(heap, std::vector<uint32_t>(slabs * 2, 2048));
    CHECK_EQ(std::ranges::count(addresses, 0u), 0);
  }
}

DEVICE_TEST("a slab on its way is waited for") {
  need_waiting(device);
  // The first workgroup takes the only slab from the pool, without a class, and gives it back a little later.
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    #include "weft/device/slab_allocator.glsl"
    struct State { uint ticket, taken, arrived, allocated; };
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer States { State it; };
    layout(push_constant) uniform Arguments { WeftSlabAllocator heap; States state; } args;
    void main() {
      if (atomicAdd(args.state.it.ticket, 1u) == 0u) {
        uint slab = weft_pool_take(args.heap.slabs, 0u);
        atomicStore(args.state.it.taken, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
        // The other may not have started yet, so there is an end to it.
        uint more = 20000u;
        for (uint k = 0u; k < 3000000u && more > 0u; ++k) {
          more -= atomicLoad(args.state.it.arrived, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        }
        weft_pool_give(args.heap.slabs, slab);
      } else {
        while (atomicLoad(args.state.it.taken, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 0u) {
        }
        atomicStore(args.state.it.arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
        args.state.it.allocated = uint(weft_allocate(args.heap, 100u) != weft_null);
      }
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("on its way");
  const Heap heap(stream, 4096, 4096, generator);
  const Guarded<uint32_t> state(device, stream, std::vector<uint32_t>(4, 0), generator);
  struct Block {
    SlabAllocator::Block heap;
    uint64_t state;
  };
  stream.dispatch(kernel, {2}, Block{heap.block(), Region(state).address()});
  check_same(state.read(stream), {2, 1, 1, 1}, "the state");
}

DEVICE_TEST("blocks of mixed sizes are apart, and any invocation may free them") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("mixed slabs");
  OneEach one_each(stream);
  const uint32_t count = computes_on_cpu(device) ? 700 : 50000;
  const Heap heap(stream, uint64_t{count} * 4096 + (9 << 14), 1 << 14, generator);
  for (int round = 0; round < 3; ++round) {
    std::vector<uint32_t> sizes(count);
    for (uint32_t& size : sizes) size = 1 + uint32_t(generator() % (4096 >> generator() % 9));
    std::vector<uint64_t> addresses = one_each.allocate(heap, sizes);
    CHECK_EQ(check_blocks(heap, sizes, addresses), count);
    std::ranges::shuffle(addresses, generator);
    // Half of them, others in their room, then all.
    const std::vector<uint64_t> half(addresses.begin(), addresses.begin() + count / 2);
    check_same(one_each.free(heap, half), std::vector<uint32_t>(half.size(), 1), "frees of half");
    const std::vector<uint64_t> more = one_each.allocate(heap, std::vector<uint32_t>(half.size(), 48));
    CHECK_EQ(std::ranges::count(more, 0u), 0);
    std::ranges::copy(more, addresses.begin());
    check_same(one_each.free(heap, addresses), std::vector<uint32_t>(count, 1), "frees");
    heap.check_empty(stream);
  }
}

DEVICE_TEST("what is not a block is not freed, and sizes out of range get none") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("no blocks");
  OneEach one_each(stream);
  const Heap heap(stream, 2 * 4096, 4096, generator);
  const std::vector<uint64_t> got = one_each.allocate(heap, {0, 4097, ~0u, 100, 4096});
  check_same(std::vector<uint64_t>(got.begin(), got.begin() + 3), std::vector<uint64_t>(3, 0), "sizes out of range");
  REQUIRE_NE(got[3], 0);
  REQUIRE_NE(got[4], 0);
  const uint64_t first = heap.block().slabs.buffers, end = first + 2 * 4096;
  const std::vector<uint64_t> none{
      0,           1,           first - 16,      end,         end + 4096,          got[3] + 16,
      got[3] + 64, got[4] + 16, got[4] + 0x800u, ~uint64_t{}, first + (1ull << 32)};
  check_same(one_each.free(heap, none), std::vector<uint32_t>(none.size(), 0), "frees of no block");
  // 64 bytes on is in the middle of the block of 128; 128 on is a block that nobody has.
  check_same(one_each.free(heap, {got[3] % 4096 < 2048 ? got[3] + 128 : got[3] - 128, got[3], got[4]}), {0, 1, 1},
             "frees beside blocks");
  heap.check_empty(stream);
}

DEVICE_TEST("random traces keep each block to its owner") {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("traces");
  const Kernel kernel = device.kernel_from_glsl(trace_source);
  const uint32_t groups = computes_on_cpu(device) ? 32 : 400, holders = groups * 64;
  struct Shape {
    uint64_t heap_bytes;
    uint32_t slab_bytes, largest;
    bool fits;
  };
  // With room for all at once, none is refused. A single slab serves one class at a time.
  const Shape shapes[] = {{uint64_t{holders} * 4 * 4096 + (9 << 16), 1 << 16, 4096, true},
                          {uint64_t{holders} * 4 * 32, 4096, 4096, false},
                          {uint64_t{holders} * 4 * 256 + 4096 * 9, 4096, 256, true},
                          {4096, 4096, 128, false}};
  for (const Shape& shape : shapes) {
    INFO("heap of ", shape.heap_bytes, " in slabs of ", shape.slab_bytes);
    const Heap heap(stream, shape.heap_bytes, shape.slab_bytes, generator);
    const Guarded<uint32_t> results(device, stream, std::vector<uint32_t>(4, 0), generator);
    for (int round = 0; round < 2; ++round) {
      stream.dispatch(kernel, {groups},
                      TraceBlock{heap.block(), Region(results).address(), uint32_t(generator()), 24, shape.largest, 0});
    }
    const std::vector<uint32_t> counts = results.read(stream);
    CHECK_GT(counts[0], 0);
    if (shape.fits) CHECK_EQ(counts[1], 0);
    if (heap.allocator.slabs() == 1) CHECK_GT(counts[1], 0);
    CHECK_EQ(counts[2], 0);
    heap.check_empty(stream);
  }
}

TEST_CASE("an allocator knows its memory and refuses what cannot be one") {
  const SlabAllocator allocator(1 << 20);
  CHECK_EQ(allocator.slabs(), 16);
  CHECK_EQ(allocator.slab_bytes(), 1 << 16);
  CHECK_EQ(allocator.bytes(), 16 + (1 << 20) + 9 * 4 + 16 * 4 + (1 << 20) / 128);
  CHECK_EQ(SlabAllocator(1, {.slab_bytes = 4096}).slabs(), 1);
  check_error(ErrorCode::invalid_argument, {"heap of 0"}, [] { SlabAllocator{0}; });
  check_error(ErrorCode::invalid_argument, {"256 GiB"}, [] { SlabAllocator{(uint64_t{1} << 38) + 1}; });
  for (const uint32_t bytes : {0u, 2048u, 5000u, 1u << 21}) {
    check_error(ErrorCode::invalid_argument, {"power of two"}, [&] { SlabAllocator(1 << 20, {.slab_bytes = bytes}); });
  }
  check_error(ErrorCode::invalid_argument, {"needs"}, [&] { allocator.block(Region{}); });
}
