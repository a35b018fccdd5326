#include "algorithms/src/trees/tree_links.h"

#include <array>
#include <bit>
#include <string>

#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/trees/tree_parents.comp.
struct ParentsBlock {
  uint64_t children, parents, leaf_parents, inner_count_on_device, inner_count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/trees/tree_entries.comp.
struct EntriesBlock {
  uint64_t parents, leaf_parents, keys, references, total;
  uint64_t count_on_device, count, inner_count_on_device, inner_count;
  uint32_t parent_words, no_parent, options, unused;
};
// Push constants of shaders/kernels/trees/tree_ranges.comp.
struct RangesBlock {
  uint64_t keys, ranges, total;
  uint32_t no_parent, unused;
};

Sort make_sort(const Device& device, const TreeReduce::Options& options, uint64_t max_nodes, uint32_t no_parent) {
  const Element word = Element::of<uint32_t>();
  return Sort(device, word, word, max_nodes,
              {.order = {.end_bit = uint32_t(std::bit_width(no_parent))}, .tuning = options.tuning});
}

}  // namespace

uint32_t TreeCounts::options() const { return count_option(leaves) | second_count_option(inner); }

TreeLinks::Storage::Storage(const TreeReduce::Options& options, uint64_t leaves, uint64_t inner, uint64_t sort_bytes) {
  if (options.links == TreeReduce::Links::children) {
    parents = layout.add(4 * inner);
    leaf_parents = layout.add(4 * leaves);
  } else {
    ranges = layout.add(8 * inner);
    keys = layout.add(4 * (leaves + inner));
    children = layout.add(4 * (leaves + inner));
    total = layout.add(8);
    sort = layout.add(sort_bytes);
  }
}

TreeLinks::TreeLinks(const Device& device, const TreeReduce::Options& options, uint64_t max_leaves, uint64_t max_inner)
    : limits_(device.info().limits),
      options_(options),
      no_parent_(uint32_t(max_inner)),
      tiling_(one_each(device.info())),
      sort_(by_parents() ? std::optional(make_sort(device, options, max_leaves + max_inner, no_parent_))
                         : std::nullopt),
      storage_(options, max_leaves, max_inner, sort_ ? sort_->temporary_bytes() : 0) {
  KernelMaker maker = KernelMaker(device, "TreeReduce").tiling(tiling_);
  define(maker);
  if (by_parents()) {
    entries_ = maker.make("trees/tree_entries");
    ranges_ = maker.make("trees/tree_ranges");
  } else {
    parents_ = maker.make("trees/tree_parents");
  }
}

void TreeLinks::define(KernelMaker& maker) const {
  if (by_parents()) return;
  maker.define("WEFT_ARITY", std::to_string(options_.arity));
  maker.define("WEFT_CHILDREN_WORDS", std::to_string(child_bytes() / 4));
}

TreeAddresses TreeLinks::record(Recorder& recorder, const Region& children, const Region& parents,
                                const Region& leaf_parents, const Region& temporary, const TreeCounts& counts) const {
  const bool in_records = options_.record_words > 0;
  TreeAddresses at;
  at.children = children.address() + (in_records ? 4 * options_.first_child : 0);
  at.parents = parents.address() + (in_records ? 4 * options_.parent : 0);
  at.leaf_parents = leaf_parents.address();
  at.parent_words = parent_words();
  if (by_parents()) {
    find_children(recorder, at, temporary, counts);
  } else if (leaf_parents.bytes == 0) {
    find_parents(recorder, at, temporary, counts);
  }
  return at;
}

void TreeLinks::find_parents(Recorder& recorder, TreeAddresses& at, const Region& temporary,
                             const TreeCounts& counts) const {
  const Region parents = storage_.parents.in(temporary), leaf_parents = storage_.leaf_parents.in(temporary);
  at.parents = parents.address();
  at.leaf_parents = leaf_parents.address();
  at.parent_words = 1;
  constexpr std::array none{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
  recorder.fill_region(parents.part(0, 4 * counts.inner.most), none);
  recorder.fill_region(leaf_parents.part(0, 4 * counts.leaves.most), none);
  const ParentsBlock block{at.children,      at.parents, at.leaf_parents, counts.inner.address, counts.inner.most,
                           counts.options(), 0};
  recorder.dispatch(parents_, spread(tiling_.tiles(counts.inner.most), limits_), block);
}

void TreeLinks::find_children(Recorder& recorder, TreeAddresses& at, const Region& temporary,
                              const TreeCounts& counts) const {
  const Region ranges = storage_.ranges.in(temporary), keys = storage_.keys.in(temporary),
               children = storage_.children.in(temporary), total = storage_.total.in(temporary);
  at.ranges = ranges.address();
  at.children = children.address();
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(ranges.part(0, 8 * counts.inner.most), zero);
  const uint64_t nodes = counts.leaves.most + counts.inner.most;
  const Groups groups = spread(tiling_.tiles(nodes), limits_);
  const EntriesBlock entries{at.parents,
                             at.leaf_parents,
                             keys.address(),
                             children.address(),
                             total.address(),
                             counts.leaves.address,
                             counts.leaves.most,
                             counts.inner.address,
                             counts.inner.most,
                             at.parent_words,
                             no_parent_,
                             counts.options(),
                             0};
  recorder.dispatch(entries_, groups, entries);
  const bool on_device = counts.leaves.on_device() || counts.inner.on_device();
  sort_->record(recorder, {.keys = keys,
                           .values = children,
                           .keys_out = keys,
                           .values_out = children,
                           .count = on_device ? Count(View<const uint32_t>(total.part(0, 4))) : Count(nodes),
                           .temporary = storage_.sort.in(temporary)});
  recorder.dispatch(ranges_, groups, RangesBlock{keys.address(), ranges.address(), total.address(), no_parent_, 0});
}

}  // namespace weft::algorithms
