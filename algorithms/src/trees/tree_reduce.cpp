#include <weft/tree_reduce.h>

#include <array>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/user_expressions.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/one_each.h"
#include "algorithms/src/trees/tree_links.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/tree_reduce.comp.
struct TreeReduceBlock {
  uint64_t leaves, leaf_parents, parents, children, ranges, nodes, counters;
  uint64_t count_on_device, count, inner_count_on_device, inner_count;
  uint32_t parent_words, options;
};

void check_plan(const Element& element, uint64_t max_leaves, uint64_t max_inner, const TreeReduce::Options& options) {
  check_addressable("TreeReduce", element, std::max(max_leaves, max_inner));
  if (std::max(max_leaves, max_inner) > TreeReduce::max_nodes) {
    core::invalid("TreeReduce", "a plan for " + std::to_string(max_leaves) + " leaves and " +
                                    std::to_string(max_inner) + " inner nodes; it may have up to " +
                                    std::to_string(TreeReduce::max_nodes) + " of each.");
  }
  if (options.transform && !options.leaf.empty()) {
    core::invalid("TreeReduce", "leaves have a transform and an expression of i; give one of them.");
  }
  const bool by_children = options.links == TreeReduce::Links::children;
  if (by_children && options.arity == 0)
    core::invalid("TreeReduce", "'arity' is 0; nodes need at least one child reference.");
  if (options.record_words == 0) return;
  const uint64_t children_end = by_children ? uint64_t{options.first_child} + options.arity : 0;
  if (options.parent >= options.record_words || children_end > options.record_words) {
    core::invalid("TreeReduce", "records of " + std::to_string(options.record_words) +
                                    " words cannot have a parent as word " + std::to_string(options.parent) +
                                    " and child references up to word " + std::to_string(children_end) + ".");
  }
}

struct TreeReduceStorage {
  TreeReduceStorage(uint64_t inner, uint64_t link_bytes)
      : counters(layout.add(4 * inner)), links(layout.add(link_bytes)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part counters, links;
};

}  // namespace

struct TreeReduce::Impl {
  Device device;
  Element element;
  Options options;
  uint64_t max_leaves, max_inner;
  TreeLinks links;
  TreeReduceStorage storage;
  Tiling tiling;
  Kernel kernel;

  const Element& from() const { return options.transform ? options.transform->from : element; }
  TreeCounts check(ArgumentChecks& checks, const Arguments& arguments) const;
};

TreeCounts TreeReduce::Impl::check(ArgumentChecks& checks, const Arguments& arguments) const {
  const bool by_parents = options.links == Links::parents, by_index = !options.leaf.empty();
  const bool has_parents = by_parents || arguments.parents.bytes + arguments.leaf_parents.bytes > 0;
  if (by_index) checks.empty("leaves", arguments.leaves, "the plan computes leaves from their indices");
  if (by_parents) checks.empty("children", arguments.children, "the plan takes parents");
  const ArgumentChecks::Holder leaves{"leaves", arguments.leaves, from().bytes(), from().align()},
      leaf_parents{"leaf_parents", arguments.leaf_parents, 4, 4},
      children{"children", arguments.children, links.child_bytes(), 4},
      parents{"parents", arguments.parents, links.parent_bytes(), 4},
      output{"output", arguments.output, element.bytes(), element.align()};
  TreeCounts counts;
  if (by_index && !has_parents) {
    counts.leaves = checks.count(arguments.count, max_leaves, {});
  } else {
    counts.leaves = checks.count(arguments.count, max_leaves,
                                 {by_index ? leaf_parents : leaves, has_parents ? leaf_parents : leaves});
  }
  counts.inner =
      checks.count(arguments.inner_count, max_inner,
                   {output, by_parents ? parents : children, has_parents ? parents : children}, "inner_count");
  return counts;
}

TreeReduce::TreeReduce(const Device& device, const Element& element, const Operator& op, uint64_t max_leaves,
                       uint64_t max_inner, const Options& options) {
  const PlanNote note(device, TreeReduceParameters{element, op, max_leaves, max_inner, options});
  check_plan(element, max_leaves, max_inner, options);
  const Tiling tiling = one_each(device.info());
  KernelMaker maker = KernelMaker(device, "TreeReduce").element(element).op(element, op).tiling(tiling);
  maker.define("WEFT_FIXED_ORDER");
  if (options.transform) define_transform(maker, *options.transform);
  if (!options.leaf.empty()) maker.expression("WEFT_ELEMENT_AT", "leaf value", options.leaf, "of i");
  if (!options.node.empty()) maker.expression("WEFT_NODE", "node value", options.node, "of x");
  TreeLinks links(device, options, max_leaves, max_inner);
  links.define(maker);
  const TreeReduceStorage storage(max_inner, links.temporary_bytes());
  impl_ = std::make_shared<Impl>(Impl{device, element, options, max_leaves, max_inner, std::move(links), storage,
                                      tiling, maker.make("trees/tree_reduce")});
}

TreeReduce::TreeReduce(const Device& device, const Element& element, const Operator& op, uint64_t max_leaves,
                       uint64_t max_inner)
    : TreeReduce(device, element, op, max_leaves, max_inner, Options{}) {}

uint64_t TreeReduce::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

void TreeReduce::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("TreeReduce", plan.device, recorder);
  const Region temporary = checks.temporary(given.temporary, temporary_bytes());
  const TreeCounts counts = plan.check(checks, given);
  checks.overlaps();
  if (counts.leaves.most == 0 || counts.inner.most == 0) return;
  const TreeAddresses at = plan.links.record(recorder, given.children, given.parents, given.leaf_parents,
                                             plan.storage.links.in(temporary), counts);
  const Region counters = plan.storage.counters.in(temporary).part(0, 4 * counts.inner.most);
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(counters, zero);
  const TreeReduceBlock block{given.leaves.address(),
                              at.leaf_parents,
                              at.parents,
                              at.children,
                              at.ranges,
                              given.output.address(),
                              counters.address(),
                              counts.leaves.address,
                              counts.leaves.most,
                              counts.inner.address,
                              counts.inner.most,
                              at.parent_words,
                              counts.options()};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(counts.leaves.most), plan.device.info().limits), block);
}

}  // namespace weft
