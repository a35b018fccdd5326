#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>
#include <weft/tree_reduce.h>
#include <weft/tuning.h>

namespace weft {

/// A node of a kd-tree of points: the same 12 bytes for D = 2, and 16 for D = 3, in C++, in CUDA, in HLSL's structured
/// buffers and in GLSL's scalar layout.
template <size_t D>
struct KdNode {
  std::array<float, D> at;
  uint32_t index;  ///< Of the point among those that the tree was built from.
};
static_assert(sizeof(KdNode<2>) == 12 && sizeof(KdNode<3>) == 16);

/// Builds a left-balanced kd-tree of points in 2 or 3 dimensions, for searches by KdNearest or by your own kernels
/// (weft/device/kd_tree.glsl).
///
/// The tree is an array with a node for each point, and no links. Node 0 is the root; the children of node i are the
/// nodes 2i + 1 and 2i + 2, its parent is (i - 1) / 2. All levels are full but the last, which is filled from the left.
/// A node at depth d splits along axis d modulo the dimensions: left of it no point has a larger coordinate, right of
/// it none a smaller one.
///
/// Coordinates are ordered by value, with -0 before +0. NaNs come after infinity, in no order among themselves. Points
/// that are equal along an axis keep the order of the level above; at the root, that of their indices. So every device
/// builds the same tree, apart from bits of NaNs.
///
/// For each level but the last, one kernel computes keys and one Sort orders the points of all subtrees, in place.
/// (Wald 2022, GPU-friendly, Parallel, and (Almost-)In-Place Construction of Left-Balanced k-d Trees.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API KdTree {
 public:
  /// The largest number of points.
  static constexpr uint64_t max_points = TreeReduce::max_nodes;

  struct Options {
    std::optional<Tuning> tuning{};  ///< Of the sorts; overrides the device's tuning.
  };

  /// Compiles for up to `max_count` points of `dimensions` floats. Throws invalid_argument unless dimensions are 2 or
  /// 3, and for more than max_points.
  KdTree(const Device& device, uint32_t dimensions, uint64_t max_count, const Options& options);
  KdTree(const Device& device, uint32_t dimensions, uint64_t max_count);
  /// As above for points in larger elements. `point` is a GLSL expression of `x`, an element, and `i`, its index: a
  /// vec2 or vec3. Throws compile_failed if it does not compile.
  KdTree(const Device& device, uint32_t dimensions, const Element& of, const std::string& point, uint64_t max_count,
         const Options& options);

  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region points;  ///< At least `count` points, or elements that have them, at a multiple of their alignment.
    Region nodes;   ///< Room for `count` KdNode<dimensions>, at a multiple of 16 bytes in 3 dimensions, of 4 in 2.
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

/// Finds the points of a KdTree that are nearest to each of many queries. One dispatch; an invocation for each query
/// walks through the tree without a stack. Queries that are near one another in memory and in space share loads: sort
/// them by Morton code.
///
/// Neighbours are in the order of their squared distances, and those at the same distance in the order of their
/// indices. The list is exactly that of a search through all points. Squared distances are floats: d.x * d.x + d.y *
/// d.y + d.z * d.z from left to right, each step rounded. They may overflow to infinity, which is a distance like any
/// other. One that is NaN is never found: that to or from a NaN, or between equal infinities.
///
/// (Wald 2022, A Stack-Free Traversal Algorithm for Left-Balanced k-d Trees.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API KdNearest {
 public:
  /// The largest number of neighbours. They are held in registers, which spill beyond that on sm_90.
  static constexpr uint32_t max_neighbours = 32;

  /// Compiles for up to `max_count` queries of `dimensions` floats, and `neighbours` points for each. Throws
  /// invalid_argument unless dimensions are 2 or 3 and there are 1 to max_neighbours neighbours, and for more than
  /// KdTree::max_points queries.
  KdNearest(const Device& device, uint32_t dimensions, uint32_t neighbours, uint64_t max_count);
  /// As above for queries in larger elements. `point` is a GLSL expression of `x`, an element, and `i`, its index: a
  /// vec2 or vec3. Throws compile_failed if it does not compile.
  KdNearest(const Device& device, uint32_t dimensions, uint32_t neighbours, const Element& of, const std::string& point,
            uint64_t max_count);

  struct Arguments {
    Region nodes;              ///< What a KdTree wrote: at least `node_count` nodes.
    Count node_count;          ///< Number of points in the tree, at most KdTree::max_points.
    Region queries;            ///< At least `count` queries, or elements that have them.
    Region indices;            ///< Room for `neighbours` uint32_t for each query; tree::none where there is no more.
    Region squared_distances;  ///< Room for `neighbours` floats for each query; infinity where there is no more.
    Count count;               ///< Number of queries.
    /// Points whose squared distance is larger are not found.
    float squared_radius = std::numeric_limits<float>::infinity();
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps another that is written, if a count
  /// exceeds its maximum, or if squared_radius is negative or NaN.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft
