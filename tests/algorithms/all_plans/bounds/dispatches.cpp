#include <string>
#include <vector>

#include <weft/by_key.h>
#include <weft/compact.h>
#include <weft/histogram.h>
#include <weft/map.h>
#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/partition.h>
#include <weft/reduce.h>
#include <weft/run_length.h>
#include <weft/scan.h>
#include <weft/segmented.h>
#include <weft/sort.h>
#include <weft/split.h>
#include <weft/top_k.h>

#include "tests/support/recording_device.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Dispatches of plans for counts that no test has memory for: none may lose the high half of a count.

namespace {

constexpr uint64_t two_to_32 = uint64_t(1) << 32;

/// Records plans of `count` words into a device without memory.
class Recorded {
 public:
  Recorded(Stream& stream, const Device& device, uint64_t count) : stream_(stream), device_(device), count_(count) {}

  void plans_of(TilePath path) {
    const Operator sum = Operator::sum();
    const Selection selection = Selection::when("x > 3u");
    record(Scan(device_, word, sum, count_, {.path = path}), {words(), words(), count_, {}});
    record(Compact(device_, word, selection, count_, {path}), {words(), {}, words(), region(8), count_, {}});
    record(Compact(device_, word, selection, count_, {path, {}, 64}),
           {words(), {}, region(8 * count_), region(8), count_, {}});
    record(Partition(device_, word, selection, count_, {Others::reversed, path}),
           {words(), {}, words(), {}, region(8), count_, {}});
    record(Split(device_, word, Sides::overlapping("x > 3u", "x > 7u"), count_, {path}),
           {words(), words(), words(), {}, region(16), count_, {}});
    record(RunLengthEncode(device_, word, count_, {{}, path}),
           {words(), words(), region(8 * count_), region(8), count_, {}});
    record(RunLengthDecode(device_, word, 1000, count_, {path}),
           {words(), region(8 * count_), words(), region(8), 1000, {}});
    record(ReduceByKey(device_, word, word, sum, count_, {{}, path}),
           {words(), words(), words(), words(), region(8), count_, {}});
    record(ScanByKey(device_, word, word, sum, count_, {.path = path}), {words(), words(), words(), count_, {}});
    record(SegmentedReduce(device_, word, sum, SegmentsBy::flags, count_, count_, {path}),
           {words(), words(), words(), region(8), 0, count_, {}});
    record(SegmentedScan(device_, word, sum, SegmentsBy::flags, count_, count_, {.path = path}),
           {words(), words(), words(), 0, count_, {}});
    record(Sort(device_, word, count_, {{}, path}), {words(), {}, words(), {}, count_, {}});
  }

  void other_plans() {
    const Comparison before = Comparison::ascending();
    record(Reduce(device_, word, Operator::sum(), count_), {words(), region(4), count_, {}});
    record(MergeSort(device_, word, before, count_), {words(), {}, words(), {}, count_, {}});
    record(TopK(device_, word, count_, 100), {words(), region(400), {}, region(8), 100, count_, {}});
    record(Merge(device_, word, before, count_),
           {{region(4 * 1000), {}, 1000}, {words(), {}, count_ - 1000}, words(), {}, {}});
    Histogram(device_, word, Bins::even(100, 0, 1000), count_)
        .record(stream_, {.input = words(), .output = region(400), .count = count_});
    Map(device_, word, Transform::of(word, "x + 1u"), count_)
        .record(stream_, {.input = words(), .output = words(), .count = count_});
  }

 private:
  Region region(uint64_t bytes) {
    memory_.push_back(device_.buffer<std::byte>(bytes));
    return memory_.back();
  }
  Region words() { return region(4 * count_); }

  template <typename Plan>
  void record(const Plan& plan, typename Plan::Arguments arguments) {
    arguments.temporary = region(plan.temporary_bytes());
    plan.record(stream_, arguments);
  }

  const Element word = Element::of<uint32_t>();
  Stream& stream_;
  const Device& device_;
  const uint64_t count_;
  std::vector<Buffer<std::byte>> memory_;
};

std::vector<RequestedDispatch> dispatches_of(const DeviceInfo& info, uint64_t count) {
  std::vector<RequestedKernel> requested;
  std::vector<RequestedDispatch> dispatches;
  const Device device = recording_device(info, requested, dispatches);
  Stream stream = device.stream();
  Recorded recorded(stream, device, count);
  for (const TilePath path : {TilePath::look_back, TilePath::reduce_then_scan}) recorded.plans_of(path);
  recorded.other_plans();
  return dispatches;
}

uint64_t number(const Groups& groups) { return uint64_t(groups.x) * groups.y * groups.z; }

}  // namespace

TEST_CASE("counts above 2^32 take as many workgroups as counts below") {
  for (const DeviceInfo& info : {h200_by_cuda(), h200_by_vulkan()}) {
    const std::vector<RequestedDispatch> below = dispatches_of(info, two_to_32 - 1),
                                         above = dispatches_of(info, two_to_32 + 17);
    CHECK_GT(below.size(), 50);
    REQUIRE_EQ(above.size(), below.size());
    for (size_t i = 0; i < below.size(); ++i) {
      INFO(info.backend, ": dispatch ", i, ", of ", below[i].kernel, " and ", above[i].kernel);
      // Kernels for large counts may have larger tiles.
      CHECK_GE(4 * number(above[i].groups), number(below[i].groups));
    }
  }
}
