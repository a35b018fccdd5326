#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>
#include <weft/tuning.h>

namespace weft {

/// References to nodes of a tree, in 32 bits: the index of an inner node, or that of a leaf with the top bit set.
namespace tree {
constexpr uint32_t leaf = 0x80000000u;  ///< leaf + i is the leaf with index i.
constexpr uint32_t none = 0xFFFFFFFFu;  ///< No node: the parent of a root, an unused child.
}  // namespace tree

/// Computes a value for each inner node of a tree, bottom-up: those of its children, combined from left to right.
///
/// One invocation starts at each leaf. The last child to arrive at a node goes on with it, so nobody waits, and the
/// dispatch runs on every device. The order of combining is that of the tree. Integers are therefore the same
/// everywhere, and floats wherever devices round alike. The operator need not be associative. (Karras 2012, Maximizing
/// Parallelism in the Construction of BVHs, Octrees, and k-d Trees.)
///
/// The tree is given by children or by parents, as references of 32 bits (see weft::tree). It may be a forest. Each
/// inner node has at least one child, and each node is the child of one node at most. Otherwise values of the nodes
/// concerned, and of those above them, are undefined or not written. References must be in range.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API TreeReduce {
 public:
  /// The largest number of leaves, and of inner nodes.
  static constexpr uint64_t max_nodes = uint64_t{1} << 29;

  /// What determines a node's children, and their order.
  enum class Links : uint8_t {
    children,  ///< References to `arity` children of each inner node, from left to right. Unused ones are tree::none.
    parents,   ///< The parent of each node. Children are in the order of their references: inner nodes, then leaves.
               ///< Takes a sort.
  };

  struct Options {
    Links links = Links::children;
    uint32_t arity = 2;  ///< The most children of a node, for Links::children.
    /// Words of a record, if the inner nodes' links are members of records: child references start at the word
    /// `first_child`, the parent is the word `parent`. 0: arrays of their own, of `arity` words and of one word a node.
    uint32_t record_words = 0;
    uint32_t first_child = 0, parent = 0;
    /// GLSL expression that computes an inner node's value from `x`, the combined value of its children, and `i`, its
    /// index. Empty: x itself. The number of levels below a node: combine by max, from "0u" for leaves, with "x + 1u".
    std::string node{};
    std::optional<Transform> transform{};  ///< Computes the leaves' values from the input.
    std::string leaf{};                    ///< Instead: computes them from `i`, the leaf's index, without an input.
    std::optional<Tuning> tuning{};        ///< Of the sort for Links::parents; overrides the device's tuning.
  };

  /// Compiles for up to `max_leaves` leaves and `max_inner` inner nodes. Throws unsupported if the device lacks a type,
  /// compile_failed if an expression does not compile, invalid_argument for more than max_nodes, an arity or record
  /// that cannot be, both a transform and an expression for leaves, and a scalar operator on structs.
  TreeReduce(const Device& device, const Element& element, const Operator& op, uint64_t max_leaves, uint64_t max_inner,
             const Options& options);
  TreeReduce(const Device& device, const Element& element, const Operator& op, uint64_t max_leaves, uint64_t max_inner);

  /// Bytes of temporary storage, a multiple of 16. Grows with both maximum counts.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region leaves;    ///< A value, or an input of the transform, for each leaf. Empty if computed from indices.
    Region children;  ///< Child references of the inner nodes, or their records. Empty for Links::parents.
    /// Parents of the inner nodes, or the nodes' records, and of the leaves: an inner node's index, or tree::none. For
    /// Links::children both may be empty; then they are computed.
    Region parents, leaf_parents;
    Region output;      ///< Room for a value of each inner node.
    Count count;        ///< Number of leaves.
    Count inner_count;  ///< Number of inner nodes.
    Region temporary;   ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if a count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// A common reduction over a tree, as arguments of a TreeReduce plan:
///
///   const TreeReduction r = TreeReduction::boxes(3);
///   const TreeReduce plan(device, r.element, r.op, leaves, inner_nodes, r.options);
///
/// A plain value.
struct WEFT_API TreeReduction {
  Element element;
  Operator op;
  TreeReduce::Options options;

  /// The bounding box of the leaves below: low corner, high corner. Leaves are such boxes of 2 or 3 dimensions. NaNs
  /// give way to numbers. Throws invalid_argument for another number of dimensions.
  static TreeReduction boxes(uint32_t dimensions);
  /// As above, with the sum of the surface areas of the node's box and of those of all nodes below, leaves included. In
  /// 2 dimensions, of perimeters. Leaves are boxes.
  static TreeReduction surface_areas(uint32_t dimensions);
  /// The number of leaves below, as uint. Leaves have no values.
  static TreeReduction counts();
};

}  // namespace weft
