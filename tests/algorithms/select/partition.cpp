#include <weft/partition.h>

#include "algorithms/src/select/selection_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/select/select_check.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Others everywhere[] = {Others::apart, Others::behind, Others::reversed};

const char* word_of(Others others) {
  return others == Others::apart ? "apart" : others == Others::behind ? "behind" : "reversed";
}

/// Layout in memory of the arguments of a partition.
struct PartitionPlacement {
  uint64_t input_misalignment = 0, output_misalignment = 0;
  uint64_t flags_misalignment = 0;
  bool count_on_device = false;
};

/// Copies `elements` over the first elements of `memory`, the previous contents.
template <typename T>
std::vector<T> written(std::vector<T> memory, const std::vector<T>& elements) {
  std::copy(elements.begin(), elements.end(), memory.begin());
  return memory;
}

/// Partitions elements in guarded memory and compares the result with `keep`. For a predicate, `flags` is empty.
template <typename T, typename Keep, typename F = uint32_t>
void check_partition(Stream& stream, const Partition& plan, Others where, const std::vector<T>& data,
                     const std::vector<F>& flags, uint64_t count, Keep&& keep, std::mt19937_64& generator,
                     const PartitionPlacement& placement = {}) {
  INFO("path: ", std::string(name_of(plan.path())), ", others ", std::string(word_of(where)), ", elements: ", count,
       ", input misaligned by ", placement.input_misalignment, ", output by ", placement.output_misalignment,
       ", flags by ", placement.flags_misalignment, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const bool apart = where == Others::apart;
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> output(device, stream, data.size(), generator, placement.output_misalignment);
  const Guarded<T> others(device, stream, apart ? data.size() : 0, generator);
  const Guarded<F> guarded_flags(device, stream, flags, generator, placement.flags_misalignment);
  const DeviceCounts selected(stream, 1, generator);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.input = input,
                       .flags = flags.empty() ? Region() : Region(guarded_flags),
                       .output = output,
                       .others = apart ? Region(others) : Region(),
                       .selected = selected,
                       .count = placement.count_on_device ? Count(count_word) : Count(count),
                       .temporary = temporary.region()});
  std::vector<T> kept = selected_elements(data, count, keep);
  std::vector<T> rest = selected_elements(data, count, [&](const T& x, size_t i) { return !keep(x, i); });
  check_same(selected.read(stream), {kept.size()}, "the number of selected elements");
  if (apart) {
    check_same(others.read(stream), written(others.poison(), rest), "the others");
  } else {
    if (where == Others::reversed) std::reverse(rest.begin(), rest.end());
    kept.insert(kept.end(), rest.begin(), rest.end());
  }
  check_same(output.read(stream), written(output.poison(), kept), "the output");
  check_same(input.read(stream), data, "the input afterwards");
  guarded_flags.check_guards(stream);
  temporary.check_guards(stream);
}

template <typename T>
void check_partition_predicate(const Device& device, TilePath path) {
  need_element<T>(device);
  need_path(device, path);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("partition ") + TypeName<T>::value + name_of(path));
  const TestPredicate<T> predicate = predicate_of<T>();
  const Element element = Elements<T>::element();
  for (const Others where : everywhere) {
    if (where == Others::behind && path == TilePath::look_back) continue;
    // Each type tests one of them on all counts.
    const bool all = int(where) == int(sizeof(T)) / 4 % 3;
    const std::vector<uint64_t> counts = all ? interesting_counts(device) : few_counts(device);
    const Partition plan(device, element, predicate.on_device, counts.back(), {.others = where, .path = path});
    CHECK((plan.path() == path));
    for (const uint64_t count : counts) {
      check_partition(stream, plan, where, random_elements<T>(count, generator), {}, count, predicate.on_host,
                      generator);
    }
    for (const uint64_t count : few_counts(device)) {
      check_partition(stream, plan, where, random_elements<T>(count + 100, generator), {}, count, predicate.on_host,
                      generator,
                      {.input_misalignment = generator() % 8 * element.align(),
                       .output_misalignment = generator() % 8 * element.align(),
                       .count_on_device = true});
    }
  }
}

/// By tiles of one invocation, wherever the others go.
template <typename T, typename Keep, typename F = uint32_t>
void check_serial_partitions(Stream& stream, const Selection& selection, const std::vector<F>& flags, Keep&& keep,
                             std::mt19937_64& generator) {
  const Device device = stream.device();
  const Element element = Elements<T>::element();
  const Tuning tuning = serial_tiles(algorithms::tuned_partition, element.bytes());
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  const auto flags_of = [&](uint64_t count) {
    return std::vector<F>(flags.begin(), flags.begin() + ptrdiff_t(std::min<uint64_t>(count, flags.size())));
  };
  for (const TilePath path : {TilePath::reduce_then_scan, TilePath::look_back}) {
    need_path(device, path);
    for (const Others where : everywhere) {
      if (where == Others::behind && path == TilePath::look_back) continue;
      const Partition plan(device, element, selection, counts.back(),
                           {.others = where, .path = path, .tuning = tuning});
      for (const uint64_t count : counts) {
        check_partition(stream, plan, where, random_elements<T>(count, generator), flags_of(count), count, keep,
                        generator);
      }
      const uint64_t count = counts.back() / 2;
      check_partition(stream, plan, where, random_elements<T>(count + 100, generator), flags_of(count + 100), count,
                      keep, generator,
                      {.input_misalignment = element.align(),
                       .output_misalignment = 3 * element.align(),
                       .flags_misalignment = sizeof(F),
                       .count_on_device = true});
    }
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("look-back partition", uint32_t, uint8_t, double, weft::test::Range, Pixel) {
  check_partition_predicate<T>(device, TilePath::look_back);
}
DEVICE_TEST_OF_TYPES("reduce-then-scan partition", uint32_t, weft::Half, double, weft::test::Range, Mixed) {
  check_partition_predicate<T>(device, TilePath::reduce_then_scan);
}

DEVICE_TEST_OF_TYPES("partition by flags of", uint32_t, uint8_t) {
  need_flags<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("partition by flags ") + TypeName<T>::value);
  for (const Others where : everywhere) {
    const Partition plan(device, Element::of<uint32_t>(), Selection::flagged(8 * sizeof(T)), 30011, {.others = where});
    for (const uint64_t count : few_counts(device)) {
      for (const uint64_t density : {0, 1, 50, 100}) {
        const std::vector<T> flags = random_flags<T>(count, density, generator);
        INFO("per cent flagged: ", density);
        check_partition(stream, plan, where, random_elements<uint32_t>(count, generator), flags, count,
                        [&](uint32_t, size_t i) { return flags[i] != 0; }, generator,
                        {.flags_misalignment = density % 2 * sizeof(T)});
      }
    }
  }
}

DEVICE_TEST_OF_TYPES("partition by tiles of one invocation", uint32_t, uint8_t, double, weft::test::Five, Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial partition ") + TypeName<T>::value);
  const TestPredicate<T> predicate = predicate_of<T>();
  check_serial_partitions<T>(stream, predicate.on_device, std::vector<uint32_t>(), predicate.on_host, generator);
}
DEVICE_TEST("tiles of one invocation are partitioned by flags of any density") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("serial partition by flags");
  const uint64_t most = serial_counts(4).back();
  for (const uint64_t density : {0, 2, 98, 100}) {
    INFO("per cent flagged: ", density);
    const std::vector<uint32_t> flags = random_flags<uint32_t>(most, density, generator);
    check_serial_partitions<uint32_t>(
        stream, Selection::flagged(), flags, [&](uint32_t, size_t i) { return flags[i] != 0; }, generator);
  }
}

DEVICE_TEST("partitions of many tiles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large partition");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const uint64_t count = large_count(device) / 2;
  const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
  for (const Others where : everywhere) {
    const Partition plan(device, Element::of<uint32_t>(), predicate.on_device, count, {.others = where});
    check_partition(stream, plan, where, data, {}, count, predicate.on_host, generator);
  }
}

DEVICE_TEST("partitions whose tile counts take three rounds") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rounds of partitions");
  const TestPredicate<Five> predicate = predicate_of<Five>();
  const SmallTiles tiles(device, algorithms::tuned_partition, 5, 1);
  for (const Others where : {Others::behind, Others::reversed}) {
    const Partition plan(device, Elements<Five>::element(), predicate.on_device, tiles.count(),
                         {.others = where, .path = TilePath::reduce_then_scan, .tuning = tiles.tuning()});
    tiles.check(plan.temporary_bytes());
    check_partition(stream, plan, where, random_elements<Five>(tiles.count(), generator), {}, tiles.count(),
                    predicate.on_host, generator);
  }
}

DEVICE_TEST("partition as a function keeps the order of both parts") {
  Stream stream = device.stream();
  const Buffer<int32_t> input = device.buffer<int32_t>(7), output = device.buffer<int32_t>(7);
  stream.upload(input, std::vector<int32_t>{5, -1, 7, -2, -3, 0, 9});
  CHECK_EQ(partition(stream, "x < 0", input, output), 3);
  check_same(stream.download(output), {-1, -2, -3, 5, 7, 0, 9});
}

DEVICE_TEST("partition says what is wrong with its options and regions") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const Selection where = Selection::when("x > 3u");
  check_error(ErrorCode::invalid_argument, {"behind", "reversed"},
              [&] { Partition(device, element, where, 100, {.others = Others::behind, .path = TilePath::look_back}); });
  const Partition apart(device, element, where, 100), behind(device, element, where, 100, {.others = Others::behind});
  const Buffer<uint32_t> a = device.buffer<uint32_t>(100), b = device.buffer<uint32_t>(100),
                         c = device.buffer<uint32_t>(100);
  const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
  const Buffer<std::byte> t =
      device.buffer<std::byte>(std::max(apart.temporary_bytes(), behind.temporary_bytes()) + 16);
  const auto fails = [&](const Partition& plan, const std::vector<std::string>& words,
                         const Partition::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { plan.record(stream, arguments); });
  };
  fails(apart, {"count", "101"}, {a, {}, b, c, word, 101, t});
  fails(apart, {"others"}, {a, {}, b, c.part(0, 9), word, 10, t});
  fails(apart, {"others", "overlap"}, {a, {}, b.part(0, 50), b.part(49, 50), word, 50, t});
  fails(apart, {"input", "others", "overlap"}, {a, {}, b, a, word, 50, t});
  fails(apart, {"flags"}, {a, a, b, c, word, 50, t});
  fails(apart, {"selected"}, {a, {}, b, c, {}, 50, t});
  fails(apart, {"temporary"}, {a, {}, b, c, word, 50, t.part(0, apart.temporary_bytes() - 16)});
  fails(behind, {"others", "after"}, {a, {}, b, c, word, 50, t});
  fails(behind, {"input", "output", "overlap"}, {a, {}, a, {}, word, 50, t});
  stream.synchronize();
}
