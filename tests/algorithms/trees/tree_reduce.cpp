#include <weft/tree_reduce.h>

#include <bit>

#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/trees.h"

using namespace weft;
using namespace weft::test;

namespace {

/// How a tree is given to a plan.
struct GivenTree {
  TreeReduce::Links links = TreeReduce::Links::children;
  uint32_t arity = 2;
  bool parents = false;  ///< Beside the children.
  uint32_t record_words = 0, first_child = 0, parent = 0;
  bool counts_on_device = false;

  bool by_parents() const { return links == TreeReduce::Links::parents; }
};

TreeReduce::Options options_of(const GivenTree& given) {
  TreeReduce::Options options;
  options.links = given.links;
  options.arity = given.arity;
  options.record_words = given.record_words;
  options.first_child = given.first_child;
  options.parent = given.parent;
  return options;
}

/// The words of links, each node's at word `at` of its record. Others are random.
std::vector<uint32_t> in_records(const std::vector<uint32_t>& links, uint32_t words, uint32_t record_words, uint32_t at,
                                 std::vector<uint32_t> records, std::mt19937_64& generator) {
  const size_t nodes = links.size() / words;
  if (record_words == 0) return links;
  if (records.empty()) records = random_values<uint32_t>(nodes * record_words, generator);
  for (size_t i = 0; i < links.size(); ++i) records[i / words * record_words + at + i % words] = links[i];
  return records;
}

/// A tree in device memory, as arguments of a plan.
class TreeInMemory {
 public:
  TreeInMemory(const Device& device, Stream& stream, const TestTree& tree, const GivenTree& given,
               std::mt19937_64& generator)
      : given_(given), leaf_parents_(device, stream, tree.leaf_parents(), generator, 4) {
    const std::vector<uint32_t> parents = tree.parents();
    std::vector<uint32_t> records;
    if (!given.by_parents()) {
      records = in_records(tree.links(given.arity, generator), given.arity, given.record_words, given.first_child, {},
                           generator);
      children_.emplace(device, stream, records, generator, 4);
    }
    if (given.by_parents() || given.parents) {
      records = in_records(parents, 1, given.record_words, given.parent, records, generator);
      parents_.emplace(device, stream, given.record_words ? records : parents, generator, 4);
    }
    counts_ = device.buffer<uint64_t>(2);
    stream.upload(counts_, std::vector<uint64_t>{tree.leaves, tree.inner()});
    leaves_ = tree.leaves;
    inner_ = tree.inner();
  }

  TreeReduce::Arguments arguments(const Region& leaves, const Region& output, const Region& temporary) const {
    const auto count = [&](uint64_t number, uint64_t at) {
      return given_.counts_on_device ? Count(View<const uint64_t>(counts_.part(at, 1))) : Count(number);
    };
    return {.leaves = leaves,
            .children = children_ ? Region(*children_) : Region(),
            .parents = parents_ ? Region(*parents_) : Region(),
            .leaf_parents = parents_ ? Region(leaf_parents_) : Region(),
            .output = output,
            .count = count(leaves_, 0),
            .inner_count = count(inner_, 1),
            .temporary = temporary};
  }

 private:
  GivenTree given_;
  std::optional<Guarded<uint32_t>> children_, parents_;
  Guarded<uint32_t> leaf_parents_;
  Buffer<uint64_t> counts_;
  uint64_t leaves_ = 0, inner_ = 0;
};

/// Plans for up to so many nodes, with their temporary storage, which is not cleared between runs.
template <typename T>
class TreeReduceCheck {
 public:
  TreeReduceCheck(const Device& device, const TestOperator<T>& op, const GivenTree& given, uint64_t most)
      : op_(op),
        given_(given),
        plan_(device, Elements<T>::element(), op.on_device, most, most, options_of(given)),
        temporary_(device.buffer<std::byte>(plan_.temporary_bytes())) {}

  void check(Stream& stream, const TestTree& tree, std::mt19937_64& generator) {
    INFO("leaves: ", tree.leaves, ", inner nodes: ", tree.inner(), ", by parents: ", given_.by_parents());
    const Device device = stream.device();
    const std::vector<T> values = random_elements<T>(tree.leaves, generator);
    const Guarded<T> leaves(device, stream, values, generator, Elements<T>::element().align()),
        output(device, stream, tree.inner(), generator);
    const TreeInMemory memory(device, stream, tree, given_, generator);
    plan_.record(stream, memory.arguments(leaves, output, temporary_));
    const std::vector<T> expected = fold_tree(given_.by_parents() ? tree.ordered() : tree, values, op_.on_host);
    check_same(output.read(stream), expected);
    check_same(leaves.read(stream), values, "the leaves afterwards");
  }

  void check_kinds(Stream& stream, const std::vector<uint32_t>& sizes, std::mt19937_64& generator) {
    for (const TreeKind kind : {TreeKind::random, TreeKind::chain, TreeKind::perfect}) {
      for (const uint32_t leaves : sizes) {
        INFO("kind: ", to_string(kind), ", arity: ", given_.arity);
        check(stream, make_tree(kind, leaves, given_.arity, generator), generator);
      }
    }
  }

 private:
  TestOperator<T> op_;
  GivenTree given_;
  TreeReduce plan_;
  Buffer<std::byte> temporary_;
};

constexpr uint32_t few_most = 3000;

std::vector<uint32_t> few_sizes(const Device& device) {
  return {0, 1, 2, 3, device.info().limits.subgroup_size + 1, 257, few_most};
}

template <typename T>
void check_trees(const Device& device, const TestOperator<T>& op, const GivenTree& given) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("tree of ") + TypeName<T>::value);
  TreeReduceCheck<T>(device, op, given, few_most).check_kinds(stream, few_sizes(device), generator);
}

/// Numbers whose sums round: the order of additions shows.
TestOperator<float> rounding_sum() {
  return {Operator::custom("rounding sum", "a * 0.7 + b", "0.0"),
          [](const float& a, const float& b) {
            const volatile float product = a * 0.7f;
            return product + b;
          },
          0};
}

}  // namespace

DEVICE_TEST("tree reduce of words, by children") { check_trees<uint32_t>(device, sum_of<uint32_t>(), {}); }
DEVICE_TEST("tree reduce of words, by children and parents") {
  check_trees<uint32_t>(device, sum_of<uint32_t>(), {.parents = true});
}
DEVICE_TEST("tree reduce combines from left to right, by children") {
  check_trees<Matrix>(device, operator_of<Matrix>(), {.arity = 3});
}
DEVICE_TEST("tree reduce combines from left to right, by parents") {
  check_trees<AffineMap>(device, operator_of<AffineMap>(), {.links = TreeReduce::Links::parents, .arity = 5});
}
DEVICE_TEST("tree reduce of floats rounds in the order of the tree") {
  check_trees<float>(device, rounding_sum(), {.arity = 8, .parents = true});
}
DEVICE_TEST("tree reduce of bytes") { check_trees<uint8_t>(device, sum_of<uint8_t>(), {}); }

DEVICE_TEST("tree reduce reads links in records") {
  check_trees<uint32_t>(device, sum_of<uint32_t>(),
                        {.arity = 3, .parents = true, .record_words = 7, .first_child = 2, .parent = 6});
  check_trees<uint32_t>(
      device, sum_of<uint32_t>(),
      {.links = TreeReduce::Links::parents, .arity = 3, .record_words = 7, .first_child = 2, .parent = 6});
}

DEVICE_TEST("tree reduce takes counts on the device") {
  check_trees<uint32_t>(device, sum_of<uint32_t>(), {.parents = true, .counts_on_device = true});
  check_trees<uint32_t>(device, sum_of<uint32_t>(), {.counts_on_device = true});
  check_trees<uint32_t>(device, sum_of<uint32_t>(), {.links = TreeReduce::Links::parents, .counts_on_device = true});
}

DEVICE_TEST("tree reduce of many nodes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large tree");
  const bool is_fiber = computes_on_cpu(device) && device.info().backend != "vulkan";
  const uint32_t leaves = is_fiber ? 10'007 : 100'003;
  TreeReduceCheck<uint32_t>(device, sum_of<uint32_t>(), {}, leaves).check_kinds(stream, {leaves}, generator);
}

DEVICE_TEST("tree reduce of forests") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("forest");
  TreeReduceCheck<uint32_t> by_children(device, sum_of<uint32_t>(), {.arity = 4}, 1000),
      by_parents(device, sum_of<uint32_t>(), {.links = TreeReduce::Links::parents}, 1000);
  for (int round = 0; round < 5; ++round) {
    TestTree forest = make_tree(TreeKind::random, 1000, 4, generator);
    for (uint32_t k = 0; k < forest.inner(); ++k) {  // Take subtrees and leaves away from their parents.
      std::vector<uint32_t>& children = forest.children[generator() % forest.inner()];
      if (children.size() > 1) children.pop_back();
    }
    by_children.check(stream, forest, generator);
    by_parents.check(stream, forest, generator);
  }
  // Leaves without a parent must not arrive at node 0, which is the last of its tree.
  constexpr uint32_t levels = 40;
  TestTree lone{100 + levels + 1, std::vector<std::vector<uint32_t>>(levels)};
  for (uint32_t i = 0; i < levels; ++i) {
    lone.children[i] = {i + 1 < levels ? i + 1 : tree::leaf + 100 + levels, tree::leaf + 100 + i};
  }
  by_children.check(stream, lone, generator);
  by_parents.check(stream, lone, generator);
}
