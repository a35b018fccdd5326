#include <weft/reductions.h>

#include <array>
#include <limits>
#include <vector>

#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/sizes.h"

using namespace weft;
using namespace weft::test;

namespace {

// Few distinct values, so that it matters which of several equal ones is the first.
template <typename T>
std::vector<T> repeated_values(uint64_t count, std::mt19937_64& generator) {
  std::vector<T> values(count);
  for (T& x : values) x = T(float(generator() % 100) - (std::is_unsigned_v<T> ? 0 : 50));
  return values;
}

template <typename T>
void check_extreme(const Extreme<T>& actual, const std::vector<T>& data, const T* found) {
  CHECK_EQ(actual.index, found == data.data() + data.size() ? Extreme<T>::no_index : uint64_t(found - data.data()));
  if (!data.empty()) check_same(std::vector<T>{actual.value}, {*found});
}

}  // namespace

DEVICE_TEST_OF_TYPES("the first smallest and largest element", uint32_t, float, int64_t, double, int8_t, uint16_t,
                     weft::Half) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("extremes ") + TypeName<T>::value);
  for (const uint64_t count : few_counts(device)) {
    INFO("elements: ", count);
    const std::vector<T> data = repeated_values<T>(count, generator);
    const Guarded<T> input(device, stream, data, generator, Elements<T>::element().align());
    const T* begin = data.data();
    check_extreme(arg_min(stream, input.view()), data, std::min_element(begin, begin + count));
    check_extreme(arg_max(stream, input.view()), data, std::max_element(begin, begin + count));
    const MinMax<T> both = min_max(stream, input.view());
    const T smallest = count ? *std::min_element(begin, begin + count) : min_of<T>().identity;
    const T largest = count ? *std::max_element(begin, begin + count) : max_of<T>().identity;
    check_same(std::vector<T>{both.smallest, both.largest}, {smallest, largest});
  }
}

DEVICE_TEST("NaNs are neither smallest nor largest") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("extremes among NaNs");
  std::vector<float> data(9001, std::numeric_limits<float>::quiet_NaN());
  const Guarded<float> nothing(device, stream, data, generator);
  CHECK_EQ(arg_min(stream, nothing.view()).index, Extreme<float>::no_index);
  data[7003] = -2;
  data[7004] = std::numeric_limits<float>::infinity();
  const Guarded<float> input(device, stream, data, generator);
  CHECK_EQ(arg_min(stream, input.view()).index, 7003);
  CHECK_EQ(arg_max(stream, input.view()).index, 7004);
  CHECK_EQ(arg_min(stream, input.view()).value, -2);
}

DEVICE_TEST("bounding boxes of points in structs") {
  struct Particle {
    float mass;
    std::array<float, 3> at;
    uint32_t kind;
  };
  const Element element =
      Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}, {"kind", &Particle::kind}});
  Stream stream = device.stream();
  const std::vector<Particle> particles{{9, {1, -2, 3}, 7}, {-9, {-1, 5, 4}, 8}, {0, {0, 0, 0.5}, 9}};
  const Buffer<Particle> input = device.buffer<Particle>(3);
  stream.upload(input, particles);
  const Box<3> box = bounds<3>(stream, element, "x.at", input);
  CHECK(box.low == std::array<float, 3>{-1, -2, 0.5});
  CHECK(box.high == std::array<float, 3>{1, 5, 4});
  const Box<2> plane = bounds<2>(stream, element, "vec2(x.mass, x.at.z)", input);
  CHECK(plane.low == std::array<float, 2>{-9, 0.5});
  CHECK(plane.high == std::array<float, 2>{9, 4});
  CHECK_EQ(reduce<float>(stream, element, "x.mass * x.mass", input), 162);
  CHECK_EQ(reduce<uint32_t>(stream, element, "x.kind", input, Operator::max()), 9);
}

DEVICE_TEST("bounding boxes and dot products as functions") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bounds");
  using Point = std::array<float, 3>;
  for (const uint64_t count : few_counts(device)) {
    INFO("points: ", count);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<Point> points(count);
    Point low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
    for (Point& point : points) {
      for (size_t k = 0; k < 3; ++k) {
        point[k] = float(int32_t(random_word(generator)));
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
      }
    }
    const Guarded<Point> input(device, stream, points, generator, 4);
    std::vector<Point> box(2);
    reduce(stream, Reduction::bounds(3), input.view(), {}, std::as_writable_bytes(std::span(box)));
    check_same(box, {low, high});
    const Box<3> again = bounds<3>(stream, input.view());
    check_same(std::vector{again.low, again.high}, {low, high});

    const std::vector<uint32_t> x = random_elements<uint32_t>(count, generator), y(x.rbegin(), x.rend());
    const Guarded<uint32_t> first(device, stream, x, generator), second(device, stream, y, generator);
    uint32_t expected = 0;
    for (size_t i = 0; i < count; ++i) expected += x[i] * y[i];
    CHECK_EQ(dot_product(stream, first.view(), second.view()), expected);
    if (count == 0) continue;
    check_error(ErrorCode::invalid_argument, {"inputs"},
                [&] { dot_product(stream, first.view(), second.view().part(1, count - 1)); });
  }
  check_error(ErrorCode::invalid_argument, {"5"}, [] { Reduction::bounds(5); });
  check_error(ErrorCode::invalid_argument, {"arg_min", "scalars"},
              [] { Reduction::arg_min(Elements<AffineMap>::element()); });
}
