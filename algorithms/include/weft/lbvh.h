#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/reductions.h>
#include <weft/stream.h>
#include <weft/tree_reduce.h>
#include <weft/tuning.h>

namespace weft {

/// A node of a bounding volume hierarchy: the same 64 bytes in C++, in CUDA, in HLSL's structured buffers and in GLSL's
/// scalar layout. It has the boxes of its children, so a traversal reads one node at each step. References are those
/// of weft::tree: the index of a node, or tree::leaf + the index of a leaf.
struct BvhNode {
  uint32_t children[2];  ///< First the child of the lower leaves.
  uint32_t parent;       ///< Index of a node; tree::none for node 0, the root.
  uint32_t end;          ///< The leaves below node i are those from min(i, end) to max(i, end).
  Box<3> boxes[2];       ///< Of the children.
};
static_assert(sizeof(BvhNode) == 64);

/// What a hierarchy is built over: elements, and the boxes around them as GLSL expressions of `x`, an element, and `i`,
/// its index. A plain value.
struct WEFT_API BvhPrimitive {
  Element element;
  std::string low, high;  ///< The corners, each a vec3. May use weft/thread/box.glsl.
  std::string center;     ///< A vec3, by which primitives are sorted; without that file.
  /// For triangles by index: bytes from one vertex to the next, a multiple of 4. In memory, a primitive is three
  /// indices of 32 bits then. Otherwise 0.
  uint32_t vertex_bytes = 0;

  /// The center is the middle between the corners, whose expressions are then without weft/thread/box.glsl:
  ///
  ///   BvhPrimitive::of(sphere, "x.at - x.radius", "x.at + x.radius")
  static BvhPrimitive of(const Element& element, const std::string& low, const std::string& high);
  /// Boxes: low corner, high corner.
  static BvhPrimitive boxes();
  /// Triangles: three corners, of three floats each. Where a coordinate of a corner is NaN, so is the center's.
  static BvhPrimitive triangles();
  /// Triangles as three uint32_t indices of vertices, which start with three floats: an index buffer and a vertex
  /// buffer. Indices are not checked. Throws invalid_argument unless vertices have a multiple of 4 bytes, and at least
  /// 12.
  static BvhPrimitive indexed_triangles(uint32_t vertex_bytes = 12);

  /// Bytes of a primitive in memory, and their alignment.
  uint32_t bytes() const { return vertex_bytes > 0 ? 12 : element.bytes(); }
  uint32_t align() const { return vertex_bytes > 0 ? 4 : element.align(); }
};

/// Builds a bounding volume hierarchy over primitives that are sorted by the Morton codes of their centers. Use it for
/// ray tracing, overlaps and neighbours in scenes that change. There are two kinds of tree:
///
///   linear          Each node splits its leaves where the highest bit of the codes changes, or among equal codes the
///                   highest bit of their indices. Leaves are in the order of the codes; equal codes keep the order of
///                   their primitives. Both linear builders write the same bytes.
///   agglomerative   Near clusters of primitives are merged until one is left, the root. Leaves are in the order of the
///                   tree. Rays read fewer nodes, most of all where primitives differ in size; building takes longer.
///
/// No tree is deeper than code_bits + ceil(log2(leaves)). There is one node less than there are leaves. Node 0 is the
/// root, unless one leaf is the whole tree. Every device that rounds to nearest even writes the same bytes, apart from
/// bits of NaNs and, for agglomerative trees, where it flushes denormals.
///
/// Boxes may be empty, infinite, or have NaNs. A box around others ignores their NaNs. Where a center is infinite or
/// NaN, Morton says which cell it takes. (Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and
/// k-d Trees; Apetrei 2014, Fast and Simple Agglomerative LBVH Construction; Lauterbach et al. 2009, Fast BVH
/// Construction on GPUs; Meister and Bittner 2018, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
/// Construction; Benthin et al. 2024, H-PLOC.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Lbvh {
 public:
  /// The largest number of primitives.
  static constexpr uint64_t max_primitives = TreeReduce::max_nodes;

  enum class Builder : uint8_t {
    one_pass,       ///< Linear. Links and boxes together, bottom-up (Apetrei).
    two_passes,     ///< Linear. Links of all nodes at once, then boxes bottom-up (Karras).
    agglomerative,  ///< A better tree, by merging clusters (Meister and Bittner).
  };

  struct Options {
    uint32_t code_bits = 63;  ///< Or 30: half the passes of the sort; more primitives share a code.
    Builder builder = Builder::one_pass;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` primitives. Throws compile_failed if an expression does not compile,
  /// invalid_argument for other code_bits and vertex_bytes, and for more than max_primitives.
  Lbvh(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& options);
  Lbvh(const Device& device, const BvhPrimitive& primitive, uint64_t max_count);

  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region primitives;  ///< At least `count` primitives, at a multiple of their alignment.
    Region nodes;       ///< Room for `count` - 1 BvhNode, or for `count` if that is on the device; at a multiple of 16
                        ///< bytes.
    Region indices;     ///< Room for `count` uint32_t: for each leaf, the index of its primitive.
    Region leaf_parents;  ///< Room for `count` uint32_t: for each leaf, the node above; tree::none for a single leaf.
    Region bounds;        ///< A Box<3>: that around everything; infinity to -infinity if there is nothing.
    Count count;
    Region temporary;   ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
    Region vertices{};  ///< For triangles by index: the vertices, at a multiple of 4. Otherwise empty.
  };
  /// Records the construction. Throws invalid_argument if a region is too small or misaligned, if it overlaps another
  /// that is written, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;
  /// Records a refit: boxes of all nodes anew, from primitives that have changed, in the tree that an earlier record()
  /// wrote to `nodes`, `indices` and `leaf_parents`, with the same count. Takes less time than a construction, but the
  /// tree gets worse as primitives move. Throws as record() does.
  void record_refit(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Expected costs of a ray at a node and at a leaf.
struct BvhCosts {
  float node = 1, leaf = 1;
};

/// The surface-area cost of a hierarchy: of each node and leaf its cost, times the area of its box in proportion to the
/// root's. Lower is better, for rays that come from anywhere outside. `nodes` are all nodes. Waits for the result,
/// which is that of a double on the host to within rounding errors of floats. Without nodes it is `costs.leaf`. NaN if
/// the root's box has no area. Undefined if there are NaNs, or boxes too large for floats to hold their areas.
/// (MacDonald and Booth 1990, Heuristics for Ray Tracing Using Space Subdivision.)
WEFT_API float surface_area_cost(Stream& stream, const View<const BvhNode>& nodes, const BvhCosts& costs = {});

}  // namespace weft
