#pragma once

#include <cstdint>
#include <optional>

#include <weft/kernel.h>
#include <weft/sort.h>
#include <weft/stream.h>
#include <weft/tree_reduce.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"

namespace weft::algorithms {

/// Addresses of a tree's links, as kernels take them.
struct TreeAddresses {
  uint64_t children = 0, ranges = 0, parents = 0, leaf_parents = 0;
  uint32_t parent_words = 1;
};

/// Numbers of a tree's nodes.
struct TreeCounts {
  ResolvedCount leaves, inner;

  uint32_t options() const;
};

/// Computes those links of a tree that are not given: parents from children, or the children of each node, as a range
/// of a sorted list, from parents.
class TreeLinks {
 public:
  TreeLinks(const Device& device, const TreeReduce::Options& options, uint64_t max_leaves, uint64_t max_inner);

  uint64_t temporary_bytes() const { return storage_.layout.bytes(); }
  /// Defines the macros of child references.
  void define(KernelMaker& maker) const;
  /// Bytes of an inner node's child references, and of its parent, in memory.
  uint32_t child_bytes() const { return 4 * (options_.record_words ? options_.record_words : options_.arity); }
  uint32_t parent_bytes() const { return 4 * parent_words(); }

  /// Records what there is to compute. Empty regions are those that are not given.
  TreeAddresses record(Recorder& recorder, const Region& children, const Region& parents, const Region& leaf_parents,
                       const Region& temporary, const TreeCounts& counts) const;

 private:
  struct Storage {
    Storage(const TreeReduce::Options& options, uint64_t leaves, uint64_t inner, uint64_t sort_bytes);

    TemporaryLayout layout;
    TemporaryLayout::Part parents, leaf_parents;                // For Links::children.
    TemporaryLayout::Part ranges, keys, children, total, sort;  // For Links::parents.
  };

  bool by_parents() const { return options_.links == TreeReduce::Links::parents; }
  uint32_t parent_words() const { return options_.record_words ? options_.record_words : 1; }
  void find_parents(Recorder& recorder, TreeAddresses& at, const Region& temporary, const TreeCounts& counts) const;
  void find_children(Recorder& recorder, TreeAddresses& at, const Region& temporary, const TreeCounts& counts) const;

  DeviceLimits limits_;
  TreeReduce::Options options_;
  uint32_t no_parent_;  // A key above all indices of inner nodes.
  Tiling tiling_;
  Kernel parents_, entries_, ranges_;
  std::optional<Sort> sort_;
  Storage storage_;
};

}  // namespace weft::algorithms
