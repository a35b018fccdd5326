#include <cmath>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reduce/histogram_check.h"

using namespace weft;
using namespace weft::test;

namespace {

template <typename T>
int64_t bin_between(const T* edges, uint32_t bins, T x, bool closed = false) {
  for (uint32_t b = 0; b < bins; ++b) {
    if (x >= edges[b] && x < edges[b + 1]) return b;
  }
  if (closed && x == edges[bins] && x >= edges[0]) return bins - 1;
  return -1;
}

/// Ranges of every form: all of the type, powers of two and others, one number, more bins than numbers.
template <typename T>
std::vector<Setup<T>> even_setups() {
  if constexpr (is_float<T>) {
    return {even_setup<T>(256, -1, 1), even_setup<T>(10, 0.1, 0.7), even_setup<T>(1000, -1e38, 1e38)};
  } else if constexpr (sizeof(T) < 4) {
    const double least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max() + 1.0;
    return {even_setup<T>(256, least, most), even_setup<T>(300, -5, 101)};
  } else if constexpr (sizeof(T) == 8) {
    const double least = std::is_signed_v<T> ? -0x1p63 : 0, most = least + 0x1p64;
    return {even_setup<T>(256, least, most), even_setup<T>(1000, least + 0x1.8p40, most - 0x1p20),
            even_setup<T>(1 << 16, 3, 1e15), even_setup<T>(100, 3, 2147483000),
            even_setup<T>(257, 0, 256),      even_setup<T>(1, 7, 8),
            even_setup<T>(1, least, most)};
  } else {
    const double least = std::is_signed_v<T> ? -2147483648.0 : 0, most = least + 4294967296.0;
    return {even_setup<T>(256, least, most),
            even_setup<T>(1000, least + 12345, most - 1),
            even_setup<T>(100, 3, 2147483000),
            even_setup<T>(257, 0, 256),
            even_setup<T>(1, 7, 8),
            even_setup<T>(1, least, most)};
  }
}

template <typename T>
T to_sample(double x) {
  if constexpr (is_float<T>) {
    return T(float(x));
  } else {
    return T(x);
  }
}

/// Samples, many of them in and around a range.
template <typename T>
std::vector<T> samples_around(const Bins& bins, uint64_t count, std::mt19937_64& generator) {
  std::vector<T> samples(count);
  for (T& x : samples) {
    const double within = bins.lower + double(generator() % (1 << 20)) * 0x1p-20 * (bins.upper - bins.lower);
    const double choices[] = {within, within, within, bins.lower, bins.upper, std::nextafter(bins.upper, bins.lower)};
    const double choice = choices[generator() % std::size(choices)];
    using Limits = std::numeric_limits<T>;
    const bool there = is_float<T> || (choice >= double(Limits::lowest()) && choice < std::ldexp(1.0, Limits::digits));
    x = generator() % 4 == 0 || !there ? Elements<T>::random(generator) : to_sample<T>(choice);
    if constexpr (std::is_floating_point_v<T>) {
      const T special[] = {std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(),
                           std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), T(-0.0)};
      if (generator() % 16 == 0) x = special[generator() % std::size(special)];
    }
  }
  return samples;
}

}  // namespace

DEVICE_TEST_OF_TYPES("histograms over even ranges", uint32_t, int32_t, float, uint64_t, int64_t, WEFT_TEST_NARROW) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("even histogram ") + TypeName<T>::value);
  bool first = true;
  for (const Setup<T>& setup : even_setups<T>()) {
    const std::vector<uint64_t> counts = first ? interesting_counts(device) : few_counts(device);
    const Histogram plan(device, Element::of<T>(), setup.bins, counts.back(), setup.options);
    for (const uint64_t count : counts) {
      check_histogram(stream, plan, setup, samples_around<T>(setup.bins, count, generator), count, generator);
    }
    for (const uint64_t count : few_counts(device)) {
      check_histogram(stream, plan, setup, samples_around<T>(setup.bins, count + 70, generator), count, generator,
                      {.input_misalignment = generator() % 8 * sizeof(T), .count_on_device = true});
    }
    first = false;
  }
}

DEVICE_TEST_OF_TYPES("histograms whose last bin has its upper end, in 64 bits", uint32_t, int32_t, float, uint64_t,
                     int64_t, WEFT_TEST_NARROW) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("closed histogram ") + TypeName<T>::value);
  for (Setup<T> setup : even_setups<T>()) {
    setup.bins.closed = setup.options.wide = true;
    setup.bin_of = [bins = setup.bins](T x, uint32_t) { return even_bin(bins, x); };
    const Histogram plan(device, Element::of<T>(), setup.bins, 30011, setup.options);
    for (const uint64_t count : few_counts(device)) {
      check_histogram(stream, plan, setup, samples_around<T>(setup.bins, count, generator), count, generator);
    }
  }
}

DEVICE_TEST_OF_TYPES("histograms between edges", uint32_t, int32_t, float, uint64_t, int64_t, uint8_t, int8_t) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("histogram between edges ") + TypeName<T>::value);
  for (const uint32_t bins : {1u, 37u}) {
    std::vector<T> edges = random_elements<T>(bins + 1, generator);
    if constexpr (std::is_floating_point_v<T>) edges[0] = 0;
    edges.back() = edges.front();  // at least two equal edges
    std::sort(edges.begin(), edges.end());
    if (bins == 1) edges[1] = std::numeric_limits<T>::max();
    Setup<T> setup{
        Bins::edges(bins), {}, edges, [=](T x, uint32_t) { return bin_between(edges.data(), bins, x, bins > 1); }};
    setup.bins.closed = bins > 1;
    const Histogram plan(device, Element::of<T>(), setup.bins, 30011, setup.options);
    for (const uint64_t count : few_counts(device)) {
      std::vector<T> samples = samples_around<T>(Bins::even(1, -1, 1), count, generator);
      for (T& x : samples) x = generator() % 3 == 0 ? edges[generator() % edges.size()] : x;
      check_histogram(stream, plan, setup, samples, count, generator);
    }
  }
}

DEVICE_TEST("histograms of several channels, each with its own edges, and of some of them") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("channels");
  for (const auto& [channels, counted] : {std::pair(2u, 2u), std::pair(3u, 3u), std::pair(4u, 3u), std::pair(4u, 4u)}) {
    constexpr uint32_t bins = 5;
    std::vector<uint32_t> edges;
    for (uint32_t c = 0; c < counted; ++c) {
      for (uint32_t e = 0; e <= bins; ++e) edges.push_back((e << 29) + c * 1000);
    }
    const Setup<uint32_t> setup{
        Bins::edges(bins), {.channels = channels, .counted = counted}, edges, [&](uint32_t x, uint32_t c) {
          return bin_between(&edges[c * (bins + 1)], bins, x);
        }};
    const Histogram plan(device, Element::of<uint32_t>(), setup.bins, 30011, setup.options);
    for (const uint64_t count : few_counts(device)) {
      check_histogram(stream, plan, setup, random_elements<uint32_t>(count * channels + 13, generator), count,
                      generator, {.count_on_device = count % 2 == 0});
    }
  }
}

DEVICE_TEST("histograms of the channels of RGBA8 pixels, with and without alpha") {
  need_element<uint8_t>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("pixels");
  for (const uint32_t counted : {3u, 4u}) {
    const Setup<uint8_t> setup = even_setup<uint8_t>(256, 0, 256, {.channels = 4, .counted = counted});
    const Histogram plan(device, Element::of<uint8_t>(), setup.bins, 30011, setup.options);
    for (const uint64_t count : few_counts(device)) {
      check_histogram(stream, plan, setup, random_elements<uint8_t>(count * 4, generator), count, generator,
                      {.input_misalignment = count % 3});
    }
  }
}

DEVICE_TEST("edges that do not fit into workgroup memory beside the counts, or at all") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("many edges");
  const uint64_t words = device.info().limits.workgroup_memory_bytes / 4;
  // First only the counts fit, then neither.
  for (const uint64_t bins : {words * 3 / 4, words + 1}) {
    std::vector<uint32_t> edges = random_elements<uint32_t>(bins + 1, generator);
    std::ranges::sort(edges);
    const auto bin_of = [&](uint32_t x, uint32_t) -> int64_t {
      if (x < edges.front() || x >= edges.back()) return -1;
      return std::ranges::upper_bound(edges, x) - edges.begin() - 1;
    };
    const Setup<uint32_t> setup{Bins::edges(uint32_t(bins)), {}, edges, bin_of};
    const Histogram plan(device, Element::of<uint32_t>(), setup.bins, 30011, setup.options);
    CHECK_EQ(plan.in_workgroup_memory(), bins < words);
    for (const uint64_t count : {1, 30011}) {
      std::vector<uint32_t> samples = random_elements<uint32_t>(count, generator);
      for (uint32_t& x : samples) x = generator() % 3 == 0 ? edges[generator() % edges.size()] : x;
      check_histogram(stream, plan, setup, samples, count, generator);
    }
  }
}

DEVICE_TEST("weights are added up, in 64 bits on request") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("weights");
  for (const Histogram::Options& options :
       {Histogram::Options{.weighted = true}, Histogram::Options{.channels = 3, .weighted = true, .wide = true}}) {
    const Setup<uint32_t> setup = even_setup<uint32_t>(6, 100, 4000000000, options);
    const Histogram plan(device, Element::of<uint32_t>(), setup.bins, 30011, setup.options);
    for (const uint64_t count : few_counts(device)) {
      check_histogram(stream, plan, setup, random_elements<uint32_t>(count * options.channels, generator), count,
                      generator);
    }
  }
}

DEVICE_TEST_OF_TYPES("bytes are counted by value, in workgroup memory for any number of bins", uint8_t, int8_t) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("bytes ") + TypeName<T>::value);
  const double least = std::numeric_limits<T>::lowest();
  for (const uint32_t bins : {2u, 1u << 20}) {
    for (const Histogram::Options& options :
         {Histogram::Options{.wide = true}, Histogram::Options{.channels = 3, .counted = 2, .weighted = true},
          Histogram::Options{.weighted = true, .wide = true}}) {
      const Setup<T> setup = even_setup<T>(bins, least + 9, least + 250, options);
      const Histogram plan(device, Element::of<T>(), setup.bins, 30011, setup.options);
      CHECK(plan.in_workgroup_memory());
      for (const uint64_t count : {0, 1, 255, 30011}) {
        std::vector<T> samples = random_elements<T>(count * options.channels, generator);
        for (T& x : samples) x = generator() % 4 == 0 ? x : T(77);
        check_histogram(stream, plan, setup, samples, count, generator, {.count_on_device = count == 255});
      }
    }
  }
  const Setup<T> setup = even_setup<T>(200, least, least + 256);
  const uint64_t count = large_count(device) / 4;
  const Histogram plan(device, Element::of<T>(), setup.bins, count, setup.options);
  check_histogram(stream, plan, setup, random_elements<T>(count, generator), count, generator);
  check_histogram(stream, plan, setup, std::vector<T>(count, T(-1)), count, generator);
}

DEVICE_TEST("bins beyond workgroup memory are counted in device memory") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("many bins");
  for (const bool wide : {false, true}) {
    const Setup<uint32_t> setup = even_setup<uint32_t>(1 << 20, 0, 4294967296.0, {.wide = wide});
    const Histogram plan(device, Element::of<uint32_t>(), setup.bins, 30011, setup.options);
    CHECK_FALSE(plan.in_workgroup_memory());
    for (const uint64_t count : {0, 1, 4097, 30011}) {
      std::vector<uint32_t> samples = random_elements<uint32_t>(count, generator);
      for (uint32_t& x : samples) x = generator() % 4 == 0 ? x : 12345;
      check_histogram(stream, plan, setup, samples, count, generator);
    }
  }
}

DEVICE_TEST("histogram as a function") {
  Stream stream = device.stream();
  const Buffer<float> input = device.buffer<float>(6);
  const Buffer<uint32_t> output = device.buffer<uint32_t>(4);
  stream.upload(input, std::vector<float>{0.1f, 0.9f, 0.95f, 0.5f, 1.0f, -0.1f});
  histogram(stream, 0, 1, input, output);
  check_same(stream.download(output), {1, 0, 1, 2});
}

DEVICE_TEST("histogram says what is wrong with its bins and regions") {
  Stream stream = device.stream();
  const Element element = Element::of<uint32_t>();
  const auto refused = [&](const std::vector<std::string>& words, const Bins& bins, const Histogram::Options& options) {
    check_error(ErrorCode::invalid_argument, words, [&] { Histogram(device, element, bins, 100, options); });
  };
  refused({"1048576", "1048577"}, Bins::even(1048577, 0, 100), {});
  refused({"bins", "not 0"}, Bins::even(0, 0, 100), {});
  refused({"empty"}, Bins::even(4, 7, 7), {});
  refused({"whole"}, Bins::even(4, 0.5, 7), {});
  refused({"exceeds", "4294967295"}, Bins::even(4, 0, 4294967297.0), {});
  if (device.info().features.int64) {
    check_error(ErrorCode::invalid_argument, {"exceeds", "int64_t"},
                [&] { Histogram(device, Element::of<int64_t>(), Bins::even(3, 0, 0x1p64), 100); });
    check_error(ErrorCode::invalid_argument, {"whole"},
                [&] { Histogram(device, Element::of<uint64_t>(), Bins::even(3, 0, 0.5), 100); });
  }
  if (device.info().features.storage8) {  // wider than 2^32, although both ends are in range
    check_error(ErrorCode::invalid_argument, {"exceeds", "255"},
                [&] { Histogram(device, Element::of<uint8_t>(), Bins::even(3, -2147483648.0, 4294967296.0), 100); });
  }
  refused({"channels"}, Bins::even(4, 0, 8), {.channels = 5});
  refused({"channels"}, Bins::even(4, 0, 8), {.channels = 2, .counted = 3});
  check_error(ErrorCode::invalid_argument, {"from -3e+38 to 3e+38", "single precision"},
              [&] { Histogram(device, Element::of<float>(), Bins::even(4, -3e38, 3e38), 100); });
  check_error(ErrorCode::unsupported, {"32 bits"},
              [&] { Histogram(device, Element::structure({{"uint", "value"}}), Bins::even(4, 0, 1), 100); });

  const Histogram plan(device, element, Bins::even(10, 0, 100), 100);
  const Buffer<uint32_t> input = device.buffer<uint32_t>(100), output = device.buffer<uint32_t>(10);
  const auto fails = [&](const std::vector<std::string>& words, const Histogram::Arguments& arguments) {
    check_error(ErrorCode::invalid_argument, words, [&] { plan.record(stream, arguments); });
  };
  fails({"count", "100", "101"}, {input, {}, {}, output, 101});
  fails({"input"}, {input.part(0, 99), {}, {}, output, 100});
  fails({"edges", "even"}, {input, input, {}, output, 100});
  fails({"weights"}, {input, {}, input, output, 100});
  fails({"output", "40"}, {input, {}, {}, output.part(0, 9), 100});
  stream.synchronize();
}
