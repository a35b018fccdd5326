#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <weft/lbvh.h>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/lbvh.h"
#include "tests/support/test.h"

/// Hierarchies that a device builds.
namespace weft::test {

/// A plan and its temporary storage, which is not cleared between runs.
class BuiltLbvh {
 public:
  BuiltLbvh(const Device& device, const BvhPrimitive& primitive, uint64_t most, const Lbvh::Options& options)
      : plan_(device, primitive, most, options), temporary_(device.buffer<std::byte>(plan_.temporary_bytes())) {}

  /// Builds over `primitives`; if `moved` is given, also refits to it.
  template <typename P>
  TestLbvh build(Stream& stream, const std::vector<P>& primitives, std::mt19937_64& generator,
                 const std::type_identity_t<std::vector<P>>* moved = nullptr, bool count_on_device = false) const {
    const Device device = stream.device();
    const uint64_t count = primitives.size();
    const Guarded<P> input(device, stream, primitives, generator, 4);
    const Guarded<BvhNode> nodes(device, stream, count_on_device ? count : std::max<uint64_t>(count, 1) - 1, generator);
    const Guarded<uint32_t> indices(device, stream, count, generator, 4),
        leaf_parents(device, stream, count, generator, 8);
    const Guarded<Box<3>> bounds(device, stream, 1, generator, 4);
    const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
    stream.upload(word, std::vector<uint64_t>{count});
    Lbvh::Arguments arguments{.primitives = input,
                              .nodes = nodes,
                              .indices = indices,
                              .leaf_parents = leaf_parents,
                              .bounds = bounds,
                              .count = count_on_device ? Count(word) : Count(count),
                              .temporary = temporary_};
    plan_.record(stream, arguments);
    if (moved) {
      const Guarded<P> after(device, stream, *moved, generator);
      arguments.primitives = after;
      plan_.record_refit(stream, arguments);
      stream.synchronize();
    }
    TestLbvh built{nodes.read(stream), indices.read(stream), leaf_parents.read(stream), bounds.read(stream)[0]};
    built.nodes.resize(std::max<uint64_t>(count, 1) - 1);
    return built;
  }

 private:
  Lbvh plan_;
  Buffer<std::byte> temporary_;
};

inline void check_equal(const TestLbvh& actual, const TestLbvh& expected) {
  check_same(actual.indices, expected.indices, "the leaves' primitives");
  check_same(actual.leaf_parents, expected.leaf_parents, "the leaves' parents");
  check_same(actual.nodes, expected.nodes, "the nodes");
  check_same(std::vector{actual.bounds}, {expected.bounds}, "the bounds");
}

}  // namespace weft::test
