#include <weft/bvh_query.h>

#include "bench/benchmark.h"
#include "bench/cases/box_hierarchy.h"
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
  RopeRaysCase(const Problem& problem, Stream& stream)
      : problem_(problem),
        kernel_(problem.device.kernel(kernels::rope_rays())),
        hierarchy_(problem, stream),
        inputs_(problem.device, problem.count * sizeof(BvhRay), problem.sets),
        hits_(problem.device, problem.count * sizeof(BvhHit), problem.sets) {
    upload_to_sets(stream, inputs_, random_rays(problem));
    expected_ = hierarchy_.first_hits(stream, inputs_[0], hits_[0]);
  }

  uint64_t bytes_moved() const override { return problem_.count * (sizeof(BvhRay) + sizeof(BvhHit)); }
  void poison(Stream& stream) const override { poison_region(stream, hits_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    recorder.dispatch(kernel_, grid_of(problem_.count),
                      Block{hierarchy_.in_kernels(), hierarchy_.leaf_parents(), inputs_[set].address(),
                            hits_[set].address(), uint32_t(problem_.count), 0});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    if (stream.download(View<uint32_t>(hits_[set])) != expected_) return "not the hits that BvhQuery finds";
    return std::nullopt;
  }

 private:
  Problem problem_;
  Kernel kernel_;
  BoxHierarchy hierarchy_;
  Sets inputs_, hits_;
  std::vector<uint32_t> expected_;
};

std::unique_ptr<Case> prepare_rope_rays(const Problem& problem) {
  check_invocations(problem);
  Stream stream = problem.device.stream();
  return std::make_unique<RopeRaysCase>(problem, stream);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_rope_rays() {
  static constexpr Benchmark rows[] = {
      {"rays", "ropes", false, "the first box that each ray hits, without a stack", queries_and_hits, prepare_rope_rays,
       Takes::mesh},
  };
  return rows;
}

}  // namespace weft::bench
