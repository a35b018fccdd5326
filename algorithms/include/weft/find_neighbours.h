#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/buffer.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/lbvh.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Lists the points within a radius of each point: the neighbours of particles, in compressed rows. A pair of points is
/// in both lists. No point is in its own; points at the same location are in one another's.
///
/// Neighbours are points whose squared distance is at most the squared radius. Both are floats: d.x * d.x + d.y * d.y +
/// d.z * d.z from left to right, each step rounded. Points with a NaN or an infinite coordinate have no neighbours.
///
/// Counts the neighbours, then lists them. `found` is the number of all, also of those that `neighbours` has no room
/// for. Every method and every device that keeps denormals finds the same. The order within a list depends on the
/// method and is the same in every run. (Green 2010, Particle Simulation using CUDA; Karras 2012, Thinking Parallel.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API FindNeighbours {
 public:
  /// The largest number of points.
  static constexpr uint64_t max_points = Lbvh::max_primitives;

  enum class Method : uint8_t {
    uniform_grid,  ///< Tests the points in the 27 cells around each. For points of about the same density.
    bvh,           ///< Traverses a hierarchy over all points (weft/lbvh.h). For points of very different densities.
  };

  struct Options {
    Method method = Method::uniform_grid;
    /// Also wants this GLSL expression to be true: of `a`, the element whose neighbours are listed, `b`, its neighbour,
    /// and `i` and `j`, their indices. Lists need not be mutual: "distance(a.at, b.at) <= a.radius". Empty: all.
    std::string where{};
    std::optional<Tuning> tuning{};  ///< Of the plans within; overrides the device's tuning.
  };

  /// Compiles for up to `max_count` points of three floats, `at` in expressions. Throws invalid_argument for more than
  /// max_points, compile_failed if an expression does not compile.
  FindNeighbours(const Device& device, uint64_t max_count, const Options& options);
  FindNeighbours(const Device& device, uint64_t max_count);
  /// As above for points in larger elements. `point` is a GLSL expression of `x`, an element, and `i`, its index: a
  /// vec3.
  FindNeighbours(const Device& device, const Element& of, const std::string& point, uint64_t max_count,
                 const Options& options);

  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region points;      ///< At least `count` points, or elements that have them, at a multiple of their alignment.
    Region offsets;     ///< Room for `count` + 1 uint64_t: the neighbours of point i are those from offsets[i] up to
                        ///< offsets[i + 1].
    Region neighbours;  ///< uint32_t indices of points. Those that do not fit are dropped. Empty: only counts.
    CountOutput found;  ///< A word: the number of all neighbours, which is also the last offset.
    Count count;
    float radius = 0;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps another that is written, if the
  /// count exceeds the plan's maximum, or if the radius is negative, NaN, or too large for its square to be finite.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Lists the neighbours of all points by a uniform grid, up to `neighbours.size()` of them, and returns the number of
/// all. `offsets` has room for one more than there are points. Waits for the result. The stream keeps the plan.
WEFT_API uint64_t find_neighbours(Stream& stream, const View<const std::array<float, 3>>& points, float radius,
                                  const View<uint64_t>& offsets, const View<uint32_t>& neighbours);

}  // namespace weft
