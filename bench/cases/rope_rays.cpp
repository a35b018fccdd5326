#include <weft/bvh_query.h>

#include "bench/cases.h"
#include "bench/cases/boxes.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

// Push constants of bench/kernels/rope_rays.comp.
struct Block {
  Bvh bvh;
  uint64_t leaf_parents, rays, hits;
  uint32_t count, unused;
};

// The rays and boxes of rays:nearest. What is found is compared with that.
class RopeRaysCase : public Case {
 public:
  explicit RopeRaysCase(const Problem& problem)
      : problem_(problem),
        kernel_(problem.device.kernel(kernels::rope_rays())),
        nodes_(problem.device.buffer<BvhNode>(std::max<uint64_t>(problem.count, 2) - 1)),
        indices_(problem.device.buffer<uint32_t>(problem.count)),
        leaf_parents_(problem.device.buffer<uint32_t>(problem.count)),
        bounds_(problem.device.buffer<Box<3>>(1)),
        inputs_(problem.device, problem.count * sizeof(BvhRay), problem.sets),
        hits_(problem.device, problem.count * sizeof(BvhHit), problem.sets) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, random_rays(problem.count, RandomSource(problem.seed.seed + 1)));
    build(stream);
    expected_ = search_with_stack(stream);
  }

  uint64_t bytes_moved() const override { return problem_.count * (sizeof(BvhRay) + sizeof(BvhHit)); }
  std::string variant() const override { return "ropes"; }
  void poison(Stream& stream) const override { poison_region(stream, hits_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    recorder.dispatch(
        kernel_, grid_of(problem_.count),
        Block{Bvh::in(nodes_, indices_, bounds_, uint32_t(problem_.count)), leaf_parents_.pointer().address,
              inputs_[set].address(), hits_[set].address(), uint32_t(problem_.count), 0});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (stream.download(View<uint32_t>(hits_[set])) != expected_) return "not the hits that BvhQuery finds";
    return std::nullopt;
  }

 private:
  void build(Stream& stream) const {
    const Lbvh plan(problem_.device, BvhPrimitive::boxes(), problem_.count, {.tuning = problem_.tuning});
    const Buffer<Box<3>> boxes = problem_.device.buffer<Box<3>>(problem_.count);
    stream.upload(boxes, random_boxes(problem_.count, problem_.seed));
    plan.record(stream, {boxes, nodes_, indices_, leaf_parents_, bounds_, problem_.count,
                         stream.scratch(plan.temporary_bytes())});
    stream.synchronize();
  }

  std::vector<uint32_t> search_with_stack(Stream& stream) const {
    const BvhQuery plan(problem_.device, BvhQuery::Of::rays, BvhQuery::Find::nearest, problem_.count);
    plan.record(stream, {.nodes = nodes_,
                         .indices = indices_,
                         .bounds = bounds_,
                         .leaves = problem_.count,
                         .primitives = {},
                         .queries = inputs_[0],
                         .count = problem_.count,
                         .hits = hits_[0],
                         .ends = {},
                         .found = {},
                         .temporary = {}});
    return stream.download(View<uint32_t>(hits_[0]));
  }

  Problem problem_;
  Kernel kernel_;
  Buffer<BvhNode> nodes_;
  Buffer<uint32_t> indices_, leaf_parents_;
  Buffer<Box<3>> bounds_;
  Sets inputs_, hits_;
  std::vector<uint32_t> expected_;
};

}  // namespace

std::unique_ptr<Case> prepare_rays_by_ropes(const Problem& problem) {
  check_invocations(problem);
  return std::make_unique<RopeRaysCase>(problem);
}

}  // namespace weft::bench
