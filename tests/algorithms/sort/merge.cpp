#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/sort/merge_check.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
struct Sorted {
  std::vector<T> elements;
  std::vector<uint32_t> values;
};

template <typename T>
Sorted<T> random_sorted(uint64_t count, const TestComparison<T>& comparison, std::mt19937_64& generator) {
  Sorted<T> sequence{random_elements<T>(count, generator), random_elements<uint32_t>(count, generator)};
  sort_reference(sequence.elements, sequence.values, comparison.on_host);
  return sequence;
}

struct MergePlacement {
  uint64_t misalignment = 0;  ///< Of all regions, in elements.
  bool counts_on_device = false;
  bool with_values = false;
};

/// Merges two sequences in guarded memory full of random bytes, and compares the result.
template <typename T>
void check_merge(Stream& stream, const Merge& plan, const TestComparison<T>& comparison, const Sorted<T>& first,
                 const Sorted<T>& second, std::mt19937_64& generator, const MergePlacement& placement = {}) {
  const uint64_t counts[] = {first.elements.size(), second.elements.size()}, all = counts[0] + counts[1];
  INFO("elements: ", counts[0], " and ", counts[1], ", misaligned by ", placement.misalignment,
       ", counts on device: ", placement.counts_on_device, ", with values: ", placement.with_values);
  const Device device = stream.device();
  const uint64_t misalignment = placement.misalignment * Elements<T>::element().align();
  const Guarded<T> a(device, stream, first.elements, generator, misalignment);
  const Guarded<T> b(device, stream, second.elements, generator, 2 * misalignment);
  const Guarded<T> output(device, stream, all, generator, 3 * misalignment);
  const Guarded<uint32_t> a_values(device, stream, first.values, generator, 4);
  const Guarded<uint32_t> b_values(device, stream, second.values, generator, 8);
  const Guarded<uint32_t> output_values(device, stream, all, generator, 12);
  const GuardedBytes temporary(device, stream, plan.temporary_bytes(), 7, generator);
  const DeviceCounts first_word(stream, std::vector{counts[0]}, generator);
  const DeviceCounts second_word(stream, std::vector{counts[1]}, generator);

  Sorted<T> expected = first;
  expected.elements.insert(expected.elements.end(), second.elements.begin(), second.elements.end());
  expected.values.insert(expected.values.end(), second.values.begin(), second.values.end());
  sort_reference(expected.elements, expected.values, comparison.on_host);

  const auto values = [&](const Guarded<uint32_t>& of) { return placement.with_values ? Region(of) : Region(); };
  const bool on_device = placement.counts_on_device;
  plan.record(stream, {.first = {a, values(a_values), on_device ? Count(first_word) : Count(counts[0])},
                       .second = {b, values(b_values), on_device ? Count(second_word) : Count(counts[1])},
                       .output = output,
                       .output_values = values(output_values),
                       .temporary = temporary.region()});
  check_same(output.read(stream), expected.elements, "the merged elements");
  check_same(output_values.read(stream), placement.with_values ? expected.values : output_values.poison(),
             "their values");
  check_same(a.read(stream), first.elements, "the first sequence afterwards");
  check_same(b.read(stream), second.elements, "the second sequence afterwards");
  temporary.check_guards(stream);
}

}  // namespace

DEVICE_TEST_OF_TYPES("merge is stable", uint32_t, double, weft::test::Five, Mixed, Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("merge ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const Element element = Elements<T>::element();
  const Merge plan(device, element, comparison.on_device, 60022);
  const Merge with_values(device, element, comparison.on_device, 60022, {.values = Element::of<uint32_t>()});
  for (const uint64_t first : few_counts(device)) {
    for (const uint64_t second : {0, 1, 4097, 9001}) {
      const Sorted<T> a = random_sorted(first, comparison, generator), b = random_sorted(second, comparison, generator);
      check_merge(stream, plan, comparison, a, b, generator, {.misalignment = generator() % 8});
      check_merge(stream, with_values, comparison, a, b, generator, {.counts_on_device = true, .with_values = true});
    }
  }
}

DEVICE_TEST_OF_TYPES("merge of narrow elements is stable", uint8_t, int8_t, uint16_t, weft::Half) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("merge ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const Merge plan(device, Elements<T>::element(), comparison.on_device, 20000, {.values = Element::of<uint32_t>()});
  for (const uint64_t first : {0, 1, 4095, 9001}) {
    const Sorted<T> a = random_sorted(first, comparison, generator), b = random_sorted(4097, comparison, generator);
    check_merge(stream, plan, comparison, a, b, generator, {.misalignment = generator() % 8, .with_values = true});
  }
}

DEVICE_TEST_OF_TYPES("merges by tiles of one invocation", uint32_t, weft::test::Five, uint16_t, Pixel) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial merge ") + TypeName<T>::value);
  const TestComparison<T> comparison = comparison_of<T>();
  const Element element = Elements<T>::element();
  const std::vector<uint64_t> counts = serial_counts(element.bytes());
  const Merge plan(device, element, comparison.on_device, 2 * counts.back(),
                   {.tuning = serial_tiles(algorithms::tuned_merge, element.bytes())});
  const Merge with_values(
      device, element, comparison.on_device, 2 * counts.back(),
      {.values = Element::of<uint32_t>(), .tuning = serial_tiles(algorithms::tuned_merge_sort_pairs, element.bytes())});
  for (const uint64_t first : counts) {
    for (const uint64_t second : {uint64_t(0), uint64_t(1), counts[5], counts.back()}) {
      const Sorted<T> a = random_sorted(first, comparison, generator), b = random_sorted(second, comparison, generator);
      check_merge(stream, plan, comparison, a, b, generator, {.misalignment = generator() % 8});
      check_merge(stream, with_values, comparison, a, b, generator, {.counts_on_device = true, .with_values = true});
    }
  }
}

DEVICE_TEST("merges of counts around tile boundaries") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of merges");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const Merge plan(device, Element::of<uint32_t>(), comparison.on_device, many);
  for (const uint64_t count : around_tiles(merge_tiling(device, algorithms::tuned_merge).elements())) {
    for (const uint64_t first : {uint64_t(0), count / 3, count}) {
      check_merge(stream, plan, comparison, random_sorted(first, comparison, generator),
                  random_sorted(count - first, comparison, generator), generator);
    }
  }
}

DEVICE_TEST("merge takes disjoint, equal and constant sequences") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("merge distributions");
  const TestComparison<uint32_t> comparison{Comparison::ascending(),
                                            [](const uint32_t& a, const uint32_t& b) { return a < b; }};
  constexpr uint32_t count = 9001;
  const Merge plan(device, Element::of<uint32_t>(), comparison.on_device, 2 * count,
                   {.values = Element::of<uint32_t>()});
  const auto sequence = [&](uint32_t start, uint32_t step) {
    Sorted<uint32_t> sorted{{}, random_elements<uint32_t>(count, generator)};
    for (uint32_t i = 0; i < count; ++i) sorted.elements.push_back(start + i * step);
    return sorted;
  };
  const Sorted<uint32_t> low = sequence(0, 1), high = sequence(count, 1), constant = sequence(count / 2, 0);
  const MergePlacement placement{.with_values = true};
  check_merge(stream, plan, comparison, low, high, generator, placement);
  check_merge(stream, plan, comparison, high, low, generator, placement);
  check_merge(stream, plan, comparison, low, low, generator, placement);
  check_merge(stream, plan, comparison, low, constant, generator, placement);
  check_merge(stream, plan, comparison, constant, constant, generator, placement);
}

DEVICE_TEST("merge plans for more than 2^32 elements work on few") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("wide merge");
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  const Merge plan(device, Element::of<uint32_t>(), comparison.on_device, (uint64_t(1) << 32) + 5);
  for (const uint64_t count : few_counts(device)) {
    check_merge(stream, plan, comparison, random_sorted(count, comparison, generator),
                random_sorted(5000, comparison, generator), generator, {.counts_on_device = true});
  }
}

DEVICE_TEST("merges of small tiles with and without splits of their own") {
  const TestComparison<uint32_t> comparison = comparison_of<uint32_t>();
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("splits of merges");
  for (const uint32_t own_splits : {0u, 1u}) {
    INFO("own splits: ", own_splits);
    const algorithms::MergeTuning values{.tile = {.workgroup = 64, .bytes_per_invocation = 12},
                                         .own_splits = own_splits};
    const Tuning tuning(
        {tuned(algorithms::tuned_merge, 4, values), tuned(algorithms::tuned_merge_sort_pairs, 4, values)});
    const Element element = Element::of<uint32_t>();
    const Merge plan(device, element, comparison.on_device, 60022, {.tuning = tuning});
    const Merge wide(device, element, comparison.on_device, (uint64_t(1) << 32) + 5,
                     {.values = element, .tuning = tuning});
    for (const uint64_t first : few_counts(device)) {
      for (const uint64_t second : {0, 1, 9001}) {
        const auto a = random_sorted(first, comparison, generator), b = random_sorted(second, comparison, generator);
        check_merge(stream, plan, comparison, a, b, generator, {.misalignment = generator() % 8});
        // The wide plan takes 90 MB of temporary storage, filled with random bytes before each merge.
        if (first != few_counts(device).back()) continue;
        check_merge(stream, wide, comparison, b, a, generator, {.counts_on_device = true, .with_values = true});
      }
    }
  }
}

DEVICE_TEST("merge as a function") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("merge function");
  std::vector<float> a = random_elements<float>(5000, generator), b = random_elements<float>(777, generator);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const Buffer<float> first = device.buffer<float>(a.size()), second = device.buffer<float>(b.size()),
                      output = device.buffer<float>(a.size() + b.size());
  stream.upload(first, a);
  stream.upload(second, b);
  merge(stream, first, second, output);
  std::vector<float> expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  std::sort(expected.begin(), expected.end());
  check_same(stream.download(output), expected);
}

DEVICE_TEST("merge says what is wrong with its arguments") {
  Stream stream = device.stream();
  const Merge plan(device, Element::of<uint32_t>(), Comparison::ascending(), 100);
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(300);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const auto record = [&](uint64_t first, uint64_t second, uint64_t output_from, uint64_t output_count) {
    plan.record(stream, {.first = {memory.part(0, 60), {}, first},
                         .second = {memory.part(60, 60), {}, second},
                         .output = memory.part(output_from, output_count),
                         .output_values = {},
                         .temporary = temporary});
  };
  const auto invalid = [&](const std::vector<std::string>& words, uint64_t first, uint64_t second, uint64_t from,
                           uint64_t output_count) {
    check_error(ErrorCode::invalid_argument, words, [&] { record(first, second, from, output_count); });
  };
  invalid({"first", "60"}, 61, 0, 120, 100);
  invalid({"100", "together"}, 51, 50, 120, 120);
  invalid({"output", "400"}, 50, 50, 120, 99);
  invalid({"first", "output", "overlap"}, 50, 50, 49, 100);
  invalid({"second", "output", "overlap"}, 10, 50, 109, 60);
  record(50, 50, 120, 100);
  record(10, 10, 70, 20);
  const Region from = memory.part(0, 50), to = memory.part(100, 100);
  const auto with_values = [&](const std::string& name, const Region& first, const Region& second, const Region& out) {
    check_error(ErrorCode::invalid_argument, {"'" + name + "' was given", "without values"},
                [&] { plan.record(stream, {{from, first, 50}, {from, second, 50}, to, out, temporary}); });
  };
  with_values("first_values", from, {}, {});
  with_values("second_values", {}, from, {});
  with_values("output_values", {}, {}, to);
  check_error(ErrorCode::compile_failed, {"comparison", "a <<> b"},
              [&] { Merge(device, Element::of<uint32_t>(), Comparison::by("a <<> b"), 100); });
  stream.synchronize();
}
