#include "tests/algorithms/select/select_check.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr EnqueueVariant variants[] = {EnqueueVariant::naive, EnqueueVariant::subgroup, EnqueueVariant::multi_item,
                                       EnqueueVariant::complement};

const char* variant_name(EnqueueVariant variant) {
  switch (variant) {
    case EnqueueVariant::naive:
      return "naive";
    case EnqueueVariant::subgroup:
      return "subgroup";
    case EnqueueVariant::multi_item:
      return "multi_item";
    default:
      return "complement";
  }
}

/// Sorts by value, to compare sets.
template <typename T>
std::vector<T> sorted(std::vector<T> elements) {
  std::sort(elements.begin(), elements.end(),
            [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) < 0; });
  return elements;
}

/// Checks that the queue holds the elements `expected` in any order, and that nothing was written after them.
template <typename T>
void check_queue(Stream& stream, const Guarded<T>& queue, const std::vector<T>& expected, const std::string& what) {
  const std::vector<T> found = queue.read(stream), poison = queue.poison();
  const auto end = found.begin() + std::ptrdiff_t(expected.size());
  check_same(sorted(std::vector<T>(found.begin(), end)), sorted(expected), what);
  check_same(std::vector<T>(end, found.end()),
             std::vector<T>(poison.begin() + std::ptrdiff_t(expected.size()), poison.end()), what + ", behind its end");
}

struct EnqueuePlacement {
  uint64_t input_misalignment = 0;
  bool count_on_device = false;
  uint64_t behind = 0;
};

template <typename T>
void check_enqueue(Stream& stream, const Enqueue& plan, EnqueueVariant variant, const TestPredicate<T>& predicate,
                   uint64_t count, std::mt19937_64& generator, const EnqueuePlacement& placement = {}) {
  INFO("variant: ", std::string(variant_name(variant)), ", elements: ", count, ", input misaligned by ",
       placement.input_misalignment, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const bool two = variant == EnqueueVariant::complement;
  const std::vector<T> data = random_elements<T>(count + placement.behind, generator);
  const Guarded<T> input(device, stream, data, generator, placement.input_misalignment);
  const Guarded<T> output(device, stream, data.size(), generator, Elements<T>::element().align());
  const Guarded<T> others(device, stream, two ? data.size() : 0, generator);
  const DeviceCounts queued(stream, two ? 2 : 1, generator);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.input = input,
                       .output = output,
                       .others = two ? Region(others) : Region(),
                       .queued = queued,
                       .count = placement.count_on_device ? Count(count_word) : Count(count)});
  const std::vector<T> kept = selected_elements(data, count, predicate.on_host);
  check_queue(stream, output, kept, "the queue");
  std::vector<uint64_t> counts{kept.size()};
  if (two) {
    const std::vector<T> rest =
        selected_elements(data, count, [&](const T& x, uint64_t i) { return !predicate.on_host(x, i); });
    check_queue(stream, others, rest, "the queue of the others");
    counts.push_back(rest.size());
  }
  check_same(queued.read(stream), counts, "the number of queued elements");
  check_same(input.read(stream), data, "the input afterwards");
}

template <typename T>
void check_variant(const Device& device, EnqueueVariant variant) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("enqueue ") + TypeName<T>::value + variant_name(variant));
  const TestPredicate<T> predicate = predicate_of<T>();
  const std::vector<uint64_t> counts = interesting_counts(device);
  const Element element = Elements<T>::element();
  const Enqueue plan(device, element, predicate.on_device, counts.back(), variant);
  for (const uint64_t count : counts) check_enqueue(stream, plan, variant, predicate, count, generator);
  for (const uint64_t count : few_counts(device)) {
    check_enqueue(stream, plan, variant, predicate, count, generator,
                  {.input_misalignment = generator() % 8 * element.align(), .count_on_device = true, .behind = 300});
  }
}

}  // namespace

DEVICE_TEST_OF_TYPES("naive enqueue", uint32_t, uint64_t, weft::test::Five) {
  check_variant<T>(device, EnqueueVariant::naive);
}
DEVICE_TEST_OF_TYPES("subgroup-aggregated enqueue", uint32_t, float, int64_t, weft::test::AffineMap, Pixel) {
  check_variant<T>(device, EnqueueVariant::subgroup);
}
DEVICE_TEST_OF_TYPES("multi-item enqueue", WEFT_TEST_SCALARS, WEFT_TEST_NARROW, WEFT_TEST_STRUCTS) {
  check_variant<T>(device, EnqueueVariant::multi_item);
}
DEVICE_TEST_OF_TYPES("enqueue into two queues", uint32_t, int32_t, double, WEFT_TEST_STRUCTS) {
  check_variant<T>(device, EnqueueVariant::complement);
}

DEVICE_TEST("enqueues of many elements") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large enqueue");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const uint64_t count = large_count(device) / 4;
  for (const EnqueueVariant variant : variants) {
    const Enqueue plan(device, Element::of<uint32_t>(), predicate.on_device, count, variant);
    check_enqueue(stream, plan, variant, predicate, count, generator);
  }
}

DEVICE_TEST("enqueue takes nothing or everything if the predicate says so") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("all or nothing");
  const TestPredicate<uint32_t> all{Selection::when("true"), [](const uint32_t&, uint64_t) { return true; }};
  const TestPredicate<uint32_t> none{Selection::when("false"), [](const uint32_t&, uint64_t) { return false; }};
  for (const EnqueueVariant variant : variants) {
    for (const auto& predicate : {all, none}) {
      const Enqueue plan(device, Element::of<uint32_t>(), predicate.on_device, 10007, variant);
      for (const uint64_t count : {0, 1, 2048, 10007}) {
        check_enqueue(stream, plan, variant, predicate, uint64_t(count), generator);
      }
    }
  }
}

DEVICE_TEST("an enqueue clamps a device count to the maximum") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("excessive count");
  const TestPredicate<uint32_t> predicate = predicate_of<uint32_t>();
  const std::vector<uint32_t> data = random_elements<uint32_t>(9000, generator);
  for (const EnqueueVariant variant : variants) {
    const bool two = variant == EnqueueVariant::complement;
    const Enqueue plan(device, Element::of<uint32_t>(), predicate.on_device, 5000, variant);
    const Guarded<uint32_t> input(device, stream, data, generator);
    const Guarded<uint32_t> output(device, stream, 9000, generator), others(device, stream, 9000, generator);
    const Buffer<uint64_t> queued = device.buffer<uint64_t>(two ? 2 : 1), count = device.buffer<uint64_t>(1);
    stream.upload(count, std::vector<uint64_t>{(uint64_t(1) << 32) + 1});
    plan.record(stream, {.input = input,
                         .output = output,
                         .others = two ? Region(others) : Region(),
                         .queued = queued,
                         .count = count});
    INFO("variant: ", std::string(variant_name(variant)));
    check_queue(stream, output, selected_elements(data, 5000, predicate.on_host), "the queue");
  }
}

DEVICE_TEST("consecutive enqueues each start with empty queues") {
  Stream stream = device.stream();
  const Buffer<uint32_t> input = device.buffer<uint32_t>(1000), output = device.buffer<uint32_t>(1000);
  const Buffer<uint64_t> queued = device.buffer<uint64_t>(1);
  stream.fill(input, 9u);
  const Enqueue plan(device, Element::of<uint32_t>(), Selection::when("i < 700u"), 1000, EnqueueVariant::subgroup);
  for (int run = 0; run < 5; ++run) {
    plan.record(stream, {.input = input, .output = output, .others = {}, .queued = queued, .count = 1000});
  }
  check_same(stream.download(queued), {700});
}
