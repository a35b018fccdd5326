#include <algorithm>

#include <weft/progress.h>
#include <weft/slab_allocator.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

constexpr uint64_t heap_bytes = 256 << 20;  // 4096 slabs

// Every invocation takes a buffer and gives it back, or allocates and frees a block. Elements are invocations.
class PoolCase : public Case {
 public:
  PoolCase(const Problem& problem, bool allocates)
      : problem_(problem),
        allocates_(allocates),
        kernel_(problem.device.kernel(kernels::pool(), KernelOptions().specialize(0, allocates))),
        heap_(heap_bytes),
        memory_(problem.device.buffer<std::byte>(heap_.bytes())),
        got_(problem.device.buffer<uint32_t>(problem.count)) {
    if (allocates) require_forward_progress(problem.device, "pool:slab");
    Stream stream = problem.device.stream();
    heap_.record_clear(stream, memory_);
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return problem_.count * sizeof(uint32_t); }
  void poison(Stream& stream) const override { poison_region(stream, got_); }

  void record(Recorder& recorder, uint32_t) const override {
    struct Block {
      SlabAllocator::Block heap;
      uint64_t got;
      uint32_t count, unused;
    };
    recorder.dispatch(kernel_, grid_of(problem_.count),
                      Block{heap_.block(memory_), got_.pointer().address, uint32_t(problem_.count), 0});
  }

  // Invocations that run at once may be more than the 4096 buffers of the pool, but not than the blocks of the heap.
  std::optional<std::string> verify(Stream& stream, uint32_t) const override {
    const std::vector<uint32_t> got = stream.download(got_);
    if (std::ranges::any_of(got, [](uint32_t word) { return word > 1; })) return "an invocation did not run";
    const auto served = uint64_t(std::ranges::count(got, 1u));
    if (served == 0 || (allocates_ && served != got.size())) return "an invocation got nothing";
    const Pool slabs(heap_.slabs(), heap_.slab_bytes());
    if (slabs.count_taken(stream, Region(memory_)) != 0) return "something was not given back";
    return std::nullopt;
  }

 private:
  Problem problem_;
  bool allocates_;
  Kernel kernel_;
  SlabAllocator heap_;
  Buffer<std::byte> memory_;
  Buffer<uint32_t> got_;
};

template <bool allocates>
std::unique_ptr<Case> prepare_pool(const Problem& problem) {
  check_invocations(problem);
  return std::make_unique<PoolCase>(problem, allocates);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_pool() {
  static constexpr Benchmark rows[] = {
      {"pool", "", false, "a buffer of 4096 taken and given back by each invocation", one_set, prepare_pool<false>},
      {"pool", "slab", false, "64 bytes allocated and freed by each invocation", one_set, prepare_pool<true>},
  };
  return rows;
}

}  // namespace weft::bench
