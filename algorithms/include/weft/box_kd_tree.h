#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/lbvh.h>
#include <weft/stream.h>
#include <weft/tree_reduce.h>
#include <weft/tuning.h>

namespace weft {

/// A node of a kd-tree of boxes: the same 16 bytes in C++, in CUDA, in HLSL's structured buffers and in GLSL.
struct BoxKdNode {
  static constexpr uint32_t leaf = 3;

  uint32_t axis;    ///< Of the plane: 0, 1 or 2. Or `leaf`.
  float split;      ///< Where the plane is; 0 in leaves.
  uint32_t first;   ///< Index of the child below the plane; the one above it is the next node. Of leaves, the index of
                    ///< the first reference.
  uint32_t number;  ///< Of leaves, the number of references; else 0.
};
static_assert(sizeof(BoxKdNode) == 16);

/// Builds a kd-tree of boxes, or of other primitives by the boxes around them: for rays and overlaps in scenes that do
/// not change. Space is divided by planes. Below a plane are the boxes that begin below it. Above it are those that end
/// above it, or do not begin below it. Straddlers are on both sides, so leaves refer to some primitives more than once.
/// Boxes that are empty or have a NaN are in no leaf.
///
/// Node 0 is the root. Its space has no bounds. Nodes are in the order of their depth, and siblings are next to each
/// other. References are indices of primitives; those of a leaf follow one another, in ascending order.
///
/// A node's plane is the best of 15 along each axis by the surface-area heuristic, where that is better than a leaf.
/// Children that do not fit into the memory for nodes and references are not made: their parent becomes a leaf. So
/// every tree is complete, however many straddlers there are.
///
/// All nodes of a level are divided at once, and Split sends their references to either side. Every device that rounds
/// to nearest even and keeps denormals builds the same tree. (MacDonald and Booth 1990, Heuristics for Ray Tracing
/// Using Space Subdivision; Hunt, Mark and Stoll 2006, Fast kd-tree Construction with an Adaptive Error-Bounded
/// Heuristic; Zhou et al. 2008, Real-Time KD-Tree Construction on Graphics Hardware.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API BoxKdTree {
 public:
  /// The largest number of primitives, of references and of nodes.
  static constexpr uint64_t max_primitives = TreeReduce::max_nodes;
  /// The largest max_depth: weft/device/box_kd_tree.glsl has a stack of that many entries.
  static constexpr uint32_t depth_limit = 60;

  struct Options {
    BvhCosts costs{};                ///< Of a ray at a node, and at a reference.
    uint32_t leaf_size = 8;          ///< Nodes with at most this number of references become leaves.
    uint32_t max_depth = 0;          ///< The most planes above a leaf; 0: 8 + 1.3 * log2(max_count), up to depth_limit.
    uint64_t max_references = 0;     ///< At least max_count; 0: 4 * max_count.
    uint64_t max_nodes = 0;          ///< 0: 2 * max_count + 1.
    std::optional<Tuning> tuning{};  ///< Of the plans within; overrides the device's tuning.
  };

  /// Compiles for up to `max_count` primitives, whose boxes are used; their centers are not. Throws compile_failed if
  /// an expression does not compile, invalid_argument for options out of range, for more than max_primitives and for
  /// triangles by index.
  BoxKdTree(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& options);
  BoxKdTree(const Device& device, const BvhPrimitive& primitive, uint64_t max_count);

  uint64_t max_references() const;
  uint64_t max_nodes() const;
  uint32_t max_depth() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count, max_references and max_nodes.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region primitives;   ///< At least `count` primitives, at a multiple of their alignment.
    Region nodes;        ///< Room for max_nodes() BoxKdNode, at a multiple of 16 bytes.
    Region references;   ///< Room for max_references() uint32_t.
    CountOutput counts;  ///< Three words: the number of nodes, of references, and of nodes that became leaves for lack
                         ///< of room.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps another that is written, or if the
  /// count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
