#include <weft/tile_sort.h>

#include "tests/algorithms/sort/merge_check.h"

using namespace weft;
using namespace weft::test;

namespace {

/// The expected result for sequences of `length`, each sorted on its own, without equal elements.
template <typename T, typename V>
void sort_runs(std::vector<T>& elements, std::vector<V>& values, size_t length, bool (*before)(const T&, const T&)) {
  for (size_t first = 0; first < elements.size(); first += length) {
    const size_t end = std::min(elements.size(), first + length);
    std::vector<T> run(elements.begin() + std::ptrdiff_t(first), elements.begin() + std::ptrdiff_t(end));
    std::vector<V> carried;
    if (!values.empty()) carried.assign(values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(end));
    sort_reference(run, carried, before);
    std::copy(run.begin(), run.end(), elements.begin() + std::ptrdiff_t(first));
    std::copy(carried.begin(), carried.end(), values.begin() + std::ptrdiff_t(values.empty() ? 0 : first));
  }
}

/// Distinct numbers in random order, so that there is only one right result although networks are not stable.
std::vector<uint32_t> shuffled(size_t count, std::mt19937_64& generator) {
  std::vector<uint32_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = uint32_t(i) * 2654435761u;  // an odd factor: all different
  std::shuffle(numbers.begin(), numbers.end(), generator);
  return numbers;
}

void check_lengths(const Device& device, SortingNetwork network) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(network == SortingNetwork::bitonic ? "bitonic" : "odd-even");
  const bool is_emulated = computes_on_cpu(device) && device.info().backend != "vulkan";  // each plan is compiled
  const std::vector<uint32_t> all{1, 2, 3, 4, 5, 7, 8, 31, 33, 64, 100, 255, 257, 1000, 1024, 2047, 3001};
  const std::vector<uint32_t> lengths = is_emulated ? std::vector<uint32_t>{1, 7, 100, 1024, 3001} : all;
  for (const uint32_t length : lengths) {
    const TileSort plan(device, Element::of<uint32_t>(), Comparison::ascending(), length, 9001, {.network = network});
    for (const uint64_t count : {uint64_t(0), uint64_t(1), uint64_t(length), uint64_t(9001)}) {
      for (const bool in_place : {false, true}) {
        INFO("runs of ", length, ", elements: ", count, ", in place: ", in_place);
        std::vector<uint32_t> data = shuffled(count, generator), none;
        const Guarded<uint32_t> input(device, stream, data, generator, 4);
        const Guarded<uint32_t> separate(device, stream, count, generator, 12);
        const Guarded<uint32_t>& output = in_place ? input : separate;
        plan.record(stream, {input, {}, output, {}, count});
        const std::vector<uint32_t> before = data;
        sort_runs(data, none, length, +[](const uint32_t& a, const uint32_t& b) { return a < b; });
        check_same(output.read(stream), data);
        if (!in_place) check_same(input.read(stream), before, "the input afterwards");
      }
    }
  }
}

}  // namespace

DEVICE_TEST("bitonic sorts of any length") { check_lengths(device, SortingNetwork::bitonic); }
DEVICE_TEST("odd-even merge sorts of any length") { check_lengths(device, SortingNetwork::odd_even); }

DEVICE_TEST("sorting networks move values of any size, and take their count from device memory") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("networks with values");
  constexpr uint64_t held = 5003;
  for (const SortingNetwork network : {SortingNetwork::bitonic, SortingNetwork::odd_even}) {
    const TileSort plan(device, Elements<AffineMap>::element(), Comparison::by("a.scale > b.scale"), 300, held,
                        {.network = network, .values = Elements<Range>::element()});
    for (const uint64_t count : {uint64_t(0), uint64_t(299), uint64_t(4000), held}) {
      INFO("elements: ", count);
      std::vector<AffineMap> data;
      for (const uint32_t number : shuffled(held, generator)) data.push_back({number, ~number});
      std::vector<Range> values = random_elements<Range>(held, generator);
      const Guarded<AffineMap> elements(device, stream, data, generator, 4);
      const Guarded<Range> carried(device, stream, values, generator, 8);
      const DeviceCounts count_word(stream, std::vector{count}, generator);
      plan.record(stream, {elements, carried, elements, carried, count_word});
      std::vector<AffineMap> sorted(data.begin(), data.begin() + std::ptrdiff_t(count));
      std::vector<Range> sorted_values(values.begin(), values.begin() + std::ptrdiff_t(count));
      sort_runs(sorted, sorted_values, 300, +[](const AffineMap& a, const AffineMap& b) { return a.scale > b.scale; });
      std::copy(sorted.begin(), sorted.end(), data.begin());
      std::copy(sorted_values.begin(), sorted_values.end(), values.begin());
      check_same(elements.read(stream), data, "the elements");
      check_same(carried.read(stream), values, "the values");
    }
  }
}

DEVICE_TEST("a sequence that does not fit into workgroup memory is unsupported, with both sizes") {
  const uint32_t bytes = device.info().limits.workgroup_memory_bytes;
  check_error(ErrorCode::unsupported, {"TileSort", std::to_string(bytes), "MergeSort"},
              [&] { TileSort(device, Element::of<uint32_t>(), Comparison::ascending(), bytes / 4 + 1, 1 << 20); });
  check_error(ErrorCode::invalid_argument, {"TileSort", "0"},
              [&] { TileSort(device, Element::of<uint32_t>(), Comparison::ascending(), 0, 100); });
}
