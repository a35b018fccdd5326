#include <vector>

#include <weft/box_kd_tree.h>

#include "bench/benchmark.h"
#include "bench/cases/box_hierarchy.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

// Push constants of bench/kernels/kd_rays.comp.
struct RaysBlock {
  uint64_t nodes, references, boxes, rays, hits;
  uint32_t count, unused;
};

// The rays and boxes of rays:nearest. What is found is compared with that. Near misses, which either may take for hits,
// are rare.
class KdRaysCase : public Case {
 public:
  KdRaysCase(const Problem& problem, Stream& stream)
      : problem_(problem),
        kernel_(problem.device.kernel(kernels::kd_rays())),
        plan_(problem.device, BvhPrimitive::boxes(), problem.count, {.tuning = problem.tuning}),
        boxes_(problem.device.buffer<Box<3>>(problem.count)),
        nodes_(problem.device.buffer<BoxKdNode>(plan_.max_nodes())),
        references_(problem.device.buffer<uint32_t>(plan_.max_references())),
        inputs_(problem.device, problem.count * sizeof(BvhRay), problem.sets),
        hits_(problem.device, problem.count * sizeof(BvhHit), problem.sets) {
    upload_to_sets(stream, inputs_, random_rays(problem));
    stream.upload(boxes_, scene_of(problem));
    const Buffer<uint32_t> counts = problem.device.buffer<uint32_t>(3);
    const Buffer<std::byte> temporary = problem.device.buffer<std::byte>(plan_.temporary_bytes());
    plan_.record(stream, {boxes_, nodes_, references_, counts, problem.count, temporary});
    expected_ = BoxHierarchy(problem, stream).first_hits(stream, inputs_[0], hits_[0]);
  }

  uint64_t bytes_moved() const override { return problem_.count * (sizeof(BvhRay) + sizeof(BvhHit)); }
  void poison(Stream& stream) const override { poison_region(stream, hits_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    recorder.dispatch(kernel_, grid_of(problem_.count),
                      RaysBlock{nodes_.pointer().address, references_.pointer().address, boxes_.pointer().address,
                                inputs_[set].address(), hits_[set].address(), uint32_t(problem_.count), 0});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> hits = stream.download(View<uint32_t>(hits_[set]));
    uint64_t different = 0;
    for (size_t i = 0; i < hits.size(); i += 2) different += hits[i] != expected_[i] || hits[i + 1] != expected_[i + 1];
    if (different <= problem_.count / 10'000) return std::nullopt;
    return std::to_string(different) + " hits are not those that BvhQuery finds";
  }

 private:
  Problem problem_;
  Kernel kernel_;
  BoxKdTree plan_;
  Buffer<Box<3>> boxes_;
  Buffer<BoxKdNode> nodes_;
  Buffer<uint32_t> references_;
  Sets inputs_, hits_;
  std::vector<uint32_t> expected_;
};

std::unique_ptr<Case> prepare_kd_rays(const Problem& problem) {
  check_invocations(problem);
  Stream stream = problem.device.stream();
  return std::make_unique<KdRaysCase>(problem, stream);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_kd_rays() {
  static constexpr Benchmark rows[] = {
      {"rays", "kd-tree", false, "the first box that each ray hits, in a kd-tree of boxes", queries_and_hits,
       prepare_kd_rays, Takes::mesh},
  };
  return rows;
}

}  // namespace weft::bench
