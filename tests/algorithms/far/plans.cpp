#include <numeric>

#include <weft/compact.h>
#include <weft/partition.h>
#include <weft/run_length.h>
#include <weft/segmented.h>
#include <weft/split.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/runs/run_length_tuning.h"
#include "algorithms/src/runs/segments_tuning.h"
#include "algorithms/src/scan/scan_tuning.h"
#include "algorithms/src/select/selection_tuning.h"
#include "core/src/runtime/backend.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/runs/runs_check.h"
#include "tests/algorithms/scan/scan_check.h"

using namespace weft;
using namespace weft::test;

/// Plans for more than 2^32 elements that process only the last ones. Only these have memory. The states of earlier
/// tiles are filled in as if those tiles were done.

namespace {

const algorithms::StagedTuning values{.tile = {.workgroup = 256, .bytes_per_invocation = 64}};
constexpr uint64_t far_tile = 256 * 64 / sizeof(uint32_t);
/// The first tile that is processed ends at 2^32; the second is the last but one.
constexpr uint64_t first_tile = index_limit / far_tile - 1, start = first_tile * far_tile,
                   far_count = index_limit + far_tile + 1234;
constexpr uint32_t tiles = 3;

/// Memory of `count` elements, of which only those from `first` on exist.
template <typename T>
class Far {
 public:
  Far(const Device& device, Stream& stream, uint64_t first, const std::vector<T>& data, std::mt19937_64& generator)
      : window_(device, stream, data, generator), shown_(device, window_), first_(first) {}
  Far(const Device& device, Stream& stream, uint64_t first, uint64_t number, std::mt19937_64& generator)
      : window_(device, stream, number, generator), shown_(device, window_), first_(first) {}

  /// Starts where the first element would be, far before the memory that exists.
  operator Region() const { return {const_cast<Shown*>(&shown_), 0 - first_ * sizeof(T), far_count * sizeof(T)}; }
  /// Checks that the existing memory starts with these elements, and that the rest is as it was.
  void check(Stream& stream, const std::vector<T>& elements, const std::string& what) const {
    std::vector<T> expected = window_.poison();
    REQUIRE_LE(elements.size(), expected.size());
    std::ranges::copy(elements, expected.begin());
    check_same(window_.read(stream), expected, what);
  }

 private:
  struct Shown : backend::Buffer {
    Shown(const Device& device, const Region& window)
        : backend::Buffer(device.shared_impl(), window.address(), window.bytes) {}
  };

  Guarded<T> window_;
  Shown shown_;
  uint64_t first_;
};

/// Records a look-back plan that starts with `first_tile`. `before`: the words of that tile's carry.
class FarStart final : public backend::Recorder {
 public:
  FarStart(Stream& stream, std::vector<uint32_t> before) : stream_(stream), before_(std::move(before)) {}

  backend::Device& device() override { return stream_.impl().device(); }
  void dispatch(const backend::Kernel& kernel, Groups, const backend::BoundArguments& arguments) override {
    stream_.impl().dispatch(kernel, {tiles, 1, 1}, arguments);
  }
  // A ticket and the states of all tiles, as in weft/device/look_back.glsl.
  void fill(const Region& region, uint32_t word) override {
    stream_.impl().fill(region, word);
    const uint64_t words = before_.size(), states = region.offset + 16;
    stream_.upload_region({region.buffer, region.offset, 4}, std::as_bytes(std::span(&first_tile, 1)).first(4));
    constexpr uint32_t prefix = 2;
    std::vector<uint32_t> state;
    if (algorithms::has_int64_atomics(device().info())) {
      for (const uint32_t each : before_) state.insert(state.end(), {each, prefix});
    } else {
      state.assign(1 + words, prefix);  // The rest is the tile's own total, which nobody reads.
      state.insert(state.end(), before_.begin(), before_.end());
    }
    const uint64_t bytes = state.size() * sizeof(uint32_t);
    stream_.upload_region({region.buffer, states + (first_tile - 1) * bytes, bytes}, std::as_bytes(std::span(state)));
  }
  void dispatch_indirect(const backend::Kernel&, const Region&, const backend::BoundArguments&) override { refuse(); }
  void copy(const Region&, const Region&) override { refuse(); }
  std::shared_ptr<backend::Timestamp> timestamp() override { refuse(); }
  void begin_independent() override { refuse(); }
  void end_independent() override {}

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("plans that look back record no such command"); }

  Stream& stream_;
  std::vector<uint32_t> before_;
};

/// Records `plan`, whose carries have that many words.
template <class Plan, class PlanArguments>
void record_far(Stream& stream, const Plan& plan, const std::vector<uint32_t>& before, PlanArguments arguments) {
  const uint64_t words = before.size(), all_tiles = first_tile + tiles;
  const uint64_t state = algorithms::has_int64_atomics(stream.device().info()) ? 2 * words : 1 + 2 * words;
  // A tile of another size would change the storage.
  const uint64_t bytes = algorithms::round_up_16(all_tiles * state * sizeof(uint32_t)) + 16;
  CHECK_EQ(plan.temporary_bytes(), algorithms::with_slack(bytes));
  const Buffer<std::byte> temporary = stream.device().buffer<std::byte>(plan.temporary_bytes());
  arguments.temporary = temporary;
  FarStart far(stream, before);
  Recorder recorder(far);
  plan.record(recorder, arguments);
  stream.synchronize();
}

std::vector<uint32_t> words_of(std::initializer_list<uint64_t> numbers) {
  std::vector<uint32_t> words;
  for (const uint64_t number : numbers) words.insert(words.end(), {uint32_t(number), uint32_t(number >> 32)});
  return words;
}

/// Elements from the tile before the first that is processed on, because its last element is a neighbour.
struct Input {
  Input(const Device& device, Stream& stream, std::vector<uint32_t> some, std::mt19937_64& generator)
      : data(std::move(some)), memory(device, stream, start - far_tile, data, generator) {}

  std::span<const uint32_t> worked_on() const { return std::span(data).subspan(far_tile); }

  std::vector<uint32_t> data;
  Far<uint32_t> memory;
};
constexpr uint64_t there = far_count - start + far_tile, worked = far_count - start;

}  // namespace

DEVICE_TEST("a scan continues beyond 2^32 elements") {
  need_path(device, TilePath::look_back);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far scan");
  const Element word = Element::of<uint32_t>();
  // Two words for each row: the element and the input of its transform.
  const Tuning tuning({tuned(algorithms::tuned_scan, 4, {.tile = {.workgroup = 256, .bytes_per_invocation = 128}})});
  const Scan plan(
      device, word, Operator::sum(), far_count,
      {.path = TilePath::look_back, .transform = Transform::of(word, "x + i * 3u + i_high * 5u"), .tuning = tuning});
  const Input input(device, stream, random_elements<uint32_t>(there, generator), generator);
  const Far<uint32_t> output(device, stream, start, worked, generator);
  uint32_t sum = 77;
  record_far(stream, plan, {sum}, Scan::Arguments{.input = input.memory, .output = output, .count = far_count});
  std::vector<uint32_t> expected;
  for (uint64_t i = start; const uint32_t x : input.worked_on()) {
    expected.push_back(sum);
    sum += x + uint32_t(i) * 3 + uint32_t(i >> 32) * 5;
    ++i;
  }
  output.check(stream, expected, "the scan");
}

DEVICE_TEST("a selection, a partition and a split continue beyond 2^32 elements") {
  need_path(device, TilePath::look_back);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far selection");
  const Element word = Element::of<uint32_t>();
  const Tuning tuning({tuned(algorithms::tuned_compact, 4, values), tuned(algorithms::tuned_compact_indices, 4, values),
                       tuned(algorithms::tuned_partition, 4, values), tuned(algorithms::tuned_split, 4, values)});
  const Input input(device, stream, random_elements<uint32_t>(there, generator), generator);
  std::vector<uint32_t> kept, others, rest;
  std::vector<uint64_t> indices;
  for (uint64_t i = start; const uint32_t x : input.worked_on()) {
    (x % 2 == 0 ? kept : others).push_back(x);
    if (x % 2 == 0) indices.push_back(i);
    if (x % 2 != 0 && x % 3 != 0) rest.push_back(x);
    ++i;
  }
  const uint64_t before = start - 100;  // Enough are selected before that the last ranks exceed 2^32.
  const std::vector<uint32_t> selected_before = words_of({before});
  const Guarded<uint64_t> number(device, stream, 1, generator);
  {
    const Compact plan(device, word, Selection::when("x % 2u == 0u"), far_count,
                       {.path = TilePath::look_back, .tuning = tuning});
    const Far<uint32_t> output(device, stream, before, worked, generator);
    record_far(
        stream, plan, selected_before,
        Compact::Arguments{.input = input.memory, .output = output, .selected = number.view(), .count = far_count});
    output.check(stream, kept, "what is selected");
    check_same(number.read(stream), {before + kept.size()}, "how many are selected");
  }
  {
    const Compact plan(device, word, Selection::when("x % 2u == 0u"), far_count,
                       {.path = TilePath::look_back, .tuning = tuning, .index_bits = 64});
    const Far<uint64_t> output(device, stream, before, worked, generator);
    record_far(
        stream, plan, selected_before,
        Compact::Arguments{.input = input.memory, .output = output, .selected = number.view(), .count = far_count});
    output.check(stream, indices, "the indices");
  }
  {
    const Partition plan(device, word, Selection::when("x % 2u == 0u"), far_count,
                         {.others = Others::reversed, .path = TilePath::look_back, .tuning = tuning});
    const Far<uint32_t> output(device, stream, before, worked, generator);
    record_far(
        stream, plan, selected_before,
        Partition::Arguments{.input = input.memory, .output = output, .selected = number.view(), .count = far_count});
    std::vector<uint32_t> all = kept;
    all.insert(all.end(), others.rbegin(), others.rend());
    output.check(stream, all, "the selected ones and the others");
  }
  const Split plan(device, word, Sides::three_way("x % 2u == 0u", "x % 3u == 0u"), far_count,
                   {.path = TilePath::look_back, .tuning = tuning});
  const uint64_t seconds = 60, thirds = start - before - seconds;
  const Far<uint32_t> first(device, stream, before, worked, generator);
  const Far<uint32_t> second(device, stream, seconds, worked, generator);
  const Far<uint32_t> third(device, stream, thirds, worked, generator);
  const Guarded<uint64_t> counts(device, stream, 3, generator);
  record_far(stream, plan, words_of({before, seconds}),
             Split::Arguments{.input = input.memory,
                              .first = first,
                              .second = second,
                              .third = third,
                              .counts = counts.view(),
                              .count = far_count});
  std::erase_if(others, [](uint32_t x) { return x % 3 != 0; });
  first.check(stream, kept, "the first output");
  second.check(stream, others, "the second output");
  third.check(stream, rest, "the third output");
  check_same(counts.read(stream), {before + kept.size(), seconds + others.size(), thirds + rest.size()});
}

DEVICE_TEST("runs and segments continue beyond 2^32 elements") {
  need_path(device, TilePath::look_back);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("far runs");
  const Element word = Element::of<uint32_t>();
  const Tuning tuning(
      {tuned(algorithms::tuned_run_length, 4, values), tuned(algorithms::tuned_segmented_reduce, 4, values)});
  const std::vector<bool> heads = random_heads(there, Runs::short_ones, generator);
  const Input input(device, stream, elements_in_runs<uint32_t>(heads, generator), generator);
  std::vector<uint64_t> starts;  // Of runs that start in the processed tiles.
  for (uint64_t i = far_tile; i < there; ++i) {
    if (heads[i]) starts.push_back(start - far_tile + i);
  }
  {
    const RunLengthEncode plan(device, word, far_count,
                               {.equality = {}, .path = TilePath::look_back, .tuning = tuning});
    const uint64_t runs = start - 3, last = 2 * index_limit / 3;  // Runs before, and the length of the last so far.
    const Far<uint32_t> output(device, stream, runs, worked, generator);
    const Far<uint64_t> lengths(device, stream, runs - 1, worked, generator);
    const Guarded<uint64_t> number(device, stream, 1, generator);
    record_far(
        stream, plan, words_of({runs, last}),
        RunLengthEncode::Arguments{
            .input = input.memory, .output = output, .lengths = lengths, .runs = number.view(), .count = far_count});
    std::vector<uint32_t> firsts;
    std::vector<uint64_t> expected{last + starts.front() - start};
    for (size_t run = 0; run < starts.size(); ++run) {
      firsts.push_back(input.data[starts[run] - (start - far_tile)]);
      expected.push_back((run + 1 < starts.size() ? starts[run + 1] : far_count) - starts[run]);
    }
    output.check(stream, firsts, "the runs");
    lengths.check(stream, expected, "their lengths");
    check_same(number.read(stream), {runs + starts.size()}, "how many they are");
  }
  const uint64_t known = 5;  // Segments that start before; the last continues.
  std::vector<uint64_t> offset_list{0, 7, 8, index_limit / 2, start - 9};
  offset_list.insert(offset_list.end(), starts.begin(), starts.end());
  const uint64_t segments = offset_list.size() - 1;  // Up to where the last of the runs starts.
  const SegmentedReduce plan(device, word, Operator::sum(), SegmentsBy::offsets, far_count, segments,
                             {.path = TilePath::look_back, .tuning = tuning});
  const Guarded<uint64_t> offsets(device, stream, offset_list, generator);
  const Guarded<uint32_t> output(device, stream, segments, generator);
  std::vector<uint32_t> before = words_of({known});
  before.push_back(1000);  // Total of the last segment so far.
  record_far(
      stream, plan, before,
      SegmentedReduce::Arguments{
          .input = input.memory, .heads = offsets, .output = output, .segment_count = segments, .count = far_count});
  std::vector<uint32_t> expected = output.poison();
  for (uint64_t s = known - 1; s < segments; ++s) {
    const uint64_t from = std::max(offset_list[s], start) - (start - far_tile),
                   to = offset_list[s + 1] - (start - far_tile);
    expected[s] = std::accumulate(input.data.begin() + std::ptrdiff_t(from), input.data.begin() + std::ptrdiff_t(to),
                                  s < known ? 1000u : 0u);
  }
  check_same(output.read(stream), expected, "the totals");
}
