#include <algorithm>
#include <vector>

#include <weft/progress.h>
#include <weft/work_queue.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

// A queue with room for all items, which is cleared in each run, and a word for each item.
class QueueCase : public Case {
 public:
  QueueCase(const Problem& problem, Kernel kernel)
      : problem_(problem),
        kernel_(std::move(kernel)),
        queue_(problem.count),
        queues_(problem.device, queue_.bytes(), problem.sets),
        words_(problem.device, problem.count * sizeof(uint32_t), problem.sets) {}

  // The item and its slot's turn, each written and read.
  uint64_t bytes_moved() const override { return 4 * problem_.count * sizeof(uint32_t); }
  void poison(Stream& stream) const override {
    poison_region(stream, queues_.all());
    poison_region(stream, words_.all());
  }

 protected:
  struct Block {
    uint64_t queue, words;
    uint32_t count, unused = 0;
  };
  Arguments arguments(uint32_t set) const {
    const Block block{queues_[set].address(), words_[set].address(), uint32_t(problem_.count)};
    return Arguments().push(std::as_bytes(std::span(&block, 1)).first(kernel_.reflection().push_constant_bytes));
  }

  Problem problem_;
  Kernel kernel_;
  WorkQueue queue_;
  Sets queues_, words_;
};

// A tree of tasks that workgroups take and make.
class TreeCase : public QueueCase {
 public:
  explicit TreeCase(const Problem& problem)
      : QueueCase(problem, problem.device.kernel(kernels::queue_tree())), root_(problem.device.buffer<uint32_t>(1)) {
    Stream stream = problem.device.stream();
    stream.fill(root_, 0u);
    stream.synchronize();
  }

  void record(Recorder& recorder, uint32_t set) const override {
    queue_.record_clear(recorder, queues_[set], root_.view());
    recorder.fill(View<uint32_t>(words_[set]), 0u);
    const uint32_t resident = kernel_.resident_workgroups();
    recorder.dispatch(kernel_, {resident != 0 ? resident : 1024}, arguments(set));
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> done = stream.download(View<uint32_t>(words_[set]));
    const auto wrong = std::ranges::find_if(done, [](uint32_t times) { return times != 1; });
    if (wrong == done.end()) return std::nullopt;
    return "task " + std::to_string(wrong - done.begin()) + " was done " + std::to_string(*wrong) + " times";
  }

 private:
  Buffer<uint32_t> root_;
};

// Each invocation pushes its index and pops an item. A pop may find the queue empty while others push.
class RingCase : public QueueCase {
 public:
  RingCase(const Problem& problem, bool by_subgroup)
      : QueueCase(problem, problem.device.kernel(kernels::queue_ring(), KernelOptions().specialize(0, by_subgroup))) {}

  void record(Recorder& recorder, uint32_t set) const override {
    queue_.record_clear(recorder, queues_[set]);
    const uint64_t groups = (problem_.count + 255) / 256, row = 32768;
    recorder.dispatch(kernel_, {uint32_t(std::min(groups, row)), uint32_t((groups + row - 1) / row)}, arguments(set));
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> popped = stream.download(View<uint32_t>(words_[set]));
    const std::vector<uint32_t> queue = stream.download(View<uint32_t>(queues_[set]));
    std::vector<uint32_t> times(problem_.count);
    const auto count = [&](uint32_t item) {
      if (item < times.size()) ++times[item];
    };
    for (const uint32_t item : popped) count(item);
    const uint32_t pushes = queue[32], pops = queue[96];  // Nothing wraps around: there is room for all.
    if (pushes != problem_.count) return std::to_string(pushes) + " items were pushed";
    for (uint32_t ticket = pops; ticket < pushes; ++ticket) count(queue[192 + queue_.capacity() + ticket]);
    const auto wrong = std::ranges::find_if(times, [](uint32_t one) { return one != 1; });
    if (wrong == times.end()) return std::nullopt;
    return "item " + std::to_string(wrong - times.begin()) + " is there " + std::to_string(*wrong) + " times";
  }
};

void check_queues(const Problem& problem) {
  if (problem.type != support::ScalarType::u32) throw Error(ErrorCode::unsupported, "an item of a queue is a u32");
  if (problem.count > WorkQueue::max_capacity) throw Error(ErrorCode::unsupported, "a queue holds 2^28 items");
}

std::unique_ptr<Case> prepare_tree(const Problem& problem) {
  check_queues(problem);
  require_forward_progress(problem.device, "weft_work_take()");
  return std::make_unique<TreeCase>(problem);
}
template <bool by_subgroup>
std::unique_ptr<Case> prepare_ring(const Problem& problem) {
  check_queues(problem);
  require_forward_progress(problem.device, "weft_queue_push()");
  return std::make_unique<RingCase>(problem, by_subgroup);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_queue() {
  static constexpr Benchmark rows[] = {
      {"queue", "", false, "a tree of tasks that workgroups take from a queue and put into it", words_of_long_runs,
       prepare_tree},
      {"queue", "lanes", false, "each invocation pushes an item and pops one", words_of_long_runs, prepare_ring<false>},
      {"queue", "subgroups", false, "with one ticket for a subgroup", words_of_long_runs, prepare_ring<true>},
  };
  return rows;
}

}  // namespace weft::bench
