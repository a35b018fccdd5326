#pragma once

#include <algorithm>
#include <vector>

#include <weft/bvh_query.h>

#include "bench/cases/boxes.h"
#include "bench/sets.h"

namespace weft::bench {

/// The hierarchy of scene_of(), and what BvhQuery finds in it, to compare other searches with.
class BoxHierarchy {
 public:
  BoxHierarchy(const Problem& problem, Stream& stream)
      : problem_(problem),
        nodes_(problem.device.buffer<BvhNode>(std::max<uint64_t>(problem.count, 2) - 1)),
        indices_(problem.device.buffer<uint32_t>(problem.count)),
        leaf_parents_(problem.device.buffer<uint32_t>(problem.count)),
        bounds_(problem.device.buffer<Box<3>>(1)) {
    const Lbvh plan(problem.device, BvhPrimitive::boxes(), problem.count, {.tuning = problem.tuning});
    const Buffer<Box<3>> boxes = problem.device.buffer<Box<3>>(problem.count);
    stream.upload(boxes, scene_of(problem));
    plan.record(stream, {boxes, nodes_, indices_, leaf_parents_, bounds_, problem.count,
                         stream.scratch(plan.temporary_bytes())});
    stream.synchronize();
  }

  Bvh in_kernels() const { return Bvh::of(nodes_, indices_, bounds_, uint32_t(problem_.count)); }
  uint64_t leaf_parents() const { return leaf_parents_.pointer().address; }

  /// For each ray a BvhHit, as words. Writes it to `hits` too.
  std::vector<uint32_t> first_hits(Stream& stream, const Region& rays, const Region& hits) const {
    const BvhQuery plan(problem_.device, BvhQuery::Of::rays, BvhQuery::Find::nearest, problem_.count);
    plan.record(stream, {.nodes = nodes_,
                         .indices = indices_,
                         .bounds = bounds_,
                         .leaves = problem_.count,
                         .primitives = {},
                         .queries = rays,
                         .count = problem_.count,
                         .hits = hits,
                         .ends = {},
                         .found = {},
                         .temporary = {}});
    return stream.download(View<uint32_t>(hits));
  }

 private:
  Problem problem_;
  Buffer<BvhNode> nodes_;
  Buffer<uint32_t> indices_, leaf_parents_;
  Buffer<Box<3>> bounds_;
};

}  // namespace weft::bench
