#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/lbvh.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// A ray: origin + t * direction for t from t_min to t_max. A direction may have any length, and components of zero.
struct BvhRay {
  std::array<float, 3> origin;
  float t_min = 0;
  std::array<float, 3> direction;
  float t_max = std::numeric_limits<float>::infinity();
};
static_assert(sizeof(BvhRay) == 32);

/// A point, and the largest squared distance at which a primitive is near it.
struct BvhPoint {
  std::array<float, 3> at;
  float squared_distance = std::numeric_limits<float>::infinity();
};
static_assert(sizeof(BvhPoint) == 16);

/// What a query found.
struct BvhHit {
  uint32_t primitive;  ///< Its index; tree::none if there is none.
  float distance;      ///< For rays t, for points the squared distance, for boxes 0; infinity if there is none.
};

/// Asks a hierarchy of Lbvh about an array of boxes, points or rays: which primitives does each box overlap, is each
/// point near to, does each ray hit? One invocation answers one query. Without a `test`, primitives are their boxes in
/// the hierarchy. Boxes that touch overlap. Queries with NaNs find nothing.
///
/// Results are the same in every run. The order of hits depends on the hierarchy, and distances round as the device
/// does. weft/thread/ray.glsl and weft/thread/distance.glsl have the limits of rays and points.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API BvhQuery {
 public:
  /// The largest number of queries.
  static constexpr uint64_t max_queries = uint64_t{1} << 29;

  enum class Of : uint8_t {
    boxes,   ///< Box<3>
    points,  ///< BvhPoint
    rays,    ///< BvhRay
  };
  enum class Find : uint8_t {
    all,      ///< All primitives, counted and listed.
    nearest,  ///< For points and rays, the nearest one; of several, that with the lowest index.
    any,      ///< Any one: whether a ray is blocked, a box is free.
  };

  /// A test of a primitive that is more exact than that of its box.
  struct WEFT_API Test {
    Element element;
    /// GLSL expression of `x`, a primitive, `i`, its index, and `query`. For boxes a bool, of a WeftBox. For points the
    /// squared distance, from a vec3. For rays t, of a WeftRay; one outside the ray's range, or infinity, is no hit.
    /// May use weft/thread/ray.glsl and weft/thread/distance.glsl.
    std::string expression;
    uint32_t vertex_bytes = 0;  ///< That of the BvhPrimitive.

    /// Of rays or points with triangles (BvhPrimitive::triangles()). Throws invalid_argument for boxes.
    static Test triangles(Of of);
    /// The same with triangles by index (BvhPrimitive::indexed_triangles()). Also throws invalid_argument for
    /// vertex_bytes that BvhPrimitive does not take.
    static Test indexed_triangles(Of of, uint32_t vertex_bytes = 12);
  };

  struct Options {
    std::optional<Test> test{};
    std::optional<Tuning> tuning{};  ///< Of the scan for Find::all; overrides the device's tuning.
  };

  /// Compiles for up to `max_count` queries. Throws compile_failed if the test does not compile, invalid_argument for
  /// more than max_queries and for Find::nearest of boxes.
  BvhQuery(const Device& device, Of of, Find find, uint64_t max_count, const Options& options);
  BvhQuery(const Device& device, Of of, Find find, uint64_t max_count);

  /// Bytes of temporary storage, a multiple of 16; 0 unless for Find::all. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region nodes, indices, bounds;  ///< As Lbvh wrote them.
    Count leaves;                   ///< Number of primitives in the hierarchy.
    Region primitives;              ///< For a test: the primitives. Otherwise empty.
    Region queries;                 ///< At least `count` queries, at a multiple of 4.
    Count count;
    /// Find::all: uint32_t indices of primitives, those of query 0 first. Those that do not fit are dropped. Empty:
    /// they are only counted. Otherwise: room for a BvhHit of each query.
    Region hits;
    Region ends;        ///< Find::all: room for `count` uint64_t: for each query, the end of its hits. Otherwise empty.
    CountOutput found;  ///< Find::all: a word: the number of all hits, also of those dropped. Otherwise empty.
    Region temporary;   ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
    Region vertices{};  ///< For a test of triangles by index: the vertices. Otherwise empty.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if a count exceeds its maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// A hierarchy in push constants, for your own kernels: WeftBvh of weft/device/bvh.glsl.
struct WEFT_API Bvh {
  uint64_t nodes, indices, bounds;  ///< Addresses.
  uint32_t leaves, unused = 0;

  /// Of the regions that Lbvh wrote for that number of leaves. Throws invalid_argument if one is too small or
  /// misaligned.
  static Bvh of(const Region& nodes, const Region& indices, const Region& bounds, uint32_t leaves);
};

}  // namespace weft
