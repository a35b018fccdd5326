#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element_memory.h>
#include <weft/lbvh.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Indices of two boxes that overlap: the lower one first.
struct IndexPair {
  uint32_t first, second;

  auto operator<=>(const IndexPair&) const = default;
};

/// How FindPairs chooses the pairs of boxes that it tests. docs/primitives/pairs.md compares the methods.
enum class BroadPhase : uint8_t {
  automatic,       ///< brute_force for few boxes, on GPUs uniform_grid for some; else bvh. The device's tuning decides.
  brute_force,     ///< All pairs. For up to FindPairs::max_by_brute_force boxes.
  sort_and_sweep,  ///< Pairs that overlap along the axis on which the boxes' centers vary most.
  uniform_grid,    ///< Pairs in neighbouring cells of a grid. For boxes of similar sizes.
  bvh,             ///< Each box traverses a hierarchy over all of them (weft/lbvh.h). For any boxes.
};

/// Finds all pairs of boxes that overlap: the broad phase of collision detection. Boxes that touch overlap. A box that
/// is empty (its low corner is above the high one along some axis) or has a NaN is in no pair. Infinite corners and
/// zeros of both signs compare as floats do.
///
/// Counts the pairs, then writes each once, so that neither memory nor time is spent on a guess of their number.
/// `found` is the number of all pairs, also of those that `pairs` has no room for. To learn it alone, give no room.
///
/// Candidates, except those of bvh, are divided evenly among workgroups, whatever the boxes: the number of candidates
/// of each box is scanned, and each invocation finds its own in the sums. The same pairs are found by every method and
/// on every device. Their order depends on the method and is the same in every run. (Liu et al. 2010, Real-time
/// Collision Culling of a Million Bodies on Graphics Processing Units; Green 2010, Particle Simulation using CUDA;
/// Karras 2012, Thinking Parallel.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API FindPairs {
 public:
  /// The largest number of boxes.
  static constexpr uint64_t max_boxes = Lbvh::max_primitives;
  static constexpr uint64_t max_by_brute_force = 65536;

  struct Options {
    BroadPhase method = BroadPhase::automatic;
    /// Also wants this GLSL expression to be true: of `a` and `b`, primitives whose boxes overlap, and `i` and `j`,
    /// their indices; i is the lower one. Empty: all pairs. Neighbours within a radius: boxes of "x.at - 0.5 * radius"
    /// and "x.at + 0.5 * radius", where "distance(a.at, b.at) <= radius". May use weft/thread/box.glsl.
    std::string where{};
    float cell_size = 0;             ///< Edge of a cell of uniform_grid; 0: one that most boxes fit into.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` primitives, whose boxes are tested; their centers are not used. Throws
  /// compile_failed if an expression does not compile, invalid_argument for other vertex_bytes, for more primitives
  /// than the method takes, and for a negative cell_size, or one that is not finite.
  FindPairs(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& options);
  FindPairs(const Device& device, const BvhPrimitive& primitive, uint64_t max_count);

  /// The method that the plan takes, never automatic.
  BroadPhase method() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count for one method.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region primitives;  ///< At least `count` primitives, at a multiple of their alignment.
    Region pairs;       ///< Room for pairs, as IndexPair. Those that do not fit are dropped.
    CountOutput found;  ///< One word: the number of all pairs.
    Count count;
    Region temporary;   ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
    Region vertices{};  ///< For triangles by index: the vertices, at a multiple of 4. Otherwise empty.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that is written, or if the
  /// count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Finds the pairs of all primitives, writes up to `pairs.size()` of them, and returns the number of all. Waits for the
/// result. The stream keeps the plan. Throws invalid_argument for triangles by index.
WEFT_API uint64_t find_pairs(Stream& stream, const BvhPrimitive& primitive, const ElementMemory& primitives,
                             const View<IndexPair>& pairs, BroadPhase method = BroadPhase::automatic);

}  // namespace weft
