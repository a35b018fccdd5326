#pragma once

#include <random>
#include <vector>

#include <weft/box_kd_tree.h>

#include "tests/algorithms/reference/box_kd.h"
#include "tests/support/test.h"

namespace weft::test {

/// A plan and its temporary storage, which is not cleared between runs.
class BuiltBoxKd {
 public:
  BuiltBoxKd(const Device& device, uint64_t most, const BoxKdTree::Options& options = {})
      : plan_(device, BvhPrimitive::boxes(), most, options),
        temporary_(device.buffer<std::byte>(plan_.temporary_bytes())) {}

  const BoxKdTree& plan() const { return plan_; }

  BoxKd build(Stream& stream, const std::vector<TestBox>& boxes, std::mt19937_64& generator,
              bool count_on_device = false) const {
    const Device device = stream.device();
    const Guarded<TestBox> input(device, stream, boxes, generator, 4);
    const Guarded<BoxKdNode> nodes(device, stream, plan_.max_nodes(), generator);
    const Guarded<uint32_t> references(device, stream, plan_.max_references(), generator, 4);
    const Guarded<uint64_t> counts(device, stream, 3, generator, 8);
    const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
    stream.upload(word, std::vector<uint64_t>{boxes.size()});
    plan_.record(stream, {.primitives = input,
                          .nodes = nodes,
                          .references = references,
                          .counts = counts.view(),
                          .count = count_on_device ? Count(word) : Count(boxes.size()),
                          .temporary = temporary_});
    const std::vector<uint64_t> numbers = counts.read(stream);
    BoxKd tree{nodes.read(stream), references.read(stream), numbers[2]};
    REQUIRE_LE(numbers[0], tree.nodes.size());
    REQUIRE_LE(numbers[1], tree.references.size());
    const std::vector<uint32_t> before = references.poison();
    for (size_t i = numbers[1]; i < before.size(); ++i) CHECK_EQ(tree.references[i], before[i]);
    tree.nodes.resize(numbers[0]);
    tree.references.resize(numbers[1]);
    return tree;
  }

 private:
  BoxKdTree plan_;
  Buffer<std::byte> temporary_;
};

}  // namespace weft::test
