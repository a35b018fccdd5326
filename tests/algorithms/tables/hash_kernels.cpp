#include <weft/glsl.h>

#include "tests/algorithms/tables/table_check.h"

using namespace weft;
using namespace weft::test;

/// Kernels of a user that work on one hash table at once.

namespace {

constexpr const char* head = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/device/hash_table.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments { WeftHashTable table; Words log; uint keys, rounds, seed; } args;

  WeftHashKey key_of(uint i) { return WeftHashKey(weft_hash_mix(i + 77u * args.seed)); }
  WeftHashValue value_of(uint i, uint round) { return WeftHashValue(i * 1000u + round); }
  uint me() { return gl_WorkGroupID.x * 64u + gl_LocalInvocationIndex; }
)";

/// Inserts, finds and erases few keys at random. Counts insertions and erasures of each key, and finds that lie.
constexpr const char* racing = R"(
  void main() {
    uint draw = me() + args.seed;
    for (uint round = 0u; round < args.rounds; ++round) {
      draw = weft_hash_mix(draw + 0x9E3779B9u);
      uint i = (draw >> 8) % args.keys;
      WeftIndex slot;
      WeftHashValue value;
      if (draw % 3u == 0u) {
        uint result = weft_hash_insert(args.table, key_of(i), value_of(i, round), slot);
        if (result == weft_hash_inserted) atomicAdd(args.log.at[2u * i], 1u);
        if (result == weft_hash_full) atomicAdd(args.log.at[2u * args.keys], 1u);
      } else if (draw % 3u == 1u) {
        if (weft_hash_erase(args.table, key_of(i))) atomicAdd(args.log.at[2u * i + 1u], 1u);
      } else if (weft_hash_find(args.table, key_of(i), value, slot) && value / 1000u != i) {
        atomicAdd(args.log.at[2u * args.keys + 1u], 1u);
      }
    }
  })";

/// Each invocation inserts, finds and erases a key of its own, beside all others.
constexpr const char* own_keys = R"(
  void main() {
    uint wrong = 0u;
    WeftHashKey key = key_of(me());
    WeftIndex slot, first;
    WeftHashValue value;
    for (uint round = 0u; round < args.rounds; ++round) {
      if (weft_hash_find(args.table, key, value, slot)) wrong |= 1u;
      if (weft_hash_insert(args.table, key, value_of(me(), round), first) != weft_hash_inserted) wrong |= 2u;
      if (weft_hash_insert(args.table, key, value_of(me(), round + 1u), slot) != weft_hash_found) wrong |= 4u;
      if (slot != first) wrong |= 8u;
      if (!weft_hash_find(args.table, key, value, slot) || value != value_of(me(), round)) wrong |= 16u;
      if (slot != first || weft_hash_value(args.table, slot) != value) wrong |= 32u;
      if (!weft_hash_erase(args.table, key)) wrong |= 64u;
      if (weft_hash_erase(args.table, key)) wrong |= 128u;
    }
    args.log.at[me()] = wrong;
  })";

/// All invocations insert the same few keys and find them at once. Each key gets one slot.
constexpr const char* insert_and_find = R"(
  void main() {
    for (uint round = 0u; round < args.rounds; ++round) {
      uint i = (me() / 3u + round * 101u) % args.keys;
      WeftIndex slot, found;
      uint result = weft_hash_insert(args.table, key_of(i), value_of(i, 0u), slot);
      if (result == weft_hash_inserted) {
        atomicAdd(args.log.at[2u * i], 1u);
        args.log.at[2u * i + 1u] = weft_low(slot);
      }
      WeftHashValue value;
      bool has = weft_hash_find(args.table, key_of(i), value, found);
      if (result == weft_hash_full || !has || slot != found) atomicAdd(args.log.at[2u * args.keys], 1u);
    }
  })";

struct RaceBlock {
  HashTable::Block table;
  uint64_t log;
  uint32_t keys, rounds, seed;
};

class Race {
 public:
  Race(const Device& device, const HashTable& shape, const char* source, bool erases)
      : device_(device), shape_(shape), memory_(device.buffer<std::byte>(shape.bytes())) {
    GlslOptions options{.defines = shape.defines()};
    if (erases) options.defines.emplace_back("WEFT_HASH_ERASES", "1");
    kernel_ = device.kernel(compile_glsl(std::string(head) + source, options));
  }

  void clear(Stream& stream) const { shape_.record_clear(stream, memory_); }
  /// The log, which starts as zero.
  std::vector<uint32_t> run(Stream& stream, uint32_t groups, uint32_t keys, uint32_t rounds, uint32_t seed,
                            size_t words) const {
    const Buffer<uint32_t> log = device_.buffer<uint32_t>(words);
    stream.fill(log, 0u);
    stream.dispatch(kernel_, {groups}, RaceBlock{shape_.block(memory_), log.pointer().address, keys, rounds, seed});
    return stream.download(log);
  }
  uint64_t entries(Stream& stream) const {
    const Buffer<uint64_t> number = device_.buffer<uint64_t>(1);
    HashEntries(shape_).record(stream, {.table = memory_, .entries = number});
    return stream.download(number)[0];
  }

 private:
  Device device_;
  HashTable shape_;
  Buffer<std::byte> memory_;
  Kernel kernel_;
};

HashTable packed_map(const Device& device, uint64_t capacity, const std::string& hash = {}) {
  need_int64_atomics(device);
  return HashTable(device, word_element, word_element, capacity, {.layout = HashLayout::packed, .hash = hash});
}

void check_racing(const Device& device, uint64_t capacity, uint32_t keys, const std::string& hash = {}) {
  INFO("capacity: ", capacity, ", keys: ", keys);
  Stream stream = device.stream();
  const Race race(device, packed_map(device, capacity, hash), racing, true);
  race.clear(stream);
  std::vector<uint32_t> present(keys);
  const auto seed = uint32_t(random_generator("racing")());
  for (uint32_t dispatch = 0; dispatch < 3; ++dispatch) {
    const std::vector<uint32_t> log = race.run(stream, 8, keys, 100, seed, 2 * keys + 2);
    bool alternate = true;
    uint64_t entries = 0;
    for (uint32_t i = 0; i < keys; ++i) {
      present[i] += log[2 * i] - log[2 * i + 1];
      alternate = alternate && present[i] <= 1;
      entries += present[i];
    }
    CHECK_MESSAGE(alternate, "insertions and erasures of a key take turns");
    CHECK_EQ(log[2 * keys], 0);  // Keys that found the table full.
    CHECK_EQ(log[2 * keys + 1], 0);
    CHECK_EQ(race.entries(stream), entries);
  }
}

void check_inserts(const Device& device, const Element& key, HashLayout layout) {
  Stream stream = device.stream();
  for (const uint32_t keys : {1u, 30u, 1000u}) {
    INFO("keys: ", keys);
    const Race race(device, HashTable(device, key, word_element, keys + 5, {.layout = layout}), insert_and_find, false);
    race.clear(stream);
    const std::vector<uint32_t> log = race.run(stream, 16, keys, 20, 5, 2 * keys + 1);
    std::set<uint32_t> slots;
    bool once = true;
    for (uint32_t i = 0; i < keys; ++i) {
      once = once && log[2 * i] == 1;
      slots.insert(log[2 * i + 1]);
    }
    CHECK_MESSAGE(once, "each key is inserted once");
    CHECK_EQ(slots.size(), keys);
    CHECK_EQ(log[2 * keys], 0);
    CHECK_EQ(race.entries(stream), keys);
  }
}

}  // namespace

DEVICE_TEST("kernels race to insert, find and erase one key") { check_racing(device, 1, 1); }
DEVICE_TEST("kernels race to insert, find and erase few keys") {
  check_racing(device, 5, 5);
  check_racing(device, 7, 7, "0u");
  check_racing(device, 1000, 300);
}

DEVICE_TEST("invocations insert and erase keys of their own for ten thousand rounds") {
  Stream stream = device.stream();
  const uint32_t rounds = computes_on_cpu(device) && device.info().backend != "vulkan" ? 300 : 10'000;
  const Race race(device, packed_map(device, 128), own_keys, true);
  race.clear(stream);
  check_same(race.run(stream, 2, 128, rounds, 3, 128), std::vector<uint32_t>(128), "what went wrong");
  CHECK_EQ(race.entries(stream), 0);
}

DEVICE_TEST("kernels insert and find in packed slots at once") {
  need_int64_atomics(device);
  check_inserts(device, word_element, HashLayout::packed);
}
DEVICE_TEST("kernels insert and find in split slots at once") {
  check_inserts(device, word_element, HashLayout::split);
}
DEVICE_TEST("kernels insert and find 64-bit keys at once") {
  need_int64_atomics(device);
  check_inserts(device, Element::of<uint64_t>(), HashLayout::split);
}

DEVICE_TEST("a kernel that inserts into split slots cannot erase") {
  const HashTable split(device, word_element, word_element, 10, {.layout = HashLayout::split});
  check_error(ErrorCode::compile_failed, {"weft_hash_insert"}, [&] { Race(device, split, racing, true); });
}
